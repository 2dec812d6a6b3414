import { Zip, ZipDeflate } from 'fflate';

/** A file that is packed, by its path in the archive. */
export interface PackedFile {
	path: string;
	content: () => Promise<Blob>;
}

/** Number of bytes of a file that are packed at a time. */
const piece = 262_144;

/** Packs files into a ZIP archive, a piece of one at a time, so that the page has its turns. Rejects where one can't be read. */
export async function packFiles(files: readonly PackedFile[]): Promise<Blob> {
	const pieces: Blob[] = [];
	const archive = new Zip((error, packed) => {
		if (error) throw error;
		pieces.push(new Blob([packed as Uint8Array<ArrayBuffer>]));
	});
	for (const { path, content } of files) {
		const packed = new ZipDeflate(path);
		archive.add(packed);
		const file = await content();
		for (let at = 0; at < file.size; at += piece) packed.push(new Uint8Array(await file.slice(at, at + piece).arrayBuffer()));
		packed.push(new Uint8Array(), true);
	}
	archive.end();
	return new Blob(pieces, { type: 'application/zip' });
}
