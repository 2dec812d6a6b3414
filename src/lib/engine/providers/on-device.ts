import type {
	LanguageModelV4,
	LanguageModelV4CallOptions,
	LanguageModelV4FinishReason,
	LanguageModelV4StreamPart,
	LanguageModelV4Usage
} from '@ai-sdk/provider';
import { deviceWindow, maxDeviceWindow } from '../../conversation/device-window';
import { parameterNames } from '../../conversation/model-parameters';
import { AppError } from '../../shared/app-error';
import { readGguf } from '../local/gguf';
import { toolTemplateOf, type OfferedTool } from '../local/tool-template';
import type { AnswerCounts, AnswerEvent, AnswerOptions, WllamaEngine } from '../local/wllama-engine';
import type { LocalModel } from '../../storage/tables/models';
import type { AnswerProvider, ProviderPorts } from './provider';
import { streamedModel } from './streamed-model';
import { toMessages } from './to-messages';

/** The size of a file with a billion parameters of about four bits each: smaller models lose what a summary is for. */
const bytesOfBillion = 650_000_000;

/** Creates the provider for the models in this browser. What it is asked stays on the device. */
export function createProvider({ device, models }: ProviderPorts): AnswerProvider {
	/** Models by id, with whether they take tools: what a file says stays so. */
	const takers = new Map<string, boolean>();
	const takesTools = async (model: LocalModel): Promise<boolean> => {
		const known = takers.get(model.id);
		if (known !== undefined) return known;
		const takes = toolTemplateOf((await readGguf(await device.file(model))).chatTemplate) !== undefined;
		takers.set(model.id, takes);
		return takes;
	};
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
		requestBody: (_, { prompt, tools }) => {
			const offered = offeredTools(tools);
			const { messages } = toMessages(prompt, offered.length > 0);
			return Promise.resolve(offered.length > 0 ? { messages, tools: offered } : messages);
		},
		window({ local }) {
			const running = local && device.windowOf(local);
			return {
				...(running === undefined ? {} : { running }),
				stated: { tokens: local ? deviceWindow(local.contextLength) : maxDeviceWindow, from: 'file' }
			};
		},
		// What a model that is not here yet takes is not known.
		takesTools: ({ local }) => (local ? takesTools(local) : Promise.resolve(false)),
		canSummarise: ({ local }) => (local?.bytes ?? 0) >= bytesOfBillion,
		vocabulary: ({ local }) => local && { file: () => device.file(local) }
	};
}

/** The engine explains its own failures. */
function explain(error: unknown): Promise<AppError> {
	return error instanceof AppError ? Promise.resolve(error) : Promise.reject(error as Error);
}

/**
 * Makes the model that `engine` has loaded one of the AI SDK's contract. Files and response formats
 * are left out, with a warning, and so are tools where its template has none; in a file's place is a line that says so. A failure after the stream has begun is
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
	const tools = engine.takesTools ? offeredTools(options.tools) : [];
	const { messages, warnings } = toMessages(options.prompt, tools.length > 0);
	if (options.tools && options.tools.length > tools.length) warnings.push({ type: 'unsupported', feature: 'tools' });
	if (options.responseFormat?.type === 'json') warnings.push({ type: 'unsupported', feature: 'responseFormat' });
	yield { type: 'stream-start', warnings };
	yield { type: 'response-metadata', modelId };
	// One block is open at a time; ids count up.
	let open: { kind: 'text' | 'reasoning'; id: string } | undefined;
	let blocks = 0;
	let hasCalled = false;
	try {
		for await (const event of engine.answer(messages, { ...toOptions(options), tools })) {
			if (event.type === 'end') {
				if (open) yield { type: `${open.kind}-end`, id: open.id };
				yield { type: 'finish', finishReason: toFinishReason(event.reason, hasCalled), usage: toUsage(event.counts) };
				return;
			}
			if (open?.kind !== event.type) {
				if (open) yield { type: `${open.kind}-end`, id: open.id };
				open = undefined;
			}
			if (event.type === 'tool-call') {
				hasCalled = true;
				yield { ...event, toolCallId: crypto.randomUUID() };
				continue;
			}
			if (!open) {
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

function deltaPart(event: Exclude<AnswerEvent, { type: 'end' | 'tool-call' }>, id: string): LanguageModelV4StreamPart {
	return { type: `${event.type}-delta`, id, delta: event.delta };
}

function offeredTools(tools: LanguageModelV4CallOptions['tools'] = []): OfferedTool[] {
	return tools.flatMap((tool) => (tool.type === 'function' ? [{ name: tool.name, description: tool.description, inputSchema: tool.inputSchema }] : []));
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

function toFinishReason(raw: string, hasCalled: boolean): LanguageModelV4FinishReason {
	if (raw === 'stop' && hasCalled) return { unified: 'tool-calls', raw };
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
