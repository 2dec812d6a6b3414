import { attachmentLimits } from '../../conversation/attachment-limits';
import { plainName } from '../../shared/file-name';
import { isId } from '../../shared/id';
import { imageSize, isTooLargeToDraw } from '../../shared/image-size';
import { documentContainer, imageType, isText } from '../../shared/media-type';
import { normaliseBaseUrl } from '../../shared/server-address';
import { sha256Of } from '../../shared/sha256';
import { definitions } from '../../storage/definitions';
import { withArchived } from '../../storage/migrations';
import { knownFields } from '../../storage/row-checks';
import { withoutSecrets } from '../../storage/secrets';
import type { CheckedTable, Rows } from '../../storage/tables';
import type { Attachment, Extract } from '../../storage/tables/attachments';
import type { QuarantinedRow } from '../../storage/tables/quarantine';
import { thumbnailIn } from '../thumbnail';
import { isHash, isTime, maxFileSize, strangeFields, strangeId, strangeTime, tooMuch } from './limits';
import { notAfter, plainPrompt, withoutPermissions } from './plain-rows';
import { faultIn } from './row-faults';

/*
 * The one way in for rows that come from outside: a file, an import, another device. What is stored is read leniently, since it must
 * open whatever a past version wrote; what comes in is looked at strictly, since it may be made to do harm. A row that is let in has
 * its known fields only, and ids, times and references that agree.
 */

/** A row that was let in, or why it was not. */
export type Admission<R> = { row: R } | { reason: string };

/** Lets a row in that is as Snug writes it, with its known fields only. What it refers to is looked at by `admitSession`. */
export function admitRow<T extends CheckedTable>(table: T, row: unknown): Admission<Rows[T]> {
	const known = knownFields(table, withArchived(table, row));
	if (!known) return { reason: strangeFields };
	const reason = faultIn(table, known);
	return reason === undefined ? { row: withoutPermissions(table, plainPrompt(known)) } : { reason };
}

/** Lets a row in that belongs to no session. */
export function admitShared(table: string, row: unknown, now: number): Admission<unknown> {
	if (table === 'providers') return admitServer(row, now);
	if (table === 'quarantine') return admitQuarantined(row, now);
	const admitted = admitRow(table as CheckedTable, row);
	return 'row' in admitted ? { row: notAfter(now, admitted.row as object) } : admitted;
}

/** Lets a server in, under an address that could have been typed here, and a name that turns nothing beside it. */
export function admitServer(row: unknown, now: number): Admission<Rows['providers']> {
	const admitted = admitRow('providers', row);
	if ('reason' in admitted) return admitted;
	try {
		const baseUrl = normaliseBaseUrl(admitted.row.baseUrl);
		return { row: { ...notAfter(now, admitted.row), name: plainName(admitted.row.name) || new URL(baseUrl).host, baseUrl } };
	} catch {
		return { reason: 'Its address is not one of a server.' };
	}
}

/** Lets a row of a quarantine in, without what may be a key. Its reason stands on the repair page as a sentence of Snug's, so it is one. */
export function admitQuarantined(row: unknown, now: number): Admission<QuarantinedRow> {
	const { id, table, at, key, row: kept } = (typeof row === 'object' && row !== null ? row : {}) as Partial<QuarantinedRow>;
	if (typeof id !== 'string' || !isId(id) || typeof table !== 'string' || !/^\w{1,100}$/.test(table)) return { reason: strangeFields };
	if (typeof at !== 'number' || !isTime(at)) return { reason: strangeTime };
	const reason = 'It was quarantined in a file already, and came from there.';
	return { row: withoutSecrets('quarantine', { id, table, key, row: kept, reason, at: Math.min(at, now) }) as QuarantinedRow };
}

/** Lets a file in whose content is what its id, size and type say: else it could take the place of another. */
export async function admitAttachment(row: unknown, now: number): Promise<Admission<Attachment>> {
	const fields = knownFields('attachments', row);
	if (!fields) return { reason: strangeFields };
	const { thumbnail, content, extract, ...known } = fields;
	if (!isHash(known.id) || !isTime(known.createdAt)) return { reason: strangeId };
	const isTooLarge = content.size > (extract || known.mediaType.startsWith('image/') ? maxFileSize : attachmentLimits.resultBytes);
	if (content.size !== known.bytes || isTooLarge) return { reason: isTooLarge ? tooMuch : 'Its size is not the one it claims.' };
	const bytes = new Uint8Array(await content.arrayBuffer());
	const isWhatItSays = extract ? isDocument(bytes, known.mediaType) : (imageType(bytes) ?? (isText(bytes) ? 'text/plain' : undefined)) === known.mediaType;
	if (!isWhatItSays) return { reason: 'Its content is not of the type it claims.' };
	const size = imageSize(bytes);
	if (size && isTooLargeToDraw(size)) return { reason: tooMuch };
	const text = extract && (await textOf(extract));
	if (text === null) return { reason: 'Its text is not one of a document.' };
	if ((await sha256Of(bytes)) !== known.id) return { reason: 'Its content is not the one that its id stands for.' };
	const small = known.mediaType.startsWith('image/') ? thumbnail && (await thumbnailIn(thumbnail)) : undefined;
	return {
		row: {
			...notAfter(now, known),
			content: content.slice(0, content.size, known.mediaType),
			...(small && { thumbnail: small }),
			...(extract && text !== undefined && { extract: { ...extract, text: new Blob([text], { type: 'text/plain' }), characters: text.length } })
		}
	};
}

function isDocument(bytes: Uint8Array, mediaType: string): boolean {
	const container = documentContainer(bytes);
	if (container === 'pdf' || mediaType === 'application/pdf') return container === 'pdf' && mediaType === 'application/pdf';
	return container === 'zip' && /^application\/[\w.+-]{1,100}$/.test(mediaType);
}

/** Returns the text of a document as a text file could have it; null where it could not. */
async function textOf({ text }: Extract): Promise<string | null> {
	if (text.size > attachmentLimits.textBytes) return null;
	const bytes = new Uint8Array(await text.arrayBuffer());
	return isText(bytes) ? new TextDecoder().decode(bytes) : null;
}

/** The key of a row as a text. */
export function keyIn(table: string, row: unknown): string {
	const { key } = definitions.get(table)!;
	return JSON.stringify([key].flat().map((field) => (row as Record<string, unknown>)[field]));
}
