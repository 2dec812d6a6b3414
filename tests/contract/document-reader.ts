import { describe, expect, it } from 'vitest';
import { readDocument } from '../../src/lib/engine/attachments/documents/read-document';
import { documentContainer, headBytes, isText } from '../../src/lib/shared/media-type';

/** A small document that another program has made, and what is in it. */
export interface DocumentFixture {
	file(): Promise<Blob>;
	mediaType: string;
	unit?: string;
	count: number;
	text: string;
}

async function containerOf(file: Blob) {
	return documentContainer(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()))!;
}

const read = async (file: Blob, deadline?: number) => readDocument(file, await containerOf(file), deadline === undefined ? {} : { deadline });

/** Tests that hold for every document that can be read. */
export function describeDocumentReader(name: string, fixture: DocumentFixture): void {
	describe(`the reader of ${name}`, () => {
		it('[P3] gives the text of a file of another program, each part below its title, the same every time', async () => {
			const { mediaType, unit, count, text } = fixture;
			const expected = { mediaType, ...(unit && { unit }), count, text, read: count, whole: true };
			expect(await read(await fixture.file())).toEqual(expected);
			expect(await read(await fixture.file())).toEqual(expected);
		});

		it('[P3] refuses a file that is cut off, or changed anywhere, or gives text that can be sent', async () => {
			const bytes = new Uint8Array(await (await fixture.file()).arrayBuffer());
			const broken = [0.4, 0.9].map((share) => bytes.slice(0, bytes.length * share));
			for (const share of [0.3, 0.95]) broken.push(bytes.map((byte, index) => (index > 100 && index % 97 === Math.floor(share * 97) ? byte ^ 0x55 : byte)));
			for (const content of broken) {
				const document = await read(new Blob([content]));
				if ('refused' in document) expect(['damaged', 'encrypted', 'too-large', 'unknown']).toContain(document.refused);
				else expect(isText(new TextEncoder().encode(document.text))).toBe(true);
			}
		});

		it('[P3] has a deadline, and can be stopped', async () => {
			const file = await fixture.file();
			expect(await read(file, 0)).toEqual({ refused: 'late' });
			const stop = new AbortController();
			const reading = readDocument(file, await containerOf(file), { signal: stop.signal });
			stop.abort();
			await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
		});
	});
}
