// Parameters and system prompts: of all chats, of one, and under a name.
import type { Page } from '@playwright/test';
import { startOpenAiServer } from '../fixtures/openai-server.mjs';
import { expect, test } from './app';
import { ask, useServer } from './chat';

test.use({ weights: 'none' });

let server: Awaited<ReturnType<typeof startOpenAiServer>>;
test.beforeAll(async () => {
	server = await startOpenAiServer();
});
test.afterAll(() => server.close());

/** The last request for an answer, without its messages and what every one has. */
function lastParameters(): Record<string, unknown> {
	const { messages: _, model: __, stream: ___, stream_options: ____, ...rest } = server.requests.at(-1)!.body as Record<string, unknown>;
	return rest;
}

const shownId = (page: Page) => /\/s\/([^/?]+)/.exec(page.url())![1]!;

test('[P3] [S7] only parameters that are set are sent: those of a chat before the defaults', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'One');
	expect(lastParameters()).toEqual({});
	await page.evaluate(() => window.snug.models.parameters(undefined, { temperature: 0.5, maxTokens: 300 }));
	await page.evaluate((id) => window.snug.models.parameters(id, { temperature: 0, topP: 0.9, stop: ['END'], reasoningEffort: 'low', seed: 7 }), shownId(page));
	await ask(page, 'Two');
	const sent = { temperature: 0, top_p: 0.9, max_tokens: 300, stop: ['END'], reasoning_effort: 'low', seed: 7 };
	expect(lastParameters()).toEqual(sent);
	expect(JSON.parse(await page.evaluate((id) => window.snug.context.payload(id), shownId(page)))).toMatchObject(sent);
	await page.evaluate((id) => window.snug.models.parameters(id, {}), shownId(page));
	await ask(page, 'Three');
	expect(lastParameters()).toEqual({ temperature: 0.5, max_tokens: 300 });
});
