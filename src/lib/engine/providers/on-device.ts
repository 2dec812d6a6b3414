import type {
	LanguageModelV4,
	LanguageModelV4CallOptions,
	LanguageModelV4FilePart,
	LanguageModelV4FinishReason,
	LanguageModelV4Prompt,
	LanguageModelV4StreamPart,
	LanguageModelV4Usage,
	SharedV4Warning
} from '@ai-sdk/provider';
import { parameterNames } from '../../conversation/model-parameters';
import { AppError } from '../../shared/app-error';
import { maxContext } from '../local/context-for';
import type { AnswerCounts, AnswerEvent, AnswerOptions, ChatMessage, WllamaEngine } from '../local/wllama-engine';
import type { AnswerProvider, ProviderPorts } from './provider';
import { streamedModel } from './streamed-model';

/** The size of a file with a billion parameters of about four bits each: smaller models lose what a summary is for. */
const bytesOfBillion = 650_000_000;

/** Creates the provider for the models in this browser. What it is asked stays on the device. */
export function createProvider({ device, models }: ProviderPorts): AnswerProvider {
	return {
		label: 'This device',
		// The engine knows no effort of reasoning.
		parameters: parameterNames.filter((name) => name !== 'reasoningEffort'),
		defaultAddresses: [],
		async listModels() {
			const names = (await models.list()).map(({ name }) => name);
			return { models: [...new Set(names)].sort(new Intl.Collator('en').compare) };
		},
		async open(source, signal) {
			const { engine, model } = await device.ready(source, signal);
			return { model: onDevice(engine, model.name), explain };
		},
		requestBody: (_, { prompt }) => Promise.resolve(toMessages(prompt).messages),
		window({ local }) {
			const running = local && device.windowOf(local);
			return {
				...(running === undefined ? {} : { running }),
				stated: { tokens: Math.min(local?.contextLength ?? maxContext, maxContext), from: 'file' }
			};
		},
		// Templates of models that know tools are not used yet.
		takesTools: false,
		canSummarise: ({ local }) => (local?.bytes ?? 0) >= bytesOfBillion,
		vocabulary: ({ local }) => local && { file: () => device.file(local) }
	};
}

/** The engine explains its own failures. */
function explain(error: unknown): Promise<AppError> {
	return error instanceof AppError ? Promise.resolve(error) : Promise.reject(error as Error);
}

/**
 * Makes the model that `engine` has loaded one of the AI SDK's contract. Text only: tools, files and response
 * formats are left out, with a warning; in a file's place is a line that says so. A failure after the stream has begun is
 * an `error` part followed by `finish`; an abort errors the stream with the signal's reason.
 */
export function onDevice(engine: WllamaEngine, modelId: string): LanguageModelV4 {
	return streamedModel('on-device', modelId, (options) => answerParts(engine, modelId, options));
}

async function* answerParts(
	engine: WllamaEngine,
	modelId: string,
	options: LanguageModelV4CallOptions
): AsyncGenerator<LanguageModelV4StreamPart, undefined> {
	const { messages, warnings } = toMessages(options.prompt);
	if (options.tools?.length) warnings.push({ type: 'unsupported', feature: 'tools' });
	if (options.responseFormat?.type === 'json') warnings.push({ type: 'unsupported', feature: 'responseFormat' });
	yield { type: 'stream-start', warnings };
	yield { type: 'response-metadata', modelId };
	// One block is open at a time; ids count up.
	let open: { kind: 'text' | 'reasoning'; id: string } | undefined;
	let blocks = 0;
	try {
		for await (const event of engine.answer(messages, toOptions(options))) {
			if (event.type === 'end') {
				if (open) yield { type: `${open.kind}-end`, id: open.id };
				yield { type: 'finish', finishReason: toFinishReason(event.reason), usage: toUsage(event.counts) };
				return;
			}
			if (open?.kind !== event.type) {
				if (open) yield { type: `${open.kind}-end`, id: open.id };
				open = { kind: event.type, id: String(blocks++) };
				yield { type: `${open.kind}-start`, id: open.id };
			}
			yield deltaPart(event, open.id);
		}
	} catch (error) {
		options.abortSignal?.throwIfAborted();
		yield { type: 'error', error };
		yield { type: 'finish', finishReason: { unified: 'error', raw: undefined }, usage: toUsage(undefined) };
	}
}

function deltaPart(event: Exclude<AnswerEvent, { type: 'end' }>, id: string): LanguageModelV4StreamPart {
	return { type: `${event.type}-delta`, id, delta: event.delta };
}

/**
 * Returns the messages that the engine is given for a prompt. Neighbours of one role become one message: a user's message after
 * a failed answer, which many templates refuse.
 */
export function toMessages(prompt: LanguageModelV4Prompt): { messages: ChatMessage[]; warnings: SharedV4Warning[] } {
	const messages: ChatMessage[] = [];
	const unsupported = new Set<string>();
	for (const { role, content } of prompt) {
		const texts: string[] = [];
		for (const part of typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content) {
			if (part.type === 'text') texts.push(part.text);
			else if (part.type === 'file') texts.push(insteadOf(part));
			// A template wants no reasoning of earlier turns.
			if (part.type !== 'text' && part.type !== 'reasoning') unsupported.add(part.type);
		}
		if (role === 'tool' || texts.length === 0) continue;
		const text = texts.join('\n\n');
		const last = messages.at(-1);
		if (last?.role === role) last.content += `\n\n${text}`;
		else messages.push({ role, content: text });
	}
	return { messages, warnings: [...unsupported].map((feature) => ({ type: 'unsupported', feature })) };
}

function insteadOf({ filename, mediaType }: LanguageModelV4FilePart): string {
	const what = mediaType.startsWith('image') ? 'image' : 'file';
	return `[${[what, filename].filter(Boolean).join(' ')}, which this model can't see]`;
}

/** Sampling with which a small model stays on the point (docs/decisions.md), well below the engine's own 0.8. */
const calm = { temperature: 0.1, topP: 0.9 };

function toOptions(options: LanguageModelV4CallOptions): AnswerOptions {
	const {
		abortSignal,
		maxOutputTokens,
		stopSequences,
		temperature = calm.temperature,
		topP = calm.topP,
		topK,
		presencePenalty,
		frequencyPenalty,
		seed
	} = options;
	return {
		...(abortSignal === undefined ? {} : { signal: abortSignal }),
		...(maxOutputTokens === undefined ? {} : { maxTokens: maxOutputTokens }),
		...(stopSequences === undefined ? {} : { stop: stopSequences }),
		temperature,
		topP,
		...(topK === undefined ? {} : { topK }),
		...(presencePenalty === undefined ? {} : { presencePenalty }),
		...(frequencyPenalty === undefined ? {} : { frequencyPenalty }),
		...(seed === undefined ? {} : { seed })
	};
}

function toFinishReason(raw: string): LanguageModelV4FinishReason {
	return { unified: raw === 'stop' || raw === 'length' ? raw : 'other', raw };
}

function toUsage(counts: AnswerCounts | undefined): LanguageModelV4Usage {
	return {
		inputTokens: {
			total: counts?.inputTokens,
			noCache: counts && counts.inputTokens - counts.cachedTokens,
			cacheRead: counts?.cachedTokens,
			cacheWrite: undefined
		},
		// The engine does not count text and reasoning apart.
		outputTokens: { total: counts?.outputTokens, text: undefined, reasoning: undefined }
	};
}
