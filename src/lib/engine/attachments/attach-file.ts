import type { FilePart } from '../../conversation/message';
import { sha256Of } from '../../shared/sha256';
import { AppError } from '../../shared/app-error';
import { formatBytes } from '../../shared/bytes';
import type { Clock } from '../../shared/clock';
import { plainFileName } from '../../shared/file-name';
import { imageSize, isTooLargeToDraw, maxPixels, type ImageSize } from '../../shared/image-size';
import { documentContainer, headBytes, imageType, isText } from '../../shared/media-type';
import type { Attachments } from '../../storage/attachments';
import { toStorageError } from '../../storage/storage-failure';
import { attachmentLimits } from '../../conversation/attachment-limits';
import { documentNames, extractOf } from './documents/extract-of';

/** Ports that attaching needs. */
export interface AttachPorts {
	attachments: Pick<Attachments, 'put'>;
	clock: Clock;
	/** Stops the reading of a document. */
	signal?: AbortSignal | undefined;
}

/** Files of one kind, as they are named where one is too large, and their limit in bytes. */
const kinds = {
	image: { what: 'Images', limit: attachmentLimits.imageBytes },
	document: { what: 'Documents', limit: attachmentLimits.documentBytes },
	text: { what: 'Text files', limit: attachmentLimits.textBytes }
};

/**
 * Keeps a file, once however often it is attached, and returns the part that a message has of it [S11]. What it is, its
 * content decides, not its name: an image that this browser can draw, a document that has text, or text in UTF-8. Throws an
 * AppError that names the file, with nothing kept, if it is anything else, empty or too large, in bytes or pixels, or can't be read or stored.
 */
export async function attachFile(file: File, { attachments, clock, signal }: AttachPorts): Promise<FilePart> {
	const name = plainFileName(file.name);
	if (file.size === 0) throw new AppError('attachment-empty', `“${name}” is empty.`);
	const head = await read(file.slice(0, headBytes), name);
	const image = imageType(head);
	const container = documentContainer(head);
	const kind = image ? 'image' : container ? 'document' : 'text';
	if (kind === 'text' && !mayBeText(head, file.size)) throw unsupported(name);
	const { what, limit } = kinds[kind];
	if (file.size > limit) throw tooLarge(name, formatBytes(file.size), what, `${limit / 1_000_000} MB`);

	const bytes = await read(file, name);
	if (kind === 'text' && !isText(bytes)) throw unsupported(name);
	const document = container && (await extractOf(new Blob([bytes]), container, name, signal));
	if (document === null) throw unsupported(name);
	const mediaType = image ?? document?.mediaType ?? 'text/plain';
	const content = new Blob([bytes], { type: mediaType });
	const size = image && imageSize(bytes);
	if (size && isTooLargeToDraw(size)) throw tooLarge(name, pixels(size), what, `${maxPixels / 1_000_000} megapixels`);
	const thumbnail = image && (await thumbnailOf(content, name));
	const id = await sha256Of(bytes);
	try {
		await attachments.put({ id, mediaType, bytes: bytes.length, content, ...(thumbnail && { thumbnail }), ...(document && { extract: document.extract }), createdAt: clock() });
	} catch (error) {
		throw toStorageError(error);
	}
	return { type: 'file', attachmentId: id, mediaType, name };
}

/** The longer side of a thumbnail, in pixels. */
const thumbnailSide = 320;

async function read(part: Blob, name: string): Promise<Uint8Array<ArrayBuffer>> {
	try {
		return new Uint8Array(await part.arrayBuffer());
	} catch (error) {
		// A folder, or a file that was moved or changed since it was chosen.
		throw new AppError('attachment-unreadable', `“${name}” can’t be read. If it is a file, choose it again.`, { cause: error });
	}
}

/** Tells whether the beginning of a file is text, but for a character that is cut off. */
function mayBeText(head: Uint8Array, size: number): boolean {
	return isText(head, { whole: size <= head.length });
}

/** The first frame, upright. Throws an AppError if the image can't be drawn. */
async function thumbnailOf(content: Blob, name: string): Promise<Blob> {
	const picture = await draw(content, name);
	const scale = Math.min(1, thumbnailSide / Math.max(picture.width, picture.height));
	const size = (side: number) => Math.max(1, Math.round(side * scale));
	const canvas = new OffscreenCanvas(size(picture.width), size(picture.height));
	const context = canvas.getContext('2d')!;
	context.imageSmoothingQuality = 'high';
	context.drawImage(picture, 0, 0, canvas.width, canvas.height);
	picture.close();
	return canvas.convertToBlob({ type: 'image/webp', quality: 0.85 });
}

async function draw(content: Blob, name: string): Promise<ImageBitmap> {
	try {
		return await createImageBitmap(content, { imageOrientation: 'from-image' });
	} catch (error) {
		throw new AppError('attachment-broken', `“${name}” is an image that this browser can’t open. It may be damaged.`, { cause: error });
	}
}

function pixels({ width, height }: ImageSize): string {
	return `${width.toLocaleString('en')} × ${height.toLocaleString('en')} pixels`;
}

function unsupported(name: string): AppError {
	return new AppError(
		'attachment-unsupported',
		`“${name}” can’t be attached. Snug takes images (PNG, JPEG, WebP, GIF), documents (${documentNames}) and plain text (UTF-8).`
	);
}

function tooLarge(name: string, amount: string, what: string, limit: string): AppError {
	return new AppError('attachment-large', `“${name}” is too large (${amount}). ${what} can have up to ${limit}.`);
}

