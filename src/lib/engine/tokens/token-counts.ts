import { estimateCounter, estimateMessage, estimateTokens, factorFrom } from '../../context/estimate';
import { unsentId } from '../../context/plan';
import type { TokenCounter } from '../../context/token-counter';
import type { Message, Part } from '../../conversation/message';
import { textOfTypes } from '../../conversation/part-text';
import { AppError } from '../../shared/app-error';
import type { Calibration } from '../../storage/tables/calibrations';
import type { OpenAiEncoding } from './openai-encoding';
import { openRemote, type RemoteTokenizer } from './remote-tokenizer';
import type { Countable } from './tokenizer';

type Counted = Pick<Message, 'id' | 'role' | 'parts'>;

/** The vocabulary of a model: that in its file on this device, which is exact, or one that its maker has published. */
export type ModelVocabulary = { file: () => Promise<File> } | { encoding: OpenAiEncoding };

/** The model to count for: `key` as in `ModelProfile`; without a vocabulary it is counted by estimate. */
export interface CountedModel {
	key: string;
	vocabulary: ModelVocabulary | undefined;
}

/** A counter, and what a prompt takes besides its messages and texts, such as the start of the answer. */
export interface PromptCounter extends TokenCounter {
	frame: (hasSystem: boolean) => number;
}

/** The model whose vocabulary is wanted. */
export type VocabularySource = { file: File } | { encoding: OpenAiEncoding };

interface CountsOptions {
	open?: (source: VocabularySource) => Promise<RemoteTokenizer | undefined>;
	/** Number of numbers that are remembered. */
	most?: number;
	/** The longest time that a counter keeps its caller waiting before it is one by estimate, in milliseconds. */
	timeoutMs?: number;
}

/** So many characters go to the worker at a time, and so many texts are remembered by themselves. */
const batchLength = 256 * 1024;
const maxTexts = 200;

/** A guessed frame is at least none, and no template puts more around a message than this, in tokens. */
const maxFrame = 60;

/**
 * Counts tokens by the model's own vocabulary where there is one: in its file on this device, or published by OpenAI.
 * What was counted is remembered as long as the page lives, by model and message: stored messages do not change, but for
 * redactions, which are counted again, as is what was not sent yet.
 */
export class TokenCounts {
	private readonly open: NonNullable<CountsOptions['open']>;
	private readonly most: number;
	private readonly timeoutMs: number;
	private readonly counts = new Map<string, number>();
	private readonly texts = new Map<string, number>();
	/** By model: what was counted, and what the same is by estimate. */
	private readonly sums = new Map<string, { counted: number; estimated: number }>();
	/** By model whose frame is a guess: what a message takes on top of it. */
	private readonly excess = new Map<string, number>();
	private opened: { key: string; tokenizer: Promise<RemoteTokenizer | undefined> } | undefined;
	private counting: Promise<unknown> = Promise.resolve();

	constructor({ open = openInWorker, most = 50_000, timeoutMs = 3000 }: CountsOptions = {}) {
		this.open = open;
		this.most = most;
		this.timeoutMs = timeoutMs;
	}

	/**
	 * A counter that is ready for whole `messages` and `texts`; anything else, such as a message that was cut, it estimates
	 * from them. Counts by estimate alone where there is no vocabulary, or it can't be had in time.
	 */
	async counterFor(
		model: CountedModel,
		messages: readonly Counted[],
		texts: readonly string[],
		calibration: Calibration | undefined,
		fileTokens: (attachmentId: string) => number
	): Promise<PromptCounter> {
		const ready = await inTime(this.prepare(model, messages, texts), this.timeoutMs);
		if (!ready) return { ...estimateCounter(factorFrom(calibration?.samples ?? []), fileTokens), frame: (hasSystem) => (hasSystem ? estimateMessage({ role: 'system', parts: [] }) : 0) };
		const { tokenizer, byParts, byText } = ready;
		const { counted, estimated } = this.sums.get(model.key) ?? { counted: 1, estimated: 1 };
		const guessed = estimateCounter(counted / estimated, fileTokens);
		const excess = tokenizer.frame.known ? 0 : (this.excess.get(model.key) ?? 0);
		return {
			kind: model.vocabulary && 'file' in model.vocabulary ? 'exact' : 'tokenizer',
			message: (message) => {
				const tokens = byParts.get(message.parts);
				if (tokens === undefined) return Math.max(1, guessed.message(message));
				return Math.max(1, Math.round(tokens + excess) + filesTokens(message, fileTokens));
			},
			text: (text) => (text === '' ? 0 : (byText.get(text) ?? guessed.text(text))),
			frame: (hasSystem) => (hasSystem ? tokenizer.frame.withSystem : tokenizer.frame.withoutSystem)
		};
	}

	/** Corrects a guessed frame by what a prompt of so many messages was counted as, and what the engine then reported. */
	learn(key: string, { messages, shown, actual }: { messages: number; shown: number; actual: number }): void {
		if (messages < 1) return;
		const excess = (this.excess.get(key) ?? 0) + (actual - shown) / messages;
		this.excess.set(key, Math.min(maxFrame, Math.max(-5, excess)));
	}

	private async prepare(model: CountedModel, messages: readonly Counted[], texts: readonly string[]) {
		const tokenizer = await this.tokenizerOf(model);
		if (!tokenizer) return undefined;
		// One after the other, so that nothing is counted twice.
		const work = this.counting.then(async () => {
			const byParts = await this.countMessages(model.key, tokenizer, messages);
			const byText = byParts && (await this.countTexts(model.key, tokenizer, texts));
			return byText && { tokenizer, byParts, byText };
		});
		this.counting = work.catch(() => undefined);
		const ready = await work;
		// It has failed; the next call starts over.
		if (!ready && this.opened?.key === model.key) this.opened = undefined;
		return ready;
	}

