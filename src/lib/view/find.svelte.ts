import { untrack } from 'svelte';
import { search } from '../app/search';
import type { Hit, SearchResult } from '../search/hit';
import type { WordMark } from '../search/marks';
import type { AppError } from '../shared/app-error';
import { failureOf } from './attempt';
import { Live } from './live.svelte';

/** Number of hits that are asked for at a time: as many as the index gives. */
const pageSize = 200;

/** Finds the words of a search in a text, in order. */
export type Marker = (text: string) => WordMark[];

/** A search in one session: the messages of all its branches that have the words, in order of place [E7]. */
export class Find {
	query = $state('');
	/** Those that have come so far. */
	hits = $state.raw<Hit[]>([]);
	/** Number of hits. */
	total = $state(0);
	/** Answer of the index to the query; undefined while there is none. */
	result = $state.raw<SearchResult | undefined>();
	/** Reason why there is no answer. */
	problem = $state.raw<AppError | undefined>();
	/** Undefined where nothing is looked for. */
	marker = $state.raw<Marker | undefined>();

	/** The query that all hits have come for; while the index is still read and there are none, the one before. */
	answered = $state('');

	private asked = 0;
	private readonly written = new Live(readWritten);

	constructor(private readonly sessionId: string) {}

	/** Returns the index of the message's hit, from 0; -1 for none. */
	placeOf(messageId: string | undefined): number {
		return this.hits.findIndex((hit) => hit.messageId === messageId);
	}

	/** For an effect: looks for what is asked now, and again whenever something was written, in any tab, or the index has read on. */
	follow(): void {
		const { query, written } = this;
		void written.current;
		if (!written.loading) untrack(() => void this.look(query));
	}

	/** Asks for all hits, page by page. An answer to what is not asked any more is dropped. */
	private async look(text: string): Promise<void> {
		const number = ++this.asked;
		if (text.trim() === '') {
			this.hits = [];
			this.total = 0;
			this.result = this.problem = this.marker = undefined;
			this.answered = '';
			return;
		}
		try {
			await this.read(text, () => this.asked === number);
		} catch (error) {
			const failure = failureOf(error);
			if (this.asked === number) this.problem = failure;
		}
	}

	private async read(text: string, isWanted: () => boolean): Promise<void> {
		const hits: Hit[] = [];
		for (let offset = 0; ; offset += pageSize) {
			const result = await search.find(text, { sessionId: this.sessionId, kind: 'message', order: 'place', limit: pageSize, offset });
			if (offset === 0) {
				const marker = await search.marker(text, result.corrections);
				if (!isWanted()) return;
				this.result = result;
				this.marker = result.refused === undefined ? marker : undefined;
				this.problem = undefined;
			}
			if (!isWanted()) return;
			hits.push(...result.hits);
			this.total = result.total;
			const isLast = offset + pageSize >= result.total;
			// What was found before stays until as much is known of it again.
			if (isLast || this.answered !== text || hits.length > this.hits.length) this.hits = [...hits];
			if (isLast) break;
		}
		if (this.hits.length > 0 || !this.result?.progress) this.answered = text;
	}
}

async function readWritten(): Promise<unknown[]> {
	const last = await search.lastChange();
	const progress = await search.progress();
	return [last, progress?.whole === false && progress.done];
}
