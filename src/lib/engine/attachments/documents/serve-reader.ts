import { collectText, type CollectedText } from './collect-text';
import { Refused, type OpenDocument, type Refusal } from './document';

/** A file to read, and where the answer goes: a library that a reader uses may speak on the worker's own channel. */
export interface ReadRequest {
	file: Blob;
	/** The address of a page, which its links start from. */
	address?: string;
	port: MessagePort;
}

/** A document's text; `begins` is said when the worker is ready for the file itself. */
export type ReadReply = 'begins' | (CollectedText & Pick<OpenDocument, 'mediaType' | 'unit' | 'count'>) | { refused: Refusal } | { failed: string };

/** The worker's side: reads each file that it is sent with `open`. */
export function serveReader(open: (bytes: Uint8Array<ArrayBuffer>, address?: string) => OpenDocument | Promise<OpenDocument>): void {
	self.addEventListener('message', ({ data }: MessageEvent<Partial<ReadRequest>>) => {
		const { file, address, port } = data;
		if (!file || !port) return;
		const reply = (answer: ReadReply) => port.postMessage(answer);
		reply('begins');
		read(file, address).then(reply, (error: unknown) => reply(error instanceof Refused ? { refused: error.reason } : { failed: String(error) }));
	});

	async function read(file: Blob, address?: string): Promise<ReadReply> {
		const document = await open(new Uint8Array(await file.arrayBuffer()), address);
		const { mediaType, unit, count } = document;
		return { ...(await collectText(document)), mediaType, ...(unit && { unit }), count };
	}
}