	/** One vocabulary is kept at a time: each takes tens of megabytes. */
	private tokenizerOf({ key, vocabulary }: CountedModel): Promise<RemoteTokenizer | undefined> {
		if (this.opened?.key === key) return this.opened.tokenizer;
		if (!vocabulary) return Promise.resolve(undefined);
		void this.opened?.tokenizer.then((before) => before?.close());
		const isPublished = 'encoding' in vocabulary;
		const tokenizer = isPublished ? this.open(vocabulary) : this.openFile(vocabulary.file);
		const opened = (this.opened = { key, tokenizer });
		const forget = () => {
			// A failed load is tried again, as it may have been the network; a file without a usable vocabulary stays one.
			if (isPublished && this.opened === opened) this.opened = undefined;
		};
		void tokenizer.then((one) => one ?? forget(), forget);
		return tokenizer;
	}

	private async openFile(file: () => Promise<File>): Promise<RemoteTokenizer | undefined> {
		try {
			return await this.open({ file: await file() });
		} catch (error) {
			// That it is gone is said where the model is loaded.
			if (error instanceof AppError) return undefined;
			throw error;
		}
	}

	private async countMessages(
		key: string,
		tokenizer: RemoteTokenizer,
		messages: readonly Counted[]
	): Promise<Map<readonly Part[], number> | undefined> {
		const byParts = new Map<readonly Part[], number>();
		const wanted: { message: Counted; item: Required<Countable> }[] = [];
		for (const message of messages) {
			const known = isKept(message) ? this.counts.get(cacheKey(key, message.id)) : undefined;
			if (known === undefined) wanted.push({ message, item: { role: message.role, text: wordsOf(message) } });
			else byParts.set(message.parts, known);
		}
		for (const batch of batches(wanted)) {
			const counts = await tokenizer.count(batch.map(({ item }) => item));
			if (!counts) return undefined;
			for (const [index, { message }] of batch.entries()) {
				const count = counts[index]!;
				byParts.set(message.parts, count);
				this.compare(key, count, estimateMessage({ ...message, parts: message.parts.filter(({ type }) => type !== 'file') }));
				if (isKept(message)) remember(this.counts, cacheKey(key, message.id), count, this.most);
			}
		}
		return byParts;
	}

	private async countTexts(key: string, tokenizer: RemoteTokenizer, texts: readonly string[]): Promise<Map<string, number> | undefined> {
		const wanted = texts.filter((text) => text !== '' && !this.texts.has(cacheKey(key, text)));
		const counts = wanted.length > 0 ? await tokenizer.count(wanted.map((text) => ({ text }))) : [];
		if (!counts) return undefined;
		const byText = new Map(texts.map((text) => [text, this.texts.get(cacheKey(key, text)) ?? 0]));
		for (const [index, text] of wanted.entries()) {
			byText.set(text, counts[index]!);
			this.compare(key, counts[index]!, estimateTokens(text));
			remember(this.texts, cacheKey(key, text), counts[index]!, maxTexts);
		}
		return byText;
	}

	private compare(key: string, counted: number, estimated: number): void {
		const sums = this.sums.get(key) ?? { counted: 0, estimated: 0 };
		this.sums.set(key, { counted: sums.counted + counted, estimated: sums.estimated + estimated });
	}
}

function openInWorker(source: VocabularySource): Promise<RemoteTokenizer | undefined> {
	return 'file' in source
		? openRemote(new Worker(new URL('../local/gguf-tokens-worker.ts', import.meta.url), { type: 'module' }), source.file)
		: openRemote(new Worker(new URL('./openai-tokens-worker.ts', import.meta.url), { type: 'module' }), source.encoding);
}

/** Waits for the work; undefined if that takes longer than so many milliseconds. */
function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => resolve(undefined), timeoutMs);
		void work.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}

function cacheKey(model: string, what: string): string {
	return `${model}\n${what}`;
}

function isKept({ id, parts }: Counted): boolean {
	return id !== unsentId && !parts.some(({ type }) => type === 'redacted' || type === 'unreadable');
}

/** The oldest entry makes room. */
function remember(map: Map<string, number>, key: string, count: number, most: number): void {
	map.set(key, count);
	if (map.size > most) map.delete(map.keys().next().value!);
}

function* batches<T extends { item: Countable }>(all: readonly T[]): Generator<T[]> {
	let batch: T[] = [];
	let length = 0;
	for (const one of all) {
		batch.push(one);
		length += one.item.text.length;
		if (length < batchLength) continue;
		yield batch;
		batch = [];
		length = 0;
	}
	if (batch.length > 0) yield batch;
}

/** The words that are sent of a message. */
function wordsOf({ parts, role }: Counted): string {
	return textOfTypes(parts, role === 'system' ? sentTypes : [...sentTypes, 'redacted', 'unreadable']);
}

const sentTypes: Part['type'][] = ['text', 'tool-call', 'tool-result'];

/** Estimates the tokens of a message's files. */
function filesTokens({ parts, role }: Pick<Message, 'parts' | 'role'>, fileTokens: (attachmentId: string) => number): number {
	const files = parts.filter(({ type }) => type === 'file');
	return files.length === 0 ? 0 : estimateMessage({ role, parts: files }, fileTokens) - estimateMessage({ role, parts: [] });
}
