import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imageSize, isTooLargeToDraw } from './image-size';

const latin = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));
const riff = (...chunk: number[]) => [...latin('RIFF\0\0\0\0WEBP'), ...chunk];
const gifFrame = [0x2c, 0, 0, 0, 0];

const starts = {
	png: latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
	gif: latin('GIF89a'),
	webp: riff(...latin('VP8X\x0a\0\0\0')),
	jpeg: [0xff, 0xd8, 0xff]
};

describe('imageSize', () => {
	it.each<[string, number[], [number, number]]>([
		['PNG', [...starts.png, 0, 0, 0x55, 0xf0, 0, 1, 0, 2], [22_000, 65_538]],
		['GIF', [...starts.gif, 0xff, 0xff, 1, 2, 0, 0, 0, 0x3b], [65_535, 513]],
		['GIF that ends after its screen', [...starts.gif, 3, 0, 4, 0, 0, 0, 0], [3, 4]],
		[
			'GIF whose first frame is wider than its screen, after a color table and an extension',
			[...starts.gif, 1, 0, 9, 0, 0x80, 0, 0, ...[0, 0, 0, 9, 9, 9], ...[0x21, 0xff, 2, 0x2c, 0x2c, 1, 0x2c, 0], ...gifFrame, 0, 1, 4, 0, 0],
			[256, 9]
		],
		['WebP, lossy', riff(...latin('VP8 \0\0\0\0'), 0, 0, 0, 0x9d, 1, 0x2a, 0x10, 0x67, 0x20, 0x40), [0x2710, 0x20]],
		['WebP, lossless', riff(...latin('VP8L\0\0\0\0'), 0x2f, 0xff, 0x7f, 0x00, 0x10), [16_384, 2]],
		['WebP, extended', riff(...latin('VP8X\x0a\0\0\0'), 0, 0, 0, 0, 0xef, 0x55, 0, 1, 0, 1), [22_000, 65_538]],
		[
			'JPEG, after a segment that has another in it, and padding',
			[...starts.jpeg, 0xe1, 0, 11, ...[0xff, 0xc0, 0, 8, 8, 0, 1, 0, 1], 0xff, 0xff, 0xc4, 0, 2, 0xff, 0xc2, 0, 17, 8, 0x17, 0xa0, 0x1f, 0x80],
			[8064, 6048]
		]
	])('[S11] reads %s', (_, bytes, [width, height]) => {
		expect(imageSize(new Uint8Array(bytes))).toEqual({ width, height });
	});

	it.each<[string, number[]]>([
		['no image', latin('hello')],
		['nothing', []],
		['a PNG without a header', [...latin('\x89PNG\r\n\x1a\n\0\0\0\rIDAT'), 0, 0, 0, 1, 0, 0, 0, 1]],
		['a PNG that is cut off', [...starts.png, 0, 0, 0, 1, 0, 0, 0]],
		['a WebP of another kind', riff(...latin('ALPH'), ...Array.from({ length: 40 }, () => 1))],
		['a JPEG whose picture comes before its frame header', [...starts.jpeg, 0xda, 0, 2, 0xff, 0xc0, 0, 8, 8, 0, 1, 0, 1]],
		['a JPEG of empty segments', [...starts.jpeg, 0xe0, 0, 0, 0xff, 0xe0, 0, 0]]
	])('[S11] leaves %s to decoding', (_, bytes) => {
		expect(imageSize(new Uint8Array(bytes))).toBeUndefined();
	});

	it('[S11] looks at its own bytes only', () => {
		const whole = new Uint8Array([1, 2, 3, ...starts.png, 0, 0, 0, 5, 0, 0, 0, 6]);
		expect(imageSize(whole.subarray(3))).toEqual({ width: 5, height: 6 });
		expect(imageSize(whole.subarray(3, 26))).toBeUndefined();
	});

	it('[S11] ends with a size or none, whatever the bytes', () => {
		const start = fc.constantFrom([], ...Object.values(starts), riff(...latin('VP8 ')), riff(...latin('VP8L')));
		const byte = fc.oneof(fc.constantFrom(0, 1, 0x21, 0x2c, 0xc0, 0xda, 0xff), fc.nat(255));
		fc.assert(
			fc.property(start, fc.array(byte, { maxLength: 200 }), (start, rest) => {
				const size = imageSize(new Uint8Array([...start, ...rest]));
				if (size) expect(Number.isSafeInteger(size.width) && Number.isSafeInteger(size.height)).toBe(true);
			}),
			{ numRuns: 2000 }
		);
	});
});

describe('isTooLargeToDraw', () => {
	it('[S11] lets the pictures of cameras pass', () => {
		expect(isTooLargeToDraw({ width: 8064, height: 6048 })).toBe(false);
		expect(isTooLargeToDraw({ width: 10_000, height: 6400 })).toBe(false);
		expect(isTooLargeToDraw({ width: 10_000, height: 6401 })).toBe(true);
		expect(isTooLargeToDraw({ width: 2 ** 32 - 1, height: 1 })).toBe(true);
	});
});
