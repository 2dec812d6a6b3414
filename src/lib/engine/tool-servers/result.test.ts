import { expect, test } from 'vitest';
import { toResult } from './result';

/** The header of a PNG, in base64. */
function png(width: number, height: number): string {
	const header = new Uint8Array(29);
	header.set(Array.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', (letter) => letter.charCodeAt(0)));
	const view = new DataView(header.buffer);
	view.setUint32(16, width);
	view.setUint32(20, height);
	return btoa(String.fromCharCode(...header));
}

test('[R1] an image of more than 64 megapixels is named and not shown, others are', async () => {
	const content = [png(22_000, 22_000), png(8064, 6048)].map((data) => ({ type: 'image' as const, mimeType: 'image/png', data }));
	const { output, images } = await toResult({ content }, undefined);
	expect(output).toBe('[An image, image/png, 30 B, which Snug does not pass on]\n\n[An image, image/png, 29 B, which Snug shows to the user and does not pass on]');
	expect(images).toHaveLength(1);
});
