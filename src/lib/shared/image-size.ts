import { imageType } from './media-type';

/** Width and height of an image, in pixels. */
export interface ImageSize {
	width: number;
	height: number;
}

/** The most pixels of an image that is drawn. */
export const maxPixels = 64_000_000;

/** Tells whether an image has so many pixels that drawing it would stall the page, however few bytes it has. */
export function isTooLargeToDraw({ width, height }: ImageSize): boolean {
	return width * height > maxPixels;
}

/** Reads the size of an image from its header, before anything is decoded; undefined where that does not tell. */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return unlessShort(() => readers[imageType(bytes) ?? '']?.(view));
}

/** Calls `read`, and returns undefined where it reads beyond the end of a file. */
function unlessShort<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

/** Readers of a size by media type. They throw a RangeError where the file ends before it. */
const readers: Record<string, (view: DataView) => ImageSize | undefined> = {
	'image/png': (view) => (nameAt(view, 12) === 'IHDR' ? { width: view.getUint32(16), height: view.getUint32(20) } : undefined),
	'image/gif': sizeOfGif,
	'image/webp': sizeOfWebp,
	'image/jpeg': sizeOfJpeg
};

/** The larger of the screen and the first frame: browsers widen a screen that is too small. */
function sizeOfGif(view: DataView): ImageSize {
	const screen = sizeAt(view, 6);
	const frame = unlessShort(() => firstFrameOfGif(view)) ?? screen;
	return { width: Math.max(screen.width, frame.width), height: Math.max(screen.height, frame.height) };
}

/** The size of the first frame, which extensions may precede. */
function firstFrameOfGif(view: DataView): ImageSize | undefined {
	let at = 13 + colorBytes(view.getUint8(10));
	while (view.getUint8(at) === 0x21) {
		for (at += 2; view.getUint8(at) > 0; at += 1 + view.getUint8(at));
		at++;
	}
	return view.getUint8(at) === 0x2c ? sizeAt(view, at + 5) : undefined;
}

/** The bytes of a color table, by the flags that stand before it. */
function colorBytes(flags: number): number {
	return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function sizeOfWebp(view: DataView): ImageSize | undefined {
	switch (nameAt(view, 12)) {
		case 'VP8 ': {
			const { width, height } = sizeAt(view, 26);
			return { width: width & 0x3fff, height: height & 0x3fff };
		}
		case 'VP8L': {
			const bits = view.getUint32(21, true);
			return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
		}
		case 'VP8X':
			// Three bytes each; what stands before the height is shifted out.
			return { width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 };
	}
	return undefined;
}

/** The size in the first frame header, which segments of any other kind may precede. */
function sizeOfJpeg(view: DataView): ImageSize | undefined {
	for (let at = 2; ; ) {
		while (view.getUint8(at) !== 0xff) at++;
		while (view.getUint8(at) === 0xff) at++;
		const marker = view.getUint8(at++);
		// Those that stand alone, and a byte that is no marker.
		if (marker <= 1 || (marker >= 0xd0 && marker <= 0xd9)) continue;
		const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
		if (isFrame) return { width: view.getUint16(at + 5), height: view.getUint16(at + 3) };
		if (marker === 0xda) return undefined;
		at += view.getUint16(at);
	}
}

/** Width and height in 16 bits each, the lower byte first. */
function sizeAt(view: DataView, at: number): ImageSize {
	return { width: view.getUint16(at, true), height: view.getUint16(at + 2, true) };
}

/** The name of a chunk, in four letters. */
function nameAt(view: DataView, at: number): string {
	return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));
}
