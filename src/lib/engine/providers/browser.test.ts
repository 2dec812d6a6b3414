import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeProvider } from '../../../../tests/contract/provider';
import { BrowserModelStandIn } from '../../../../tests/fixtures/browser-model';
import { openRegistry } from '../../../../tests/fixtures/providers';
import { inBrowser } from './answer-source';

const source = inBrowser();

describeProvider('browser', () => {
	const model = new BrowserModelStandIn();
	vi.stubGlobal('LanguageModel', model);
	return Promise.resolve({
		id: 'browser',
		registry: openRegistry(),
		lists: { server: { name: '', baseUrl: '' }, model: 'Built-in model', failures: [] },
		talks: source,
		goesOn: source,
		endlessQuestion: 'Go on for ever.',
		failures: [
			{ source, code: 'context-full', question: 'x'.repeat(20_000) },
			{ source, code: 'model-refuses', question: 'Fail with NotSupportedError' },
			{ source, code: 'model-refuses', question: 'Fail with NotAllowedError' },
			{ source, code: 'model-failed', question: 'Fail with UnknownError' }
		],
		sent: () => model.sent,
		close: () => {
			expect(model.open).toBe(0);
			vi.unstubAllGlobals();
		}
	});
});

describe('the model of the browser', () => {
	let model: BrowserModelStandIn;
	beforeEach(() => {
		model = new BrowserModelStandIn();
		vi.stubGlobal('LanguageModel', model);
	});
	afterEach(() => vi.unstubAllGlobals());

	const ask = async () => {
		const { signal } = new AbortController();
		const { stream } = await (await openRegistry().open(source, signal)).doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], abortSignal: signal });
		const parts = [];
		for await (const part of stream as unknown as AsyncIterable<{ type: string; error?: unknown }>) parts.push(part);
		return parts;
	};

	it('is not fetched unasked: an answer before that says what to do', async () => {
		model.state = 'downloadable';
		expect((await ask()).at(-1)).toMatchObject({ type: 'error', error: { code: 'model-not-fetched' } });
		expect(model.sent).toEqual([]);
	});

	it('is absent in a browser that has none, which is said', async () => {
		model.state = 'unavailable';
		expect((await ask()).at(-1)).toMatchObject({ type: 'error', error: { code: 'model-absent' } });
		vi.stubGlobal('LanguageModel', undefined);
		expect((await ask()).at(-1)).toMatchObject({ type: 'error', error: { code: 'model-absent' } });
		const provider = await openRegistry().get('browser');
		expect(await provider.listModels({ name: '', baseUrl: '' })).toEqual({ models: [] });
	});

	it('tells its window once it has answered, and the one it names where a prompt is longer', async () => {
		const registry = openRegistry();
		const provider = await registry.get('browser');
		expect(provider.window(source)).toEqual({});
		const model = await registry.open(source, new AbortController().signal);
		const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'x'.repeat(20_000) }] }] });
		const parts = [];
		for await (const part of stream as unknown as AsyncIterable<{ type: string; error?: unknown }>) parts.push(part);
		expect(parts.at(-1)).toMatchObject({ type: 'error', error: { code: 'context-full', window: 4096 } });
		expect(provider.window(source)).toEqual({ running: 4096 });
	});
});
