import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parameterNames } from '../../src/lib/conversation/model-parameters';
import type { AnswerSource } from '../../src/lib/engine/providers/answer-source';
import type { AnswerProvider } from '../../src/lib/engine/providers/provider';
import type { ProviderRegistry } from '../../src/lib/engine/providers/registry';
import type { Server } from '../../src/lib/engine/providers/server-failure';
import { AppError } from '../../src/lib/shared/app-error';
import { normaliseBaseUrl } from '../../src/lib/shared/server-address';

/** A failure that can be brought about, and the code of the AppError that says it. */
export interface Failure {
	source: AnswerSource;
	code: string;
	/** The question; a short question if absent. */
	question?: string;
}

/** A provider, by its id, among models that do what is needed of them. */
export interface ProviderStage {
	id: string;
	registry: ProviderRegistry;
	/** Whose models are listed, the name of one of them, and servers whose list fails, with the code. */
	lists: { server: Server; model: string; failures: { server: Server; code: string }[] };
	/** Answers with text. */
	talks: AnswerSource;
	/** Answers with reasoning; undefined where no model of it does. */
	reasons?: AnswerSource;
	/** Answers for longer than anybody reads, where it is asked this; a short question if absent. */
	goesOn: AnswerSource;
	endlessQuestion?: string;
	/** Fail before an answer, and within one. */
	failures: Failure[];
	/** Bodies that were sent for answers so far, oldest first. */
	sent: () => unknown[];
	/** The key that is sent with all that, where there are keys. */
	apiKey?: string;
	close?: () => void;
}

const system = { role: 'system', content: 'Be brief.' } as const;

function asking(text = 'Say **this** back to me, 你好.'): LanguageModelV4Prompt {
	return [system, { role: 'user', content: [{ type: 'text', text }] }];
}

