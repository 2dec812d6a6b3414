import { AppError } from '../shared/app-error';
import type { SearchOptions, SearchResult } from './hit';

/** A request to the worker; it answers each with a `SearchReply` of the same number. */
export interface SearchRequest {
	number: number;
	text: string;
	options: SearchOptions;
}

export type SearchReply = { number: number } & ({ result: SearchResult } | { failed: string });

/** The page's side of the search: the index lives in a worker, which is started when it is first needed. */
export class SearchClient {
	private worker: Worker | undefined;
	private asked = 0;
	private readonly waiting = new Map<number, (reply: SearchReply) => void>();

	constructor(private readonly createWorker: () => Worker) {}

	/** Starts the worker, which then keeps the index in step with what is stored. */
	start(): Worker {
		if (this.worker) return this.worker;
		const worker = this.createWorker();
		worker.onmessage = ({ data }: MessageEvent<SearchReply>) => this.settle(data);
		worker.onerror = () => this.lose();
		return (this.worker = worker);
	}

	/** Rejects with an AppError where the index can't be read. The next search starts over. */
	async search(text: string, options: SearchOptions = {}): Promise<SearchResult> {
		const number = ++this.asked;
		const reply = new Promise<SearchReply>((resolve) => this.waiting.set(number, resolve));
		this.start().postMessage({ number, text, options } satisfies SearchRequest);
		const answer = await reply;
		if ('result' in answer) return answer.result;
		throw new AppError('search-failed', 'The search index can’t be read. Search again; if that does not help, rebuild it under Settings, Storage.', {
			retryable: true,
			cause: answer.failed
		});
	}

	private settle(reply: SearchReply): void {
		this.waiting.get(reply.number)?.(reply);
		this.waiting.delete(reply.number);
	}

	private lose(): void {
		this.worker?.terminate();
		this.worker = undefined;
		for (const number of [...this.waiting.keys()]) this.settle({ number, failed: 'the worker ended' });
	}
}
