import { Zip, ZipDeflate } from 'fflate';

/** A file that is packed, by its path in the archive. */
export interface PackedFile {
	path: string;
	content: () => Promise<Blob>;
}

/** Packs files into a ZIP archive, a piece of one at a time, so that the page has its turns. Rejects where one can't be read. */
export async function packFiles(files: readonly PackedFile[]): Promise<Blob> {
	const pieces: Blob[] = [];
	const archive = new Zip((error, piece) => {
		if (error) throw error;
		pieces.push(new Blob([piece as Uint8Array<ArrayBuffer>]));
	});
	for (const { path, content } of files) {
		const packed = new ZipDeflate(path);
		archive.add(packed);
		const reader = (await content()).stream().getReader();
		for (let part = await reader.read(); !part.done; part = await reader.read()) packed.push(part.value);
		packed.push(new Uint8Array(), true);
	}
	archive.end();
	return new Blob(pieces, { type: 'application/zip' });
}
