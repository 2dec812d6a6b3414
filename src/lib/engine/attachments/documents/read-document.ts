import type { DocumentContainer } from '../../../shared/media-type';
import type { Refusal } from './document';
import type { ReadReply, ReadRequest } from './serve-reader';

/** Times that a reader may take to start, which no file decides, and then to read, in milliseconds. */
const startMs = 30_000;
const deadlineMs = 60_000;

/** The text of a document, or why there is none: `late` where it took too long, `lost` where the reader could not be loaded, or ran out of memory. */
export type ReadDocument = Exclude<ReadReply, 'begins' | { failed: string } | { refused: Refusal }> | { refused: Refusal | 'late' | 'lost' };

/** The workers that read documents. Each loads all that it needs with itself: what a worker imports later is not precached. */
const workers: Record<DocumentContainer | 'page', () => Worker> = {
	pdf: () => new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module', name: 'pdf' }),
	zip: () => new Worker(new URL('./archive-worker.ts', import.meta.url), { type: 'module', name: 'archive' }),
	page: () => new Worker(new URL('./page-worker.ts', import.meta.url), { type: 'module', name: 'page' })
};

/**
 * Reads the text of a document in a worker of its own, which ends with it: its parts decide how long that takes, so there is a deadline. Rejects with the signal's reason when
 * it is aborted, and where the reader has a bug. `address` is that of a page.
 */
export async function readDocument(
	file: Blob,
	container: DocumentContainer | 'page',
	{ signal, deadline = deadlineMs, address }: { signal?: AbortSignal; deadline?: number; address?: string } = {}
): Promise<ReadDocument> {
	signal?.throwIfAborted();
	const worker = workers[container]();
	const { port1: port, port2 } = new MessageChannel();
	let timer: ReturnType<typeof setTimeout> | undefined;
	try {
		return await new Promise<ReadDocument>((resolve, reject) => {
			timer = setTimeout(() => resolve({ refused: 'lost' }), startMs);
			signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
			port.onmessage = ({ data }: MessageEvent<ReadReply>) => {
				if (data === 'begins') {
					clearTimeout(timer);
					timer = setTimeout(() => resolve({ refused: 'late' }), deadline);
				} else if ('failed' in data) reject(new Error(data.failed));
				else resolve(data);
			};
			worker.onerror = () => resolve({ refused: 'lost' });
			worker.postMessage({ file, port: port2, ...(address !== undefined && { address }) } satisfies ReadRequest, [port2]);
		});
	} finally {
		clearTimeout(timer);
		port.close();
		worker.terminate();
	}
}