/** Tests that hold for every provider in the registry. */
export function describeProvider(name: string, open: () => Promise<ProviderStage>): void {
	// A model on this device is loaded for each.
	describe(`the provider ${name}`, { timeout: 60_000 }, () => {
		let stage: ProviderStage;
		let provider: AnswerProvider;
		beforeAll(async () => {
			stage = await open();
			provider = await stage.registry.get(stage.id);
		});
		afterAll(() => stage.close?.());

		async function* answer(source: AnswerSource, signal = new AbortController().signal, prompt = asking()): AsyncGenerator<LanguageModelV4StreamPart> {
			const model = await stage.registry.open(source, signal);
			const { stream } = await model.doStream({ prompt, abortSignal: signal, maxOutputTokens: 40 });
			yield* stream as unknown as AsyncIterable<LanguageModelV4StreamPart>;
		}

		async function wholeAnswer(source: AnswerSource, prompt?: LanguageModelV4Prompt): Promise<LanguageModelV4StreamPart[]> {
			const parts: LanguageModelV4StreamPart[] = [];
			for await (const part of answer(source, undefined, prompt)) parts.push(part);
			return parts;
		}

		/** A sentence for the user, which says nothing of the key. */
		function expectSentence(failure: unknown, code: string) {
			expect(failure).toBeInstanceOf(AppError);
			expect(failure).toMatchObject({ code });
			const { message } = failure as AppError;
			expect(message).toMatch(/^\p{Lu}.*[.!?]$/su);
			if (stage.apiKey !== undefined) {
				for (let at = 0; at + 8 <= stage.apiKey.length; at++) expect(message).not.toContain(stage.apiKey.slice(at, at + 8));
			}
		}

		it('has default addresses that could have been typed', () => {
			for (const { name, baseUrl } of provider.defaultAddresses) {
				expect(name).not.toBe('');
				expect(normaliseBaseUrl(baseUrl)).toBe(baseUrl);
			}
		});

		it('lists models by name, each once and sorted', async () => {
			const { models } = await provider.listModels(stage.lists.server);
			expect(models).toContain(stage.lists.model);
			expect(models).toEqual([...new Set(models)].sort(new Intl.Collator('en').compare));
			for (const { server, code } of stage.lists.failures) {
				const failure: unknown = await provider.listModels(server).catch((error: unknown) => error);
				expectSentence(failure, code);
			}
		});

		it('streams text, ends once, and tells what it took', async () => {
			const parts = await wholeAnswer(stage.talks);
			expect(textIn(parts, 'text-delta')).not.toBe('');
			expect(parts.filter(({ type }) => type === 'text-delta').length).toBeGreaterThan(1);
			expect(parts.filter(({ type }) => type === 'finish' || type === 'error')).toHaveLength(1);
			const finish = parts.at(-1);
			if (finish?.type !== 'finish') throw new Error('The answer has no end.');
			expect(['stop', 'length']).toContain(finish.finishReason.unified);
			expect(finish.usage.inputTokens.total).toBeGreaterThan(0);
			expect(finish.usage.outputTokens.total).toBeGreaterThan(0);
		});

		it('streams reasoning apart from text, where there is any', async () => {
			if (!stage.reasons) return;
			const parts = await wholeAnswer(stage.reasons);
			expect(textIn(parts, 'reasoning-delta')).not.toBe('');
			expect(textIn(parts, 'text-delta')).not.toContain(textIn(parts, 'reasoning-delta'));
		});

		it('stops in the middle of an answer, with the reason of the abort', async () => {
			const stop = new AbortController();
			let deltas = 0;
			const reading = async () => {
				for await (const { type } of answer(stage.goesOn, stop.signal, asking(stage.endlessQuestion))) if (type === 'text-delta' && ++deltas === 3) stop.abort();
			};
			await expect(reading()).rejects.toSatisfy((error) => error === stop.signal.reason);
			// A stopped answer keeps nobody else waiting.
			expect(textIn(await wholeAnswer(stage.talks), 'text-delta')).not.toBe('');
		});

		it('frees the model when nobody reads on', async () => {
			for await (const { type } of answer(stage.goesOn, undefined, asking(stage.endlessQuestion))) if (type === 'text-delta') break;
			expect(textIn(await wholeAnswer(stage.talks), 'text-delta')).not.toBe('');
		});

		it('does not begin what was stopped before', async () => {
			const signal = AbortSignal.abort();
			const before = stage.sent().length;
			const reading = async () => {
				for await (const { type } of answer(stage.talks, signal)) expect(type).not.toBe('text-delta');
			};
			await expect(reading()).rejects.toBe(signal.reason);
			expect(stage.sent()).toHaveLength(before);
		});

		it('says failures in sentences, as AppErrors, before an answer and within one', async () => {
			for (const { source, code, question } of stage.failures) {
				let failure: unknown;
				let ends = 0;
				try {
					for (const part of await wholeAnswer(source, asking(question))) {
						if (part.type === 'error') failure = part.error;
						if (part.type === 'error' || part.type === 'finish') ends++;
					}
					expect(ends, code).toBe(1);
				} catch (error) {
					failure = error;
				}
				expectSentence(failure, code);
			}
		});

		it('[S7] shows the body that is then sent, and sends nothing for that', async () => {
			const prompt: LanguageModelV4Prompt = [
				...asking('Who are you?'),
				{ role: 'assistant', content: [{ type: 'text', text: 'Snug.' }] },
				...asking().slice(1)
			];
			const before = stage.sent().length;
			const shown = await provider.requestBody(stage.talks, { prompt });
			expect(stage.sent()).toHaveLength(before);
			const model = await stage.registry.open(stage.talks, new AbortController().signal);
			const { stream } = await model.doStream({ prompt });
			for await (const { type } of stream as unknown as AsyncIterable<LanguageModelV4StreamPart>) if (type === 'text-delta') break;
			expect(stage.sent()).toHaveLength(before + 1);
			expect(shown).toEqual(stage.sent().at(-1));
			expect(JSON.stringify(shown)).toContain('你好');
			if (stage.apiKey !== undefined) expect(JSON.stringify(shown)).not.toContain(stage.apiKey);
		});

		it('takes each parameter once', () => {
			expect(new Set(provider.parameters).size).toBe(provider.parameters.length);
			expect(parameterNames).toEqual(expect.arrayContaining([...provider.parameters]));
		});

		it('knows the window and the vocabulary of a model, or leaves them open', async () => {
			const { running, stated } = provider.window(stage.talks);
			for (const tokens of [running, stated?.tokens]) if (tokens !== undefined) expect(tokens).toBeGreaterThan(0);
			const vocabulary = provider.vocabulary(stage.talks);
			if (vocabulary && 'file' in vocabulary) expect((await vocabulary.file()).size).toBeGreaterThan(0);
		});
	});
}

function textIn(parts: LanguageModelV4StreamPart[], type: 'text-delta' | 'reasoning-delta'): string {
	return parts.map((part) => (part.type === type ? part.delta : '')).join('');
}
