import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Usage } from '../../conversation/message';
import { nextTurn, stretchMs } from '../../shared/pause';
import { unlessAborted } from '../../shared/unless-aborted';
import { endsWords } from '../providers/known-parts';

/**
 * Reads until the end or the abort, also where the stream itself does not end on an abort. A stream that is left before
 * its end is cancelled, so that its model does not work on for no one. Throws what an `error` part holds.
 *
 * A part that has a turn of the page to itself comes at once. What follows in the same turn is held for the next, words of a kind as one
 * delta: so a stream that comes all at once costs the page a part a turn, and lets it have its turns.
 */
export async function* readParts(
	stream: ReadableStream<LanguageModelV4StreamPart>,
	signal: AbortSignal
): AsyncGenerator<LanguageModelV4StreamPart, void> {
	const reader = stream.getReader();
	const cancel = () => void reader.cancel().catch(() => undefined);
	signal.addEventListener('abort', cancel, { once: true });
	let reading: ReturnType<typeof reader.read> | undefined;
	/** Set from a part that was given until the page has had its turn. */
	let turn: Promise<void> | undefined;
	let since = 0;
	let held: LanguageModelV4StreamPart[] = [];
	try {
		while (!signal.aborted) {
			reading ??= reader.read();
			const next = await (turn ? Promise.race([reading, turn]) : reading);
			if (next) reading = undefined;
			if (next?.value?.type === 'error') throw next.value.error;
			if (next?.done) break;
			if (next && turn) {
				hold(held, next.value);
				if (performance.now() - since < stretchMs) continue;
				await turn;
				if (signal.aborted) return;
			}
			const parts = next && !turn ? [next.value] : held;
			held = [];
			yield* parts;
			turn = parts.length > 0 ? nextTurn() : undefined;
			since = performance.now();
		}
		if (!signal.aborted) yield* held;
	} catch (error) {
		if (!signal.aborted) yield* held;
		throw error;
	} finally {
		signal.removeEventListener('abort', cancel);
		cancel();
	}
}

/** Adds a part to those that wait. Text and reasoning are each put together to one up to a call or a signature, so that nothing else that comes between matters. */
function hold(held: LanguageModelV4StreamPart[], part: LanguageModelV4StreamPart): void {
	const isWords = part.type === 'text-delta' || part.type === 'reasoning-delta';
	const same = isWords ? held.findLast((other) => other.type === part.type || endsWords(other)) : undefined;
	if (isWords && same?.type === part.type) same.delta += part.delta;
	else held.push({ ...part });
}

/** More tokens than any model takes, and more dollars than any answer costs: what is above was not counted. */
const maxTokens = 1e9;
const maxCostUsd = 1e6;

/**
 * The counts that the engine reported, without those that can't be. Some servers add what they charged, in US dollars, as
 * `cost` [R2].
 */
export function toUsage({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): Usage {
	const isCount = (value: unknown, max: number) => typeof value === 'number' && value >= 0 && value <= max;
	const counts = {
		inputTokens: inputTokens.total,
		outputTokens: outputTokens.total,
		cacheReadTokens: inputTokens.cacheRead,
		cacheWriteTokens: inputTokens.cacheWrite,
		costUsd: raw?.cost
	};
	const plausible = Object.entries(counts).filter(([name, count]) => isCount(count, name === 'costUsd' ? maxCostUsd : maxTokens));
	return Object.fromEntries(plausible) as Usage;
}

/** Several times what a token comes to in any language, in UTF-16 units: what is longer was written without heed of a limit. */
const maxTokenLength = 16;

/**
 * Completes a prompt, and returns the text and its usage. `onText` is told what comes and all text with it, and may return `enough`:
 * then the model is stopped, and what it took is not known. So it is where it goes far beyond `maxOutputTokens`, which a server
 * need not heed. Throws AppErrors, or the signal's reason.
 */
export async function complete(
	model: LanguageModelV4,
	prompt: LanguageModelV4Prompt,
	{ signal, maxOutputTokens, onText }: { signal: AbortSignal; maxOutputTokens: number; onText?: (delta: string, text: string) => 'enough' | undefined }
): Promise<{ text: string; usage: Usage }> {
	const { stream } = await unlessAborted(model.doStream({ prompt, maxOutputTokens, abortSignal: signal }), signal);
	const longest = maxOutputTokens * maxTokenLength;
	let text = '';
	let usage: Usage = {};
	for await (const part of readParts(stream, signal)) {
		if (part.type === 'text-delta') {
			const delta = part.delta.slice(0, longest - text.length);
			text += delta;
			if (onText?.(delta, text) === 'enough' || text.length === longest) break;
		}
		if (part.type === 'finish') usage = toUsage(part.usage);
	}
	signal.throwIfAborted();
	return { text, usage };
}
