/**
 * The most bytes of a packed file that are unpacked in one go. A browser unpacks each piece that it is given at once, to a thousand times its size at most (RFC 1951), and
 * holds up whatever reads it meanwhile.
 */
const pieceBytes = 4096;

/** Returns what a gzip file has in it, as a stream that unpacks no more than is read of it. It breaks off with a TypeError where the file is damaged. */
export function gunzip(file: Blob): ReadableStream<Uint8Array<ArrayBuffer>> {
	const pieces = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
		transform(bytes, controller) {
			for (let at = 0; at < bytes.length; at += pieceBytes) controller.enqueue(bytes.subarray(at, at + pieceBytes));
		}
	});
	return file.stream().pipeThrough(pieces).pipeThrough(new DecompressionStream('gzip'));
}
