import { headBytes, imageType } from '../shared/media-type';

/** The largest thumbnail of a file, in bytes, and its longest side, in pixels: those that Snug makes are smaller. */
const largest = 1_000_000;
const maxSide = 1024;

const types = ['image/webp', 'image/png', 'image/jpeg'];

/** Returns a thumbnail that came with a file if it is a small picture that can be drawn. Without one, the picture itself is shown. */
export async function thumbnailIn(file: Blob): Promise<Blob | undefined> {
	if (file.size > largest) return undefined;
	const type = imageType(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
	if (!type || !types.includes(type)) return undefined;
	const thumbnail = file.slice(0, file.size, type);
	const url = URL.createObjectURL(thumbnail);
	try {
		const image = new Image();
		// Its head tells the size, before anything is unpacked.
		const isLoaded = await new Promise<boolean>((resolve) => {
			image.onload = () => resolve(true);
			image.onerror = () => resolve(false);
			image.src = url;
		});
		if (!isLoaded || Math.max(image.naturalWidth, image.naturalHeight) > maxSide) return undefined;
		await image.decode();
		return thumbnail;
	} catch (error) {
		// What can't be decoded.
		if (error instanceof DOMException) return undefined;
		throw error;
	} finally {
		URL.revokeObjectURL(url);
	}
}
