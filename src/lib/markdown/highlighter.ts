import type { LanguageRegistration } from 'shiki/core';
import { languages, nameOf, type Language } from './languages';

/** Code longer than this, in characters, stays plain: nobody reads its colours. */
export const maxCode = 100_000;

/** Milliseconds that the worker may take for code of up to so many characters, and again for as many more. */
const deadlineMs = 1000;
const deadlineCharacters = 5_000;

/** Milliseconds that the worker may take to start and to make a grammar ready, which no text decides. */
const startMs = 30_000;

/** One piece of work; `grammar` comes with the first of a language. */
export interface HighlightRequest {
	code: string;
	name: string;
	grammar?: LanguageRegistration[];
}

/** `begins` is said when everything is ready for the code itself. */
export type HighlightReply = 'begins' | { html: string | null } | { failed: string };

/** HTML of the code; null for what stays plain: in a language that is unknown, too long, in too many colours, or too hard to read in time. */
export type Highlighted = { html: string | null; late: boolean };

/**
 * The page's side of highlighting. The grammars' patterns can take for ever on a few characters, so they run in a worker, one block at a
 * time, which is terminated when a block takes longer than its deadline. The next block gets a new one.
 */
export class Highlighter {
	private worker: Worker | undefined;
	/** The languages that the worker knows. */
	private known = new Set<Language>();
	private last: Promise<unknown> = Promise.resolve();

	constructor(private readonly createWorker: () => Worker) {}

	/** Rejects if the grammar can't be fetched or the worker fails. */
	async highlight(code: string, language: string): Promise<Highlighted> {
		const name = nameOf(language);
		if (name === null || code.length > maxCode) return { html: null, late: false };
		const turn = this.last.then(() => this.work(code, name));
		this.last = turn.catch(() => undefined);
		return turn;
	}

	/** Lets the worker go; the next block starts another one. */
	stop(): void {
		this.worker?.terminate();
		this.worker = undefined;
		this.known.clear();
	}

	private async work(code: string, name: Language): Promise<Highlighted> {
		// The page fetches grammars, since it has them all without a network; a worker's own imports are not precached.
		const grammar = this.known.has(name) ? undefined : (await languages[name]()).default;
		const worker = (this.worker ??= this.createWorker());
		try {
			const html = await ask(worker, { code, name, ...(grammar && { grammar }) });
			this.known.add(name);
			if (html === undefined) this.stop();
			return { html: html ?? null, late: html === undefined };
		} catch (cause) {
			this.stop();
			throw cause;
		}
	}
}

/** Resolves with HTML, null where it would be too much, or with undefined when the deadline has passed. */
function ask(worker: Worker, request: HighlightRequest): Promise<string | null | undefined> {
	return new Promise((resolve, reject) => {
		const limit = deadlineMs * Math.ceil(request.code.length / deadlineCharacters);
		let timer: ReturnType<typeof setTimeout> = setTimeout(() => reject(new Error('The worker does not start.')), startMs);
		worker.onmessage = ({ data }: MessageEvent<HighlightReply>) => {
			clearTimeout(timer);
			// When the page itself was busy until now, what the worker has said meanwhile comes after the timer.
			if (data === 'begins') timer = setTimeout(() => (timer = setTimeout(() => resolve(undefined), 50)), limit);
			else if ('html' in data) resolve(data.html);
			else reject(new Error(data.failed));
		};
		worker.onerror = (event) => {
			clearTimeout(timer);
			reject(new Error(event.message || 'The worker failed.'));
		};
		worker.postMessage(request);
	});
}
