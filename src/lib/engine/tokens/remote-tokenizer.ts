import type { Countable, PromptFrame, Tokenizer } from './tokenizer';

/** A tokenizer in a worker, since building one and counting with it would hold up the page. */
export interface RemoteTokenizer {
	frame: PromptFrame;
	/** Undefined if the worker has failed, or was closed. */
	count: (items: Countable[]) => Promise<number[] | undefined>;
	close: () => void;
}

/** A message to the worker, first what to open; each is answered in turn. */
type Request<Subject> = { open: Subject } | { count: Countable[] };
type Reply = { frame: PromptFrame | undefined } | { counts: number[] } | { failed: string };

/** The part of a worker's global scope that is used. */
export interface WorkerScope<Subject> {
	onmessage: ((event: MessageEvent<Request<Subject>>) => void) | null;
	postMessage: (reply: Reply) => void;
}

/** The worker's side: answers with the tokenizer that `open` makes of the subject; undefined where there is none for it. */
export function serveTokenizer<Subject>(scope: WorkerScope<Subject>, open: (subject: Subject) => Promise<Tokenizer | undefined>): void {
	let opened: Promise<Tokenizer | undefined>;
	scope.onmessage = ({ data }) => void answer(data).then(scope.postMessage, (error: unknown) => scope.postMessage({ failed: String(error) }));

	async function answer(request: Request<Subject>): Promise<Reply> {
		if ('open' in request) opened = open(request.open);
		const tokenizer = await opened;
		return 'open' in request ? { frame: tokenizer?.frame } : { counts: request.count.map((item) => tokenizer!.count(item)) };
	}
}

/**
 * The page's side. Undefined if there is no tokenizer for the subject, or the worker can't be started or can't load what
 * it needs, as without a network; then it has ended.
 */
export async function openRemote<Subject>(worker: Worker, subject: Subject): Promise<RemoteTokenizer | undefined> {
	const waiting: ((reply: Reply | undefined) => void)[] = [];
	let open = true;
	const close = () => {
		open = false;
		worker.terminate();
		for (const settle of waiting.splice(0)) settle(undefined);
	};
	const ask = (request: Request<Subject>) => {
		return new Promise<Reply | undefined>((resolve) => {
			if (!open) return resolve(undefined);
			waiting.push(resolve);
			worker.postMessage(request);
		});
	};
	worker.onmessage = ({ data }: MessageEvent<Reply>) => {
		if ('failed' in data) close();
		else waiting.shift()?.(data);
	};
	worker.onerror = close;

	const reply = await ask({ open: subject });
	const frame = reply && 'frame' in reply ? reply.frame : undefined;
	if (!frame) {
		close();
		return undefined;
	}
	const count = async (items: Countable[]) => {
		const reply = await ask({ count: items });
		return reply && 'counts' in reply ? reply.counts : undefined;
	};
	return { frame, count, close };
}
