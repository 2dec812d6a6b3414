import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { AppError } from '../../shared/app-error';
import { ContextFull } from './context-full';
import { inBrowser } from './answer-source';
import { browserModel, type BrowserMessage, type BrowserModel, type BrowserSession } from './browser-model';
import type { AnswerProvider } from './provider';
import { streamedModel } from './streamed-model';
import { toMessages } from './to-messages';

const absent = () => new AppError('model-absent', 'This browser has no model of its own that can be used here. Choose another model.');

/** Creates the provider for the model that the browser itself has (Prompt API). What it is asked stays in the browser. */
export function createProvider(): AnswerProvider {
	/** Known since the first answer. */
	let running: number | undefined;

	async function* answer(options: LanguageModelV4CallOptions): AsyncGenerator<LanguageModelV4StreamPart, undefined> {
		const { initialPrompts, prompt } = bodyOf(options);
		const signal = options.abortSignal;
		signal?.throwIfAborted();
		const model = browserModel();
		if (!model) throw absent();
		await requireModel(model);
		const session = await model.create({ initialPrompts, ...(signal && { signal }) });
		try {
			running = session.contextWindow;
			yield* partsOf(session, prompt, options);
		} finally {
			session.destroy();
		}
	}

	return {
		label: 'This browser',
		// Pages may set none.
		parameters: [],
		defaultAddresses: [],
		listModels: () => Promise.resolve({ models: browserModel() ? [inBrowser().model] : [] }),
		open: () => Promise.resolve({ model: streamedModel('browser', inBrowser().model, answer), explain }),
		requestBody: (_, options) => Promise.resolve(bodyOf(options)),
		window: () => (running === undefined ? {} : { running }),
		takesTools: () => Promise.resolve(false),
		canSummarise: () => true,
		vocabulary: () => undefined
	};
}

async function requireModel(model: BrowserModel): Promise<void> {
	const availability = await model.availability();
	if (availability === 'unavailable') throw absent();
	if (availability !== 'available') {
		throw new AppError('model-not-fetched', 'The browser has not downloaded its own model yet. Download it where models are chosen, or choose another model.');
	}
}

/** The system prompt goes with a session, the messages to it. */
function bodyOf({ prompt }: LanguageModelV4CallOptions): { initialPrompts: BrowserMessage[]; prompt: BrowserMessage[] } {
	const messages = toMessages(prompt).messages as BrowserMessage[];
	const isFirst = messages[0]?.role === 'system';
	return { initialPrompts: isFirst ? messages.slice(0, 1) : [], prompt: messages.slice(isFirst ? 1 : 0) };
}

async function* partsOf(session: BrowserSession, prompt: BrowserMessage[], { tools, abortSignal: signal }: LanguageModelV4CallOptions): AsyncGenerator<LanguageModelV4StreamPart, undefined> {
	const input = session.contextUsage + (await session.measureContextUsage(prompt));
	yield { type: 'stream-start', warnings: tools?.length ? [{ type: 'unsupported', feature: 'tools' }] : [] };
	yield { type: 'text-start', id: '0' };
	const words = session.promptStreaming(prompt, signal ? { signal } : {});
	for await (const delta of words as unknown as AsyncIterable<string>) yield { type: 'text-delta', id: '0', delta };
	yield { type: 'text-end', id: '0' };
	const output = Math.max(0, session.contextUsage - input);
	yield {
		type: 'finish',
		finishReason: { unified: 'stop', raw: undefined },
		usage: {
			inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
			outputTokens: { total: output, text: undefined, reasoning: undefined }
		}
	};
}

/** Failures have names: <https://webmachinelearning.github.io/prompt-api/#errors>. */
function explain(error: unknown): Promise<AppError> {
	if (error instanceof AppError) return Promise.resolve(error);
	const { name, quota } = error as { name?: string; quota?: number | null };
	switch (name) {
		case 'QuotaExceededError':
			return Promise.resolve(new ContextFull('This is more than the browser’s model can read at once.', quota ?? 'less'));
		case 'NotSupportedError':
			return Promise.resolve(new AppError('model-refuses', 'The browser’s model does not take this: it may not know the language. Choose another model.'));
		case 'NotAllowedError':
			return Promise.resolve(new AppError('model-refuses', 'The browser does not let its model be used here, or the model did not want to say more.'));
		case 'UnknownError':
		case 'OperationError':
		case 'InvalidStateError':
			return Promise.resolve(new AppError('model-failed', 'The browser’s model stopped with an error. Try again.', { retryable: true, cause: error }));
		default:
			return Promise.reject(error as Error);
	}
}
