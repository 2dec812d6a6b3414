import { resolve } from '$app/paths';
import { untrack } from 'svelte';
import { search } from '../app/search';
import { hitAddress } from '../search/address';
import type { Hit, SearchResult } from '../search/hit';
import type { SearchFilter } from '../search/index/filter';
import type { SearchOrder } from '../search/index/rank';
import { AppError } from '../shared/app-error';
import { Live } from './live.svelte';
import { panel } from './panel.svelte';
import { searchWords } from './search-words';

/** A query, and the number of hits that are wanted. */
export interface Question {
	text: string;
	filter: SearchFilter;
	order: SearchOrder;
	reach: number;
}

/** An answer, and whether there is more than was asked for. */
export interface Found extends SearchResult {
	question: Question;
	more: boolean;
}

/** Number of hits that the index gives at a time. */
const atATime = 200;

const lastChange = new Live(() => search.lastChange());
const indexed = new Live(() => search.progress());

/**
 * A search and its results. One question is under way at a time: where more is typed meanwhile, the newest comes next and
 * the answer to the older one is dropped. The last answer stays until the next one is there.
 */
export class Search {
	private answer = $state.raw<Found | undefined>();
	private problem = $state.raw<AppError | undefined>();
	private known = $state.raw<string[]>([]);
	private wanted: Question | undefined;
	private working: Promise<void> | undefined;
	private readonly growing = $derived(this.answer?.progress !== undefined);

	/** The latest answer; undefined before the first, and where nothing is looked for. */
	get found(): Found | undefined {
		return this.answer;
	}

	/** The models that there are to choose from. */
	get models(): string[] {
		return this.known;
	}

	/** Reason why the last question has no answer. */
	get failure(): AppError | undefined {
		return this.problem;
	}

	/** Resolves when what was asked last is answered. Without a word in it there is nothing to ask, and nothing is loaded. */
	async ask(question: Question): Promise<void> {
		this.wanted = question.text.trim() === '' ? undefined : question;
		if (!this.wanted) this.show(undefined);
		else await (this.working ??= this.work());
	}

	/** Resolves when nothing is under way. */
	async settled(): Promise<void> {
		await this.working;
	}

	/** Asks the same once more. */
	async refresh(): Promise<void> {
		if (this.wanted) await this.ask({ ...this.wanted });
	}

	/** Keeps the answer in step with what is written, in any tab, and with the index while that is made. For an effect. */
	follow(): void {
		void lastChange.current;
		if (this.growing) void indexed.current;
		untrack(() => void this.refresh());
	}

	private async work(): Promise<void> {
		try {
			for (let asked: Question | undefined; this.wanted && asked !== this.wanted; ) {
				asked = this.wanted;
				const answer = await read(asked).catch(refusal);
				if (asked === this.wanted) this.show(answer);
			}
		} finally {
			this.working = undefined;
		}
	}

	private show(answer: Found | AppError | undefined): void {
		this.problem = answer instanceof AppError ? answer : undefined;
		this.answer = answer instanceof AppError ? undefined : answer;
		if (this.answer?.models.length) this.known = this.answer.models;
	}
}

function refusal(error: unknown): AppError {
	if (!(error instanceof AppError)) throw error;
	return error;
}

async function read(question: Question): Promise<Found> {
	const { text, filter, order, reach } = question;
	// Something may be written between two of these, and move what is found to another place.
	const hits: Record<string, Hit> = {};
	for (let offset = 0; ; ) {
		const limit = Math.min(reach - offset, atATime);
		const result = await search.find(text, { ...filter, order, limit, offset });
		for (const hit of result.hits) hits[keyOf(hit)] = hit;
		offset += limit;
		const ended = offset >= result.total;
		if (ended || offset >= reach) return { ...result, hits: Object.values(hits), question, more: !ended };
	}
}

/** Tells a hit from all others. */
export function keyOf({ kind, id }: Hit): string {
	return `${kind} ${id}`;
}

/** Returns the address of a hit: its session, at its message, with the key of the query. */
export function addressOf(hit: Hit, text: string): ReturnType<typeof resolve> {
	return `${resolve('/(app)/(chat)/s/[id]', { id: hit.sessionId })}${hitAddress(hit, text, searchWords)}` as ReturnType<typeof resolve>;
}

/** To be called when a hit is opened here: a note is in its panel. */
export function openPanelOf({ kind }: Hit): void {
	if (kind === 'note') panel.open = 'notes';
}

/** Names who said it, or what of its session it is. */
export function voiceOf({ kind, role, note }: Hit): string {
	switch (kind) {
		case 'title':
			return 'Chat';
		case 'label':
			return 'Label';
		case 'note':
			return note === undefined ? 'Note' : `Note “${note}”`;
		case 'message':
			return role === 'user' ? 'You' : role === 'tool' ? 'Tool' : 'Assistant';
	}
}

/** Formats the number of hits. */
export function countOf({ total }: SearchResult): string {
	return total === 1 ? 'One result' : `${total.toLocaleString()} results`;
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** Describes the words that were searched in the place of others, which are nowhere, a sentence each. */
export function correctionsOf({ corrections }: Pick<SearchResult, 'corrections'>): string[] {
	return corrections.filter(({ word, to }) => !to.includes(word.toLowerCase())).map(correctionOf);
}

export function correctionOf({ word, to }: SearchResult['corrections'][number]): string {
	return `No result has “${word}”. These have ${alternatives.format(to.map((other) => `“${other}”`))}.`;
}

/** Returns the share of everything that the index has read, in whole percent. */
export function percentOf({ done, total }: { done: number; total: number }): number {
	return total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total));
}
