import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { unverifiedValues } from '../../context/compaction/exact-values';
import { strategyOf } from '../../context/compaction/strategies';
import { summaryPrompt } from '../../context/compaction/summary-prompt';
import { CircleWatch, isUseful, mergeSections, parseSections, writeSections, type Sections } from '../../context/compaction/summary-sections';
import { piecesOf, transcriptOf } from '../../context/compaction/transcript';
import type { TokenCounter } from '../../context/token-counter';
import { summaryTag, type Boundary, type StrategyName } from '../../conversation/boundary';
import { addUsage, textOf, type Message, type Usage } from '../../conversation/message';
import { AppError } from '../../shared/app-error';
import { startForField } from '../../shared/fit-in-fields';
import { createPause } from '../../shared/pause';
import { shorten } from '../../shared/shorten';
import { complete } from '../turns/model-stream';

/** Progress of the model with a summary: the piece that it reads, and what it has written of that one. */
export interface SummaryProgress {
	piece: number;
	pieces: number;
	text: string;
}

/** The most that a summary may take, in tokens, and their counter. */
export interface SummaryRoom {
	tokens: number;
	count: TokenCounter;
}

/** The length of the longest summary by rules, however large the window, in UTF-16 units. */
const maxLengthByRule = 32_000;

/** Number of messages that are worked on before the page has its turn. */
const sliceLength = 100;

/** Characters of a transcript for a token of the window, on the safe side. */
const charactersPerToken = 3;

/** The most characters that a summary has for each of its words: a word may be of any length. */
const charactersPerWord = 40;

/** The tokens of the instructions around a transcript, on the safe side. */
const instructionTokens = 400;

/** A summary of `covered` by rules alone [Z6]. Throws the signal's reason. */
export async function summariseByRule(
	name: Exclude<StrategyName, 'summary'>,
	covered: Message[],
	room: SummaryRoom,
	signal: AbortSignal
): Promise<string> {
	const strategy = strategyOf(name);
	for (const [index, message] of covered.entries()) {
		if (index % sliceLength === sliceLength - 1) {
			await new Promise((resolve) => setTimeout(resolve));
			signal.throwIfAborted();
		}
		strategy.add(message);
	}
	const most = Math.min(maxLengthByRule, room.tokens * 4);
	return firstThatFits([1, 0.7, 0.5, 0.3, 0.15], (share) => strategy.text(Math.floor(most * share)), room);
}

/** Findings of the model in the messages, and their usage; or the reason why there are none, as a sentence. */
export type Findings = { sections: Sections; usage: Usage } | { failure: string };

/**
 * The five sections of a summary [S6] as the model writes them, which reads `covered` in pieces that fit its window. What
 * `earlier`, a boundary on the same path, says by the same strategy is taken over and not read again. That the model
 * fails is a finding; an abort throws the signal's reason.
 */
export async function askForSections(
	covered: Message[],
	earlier: Boundary | undefined,
	open: () => Promise<{ model: LanguageModelV4; window: number }>,
	{ signal, onProgress }: { signal: AbortSignal; onProgress: ((progress: SummaryProgress) => void) | undefined }
): Promise<Findings> {
	const known = earlier?.strategy === 'summary' ? earlier : undefined;
	const found = known ? [parseSections(known.summary)] : [];
	const transcripts = covered.filter(({ depth }) => depth > (known?.depth ?? 0)).map(transcriptOf);
	let usage: Usage = {};
	try {
		const { model, window } = await open();
		const maxOutputTokens = Math.min(1200, Math.floor(window / 3));
		const longest = Math.max(instructionTokens, window - maxOutputTokens - instructionTokens) * charactersPerToken;
		const pieces = piecesOf(transcripts.filter((text) => text !== ''), longest);
		for (const [index, transcript] of pieces.entries()) {
			const progress = { piece: index + 1, pieces: pieces.length };
			onProgress?.({ ...progress, text: '' });
			const prompt = promptOf(summaryPrompt(transcript, progress));
			const watch = new CircleWatch();
			const onText = (delta: string, text: string) => {
				onProgress?.({ ...progress, text });
				return watch.add(delta) ? 'enough' : undefined;
			};
			const answer = await complete(model, prompt, { signal, maxOutputTokens, onText });
			usage = addUsage(usage, answer.usage);
			found.push(parseSections(answer.text));
		}
	} catch (error) {
		signal.throwIfAborted();
		if (!(error instanceof AppError)) throw error;
		return { failure: `The model could not write a summary, so it was made by rules (code-aware). ${error.message}` };
	}
	const sections = mergeSections(found);
	if (isUseful(sections)) return { sections, usage };
	return { failure: 'The model wrote nothing that could be used, so the summary was made by rules (code-aware).' };
}

/** The sections as a summary that has room. */
export function writeSummary(sections: Sections, room: SummaryRoom): string {
	return firstThatFits([600, 400, 250, 150, 80], (words) => shorten(writeSections(sections, words), words * charactersPerWord), room);
}

/**
 * Returns the values of a summary that no covered message has: not in its text, nor in what tools were given and returned. The page has its turn
 * in between. Throws the signal's reason.
 */
export function valuesWithoutSource(summary: string, covered: Message[], signal: AbortSignal): Promise<string[]> {
	const texts = covered.flatMap((message) => [textOf(message), JSON.stringify(message.parts)]);
	const pause = createPause();
	return unverifiedValues(summary, async (value) => {
		await pause();
		signal.throwIfAborted();
		return texts.some((text) => text.includes(value));
	});
}

function promptOf({ system, user }: { system: string; user: string }): LanguageModelV4Prompt {
	return [
		{ role: 'system', content: system },
		{ role: 'user', content: [{ type: 'text', text: user }] }
	];
}

/** The text of the first size that is within the room, or of the last size if none is. */
function firstThatFits(sizes: number[], textOf: (size: number) => string, { tokens, count }: SummaryRoom): string {
	let text = '';
	for (const size of sizes) {
		text = textOf(size);
		if (count.text(`${summaryTag}\n${text}`) <= tokens) break;
	}
	return startForField(text);
}
