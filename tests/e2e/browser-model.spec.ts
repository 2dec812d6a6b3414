// The model that the browser itself has. Browsers that tests run in can't fetch one, so a stand-in answers as the Prompt API says; what the browser says of its own is asked of it.
import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, expectAccessible, openModelDialog, say } from './chat';

test.use({ weights: 'none' });

const row = (page: Page) => page.getByRole('dialog', { name: 'Model' }).getByRole('listitem').filter({ hasText: 'Built-in model' });

/** Opens the list of models on this device. */
async function openDeviceModels(page: Page): Promise<void> {
	await (await openModelDialog(page)).getByRole('radio', { name: /On this device/ }).check();
}

/** Has pages find a Prompt API whose model is fetched in two steps, the second of which the test allows, and repeats what it is told. */
async function standIn(page: Page): Promise<void> {
	await page.addInitScript(() => {
		const isFetched = () => localStorage.getItem('fetched') !== null;
		let allow: () => void = () => undefined;
		const allowed = new Promise<void>((resolve) => (allow = resolve));
		interface Options {
			initialPrompts?: { role: string; content: string }[];
			signal?: AbortSignal;
			monitor?: (monitor: EventTarget) => void;
		}
		const create = async ({ initialPrompts = [], signal, monitor }: Options) => {
			const target = new EventTarget();
			monitor?.(target);
			if (!isFetched()) {
				target.dispatchEvent(new ProgressEvent('downloadprogress', { loaded: 0.25, total: 1 }));
				await Promise.race([allowed, new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))]);
				localStorage.setItem('fetched', '');
			}
			let contextUsage = 10;
			return {
				get contextUsage() {
					return contextUsage;
				},
				contextWindow: 4096,
				measureContextUsage: () => Promise.resolve(5),
				promptStreaming: (messages: { role: string; content: string }[]) => {
					const words = `${initialPrompts[0]?.role ?? 'nothing'}; ${messages.map(({ role, content }) => `${role}: ${content}`).join('; ')}`.split(/(?<= )/);
					contextUsage += 5 + words.length;
					return new ReadableStream<string>({
						pull: (controller) => {
							const word = words.shift();
							if (word === undefined) controller.close();
							else controller.enqueue(word);
						}
					});
				},
				destroy: () => undefined
			};
		};
		const availability = () => Promise.resolve(isFetched() ? 'available' : 'downloadable');
		Object.assign(window, { LanguageModel: { availability, create }, allowFetch: () => allow() });
	});
}

test('[P1] the browser’s own model is fetched when the user asks, answers in new chats, and is told what was said', async ({ page }) => {
	await standIn(page);
	await page.goto('./');
	await openDeviceModels(page);
	await expect(row(page)).toContainText('which downloads it first');
	await row(page).getByRole('button', { name: 'Download and use' }).click();
	await expect(row(page)).toContainText('25% downloaded');
	await expectAccessible(page, 'the browser’s model on its way');
	await expect(row(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(row(page).getByRole('button', { name: 'Download and use' })).toBeFocused();
	await row(page).getByRole('button', { name: 'Download and use' }).click();
	await page.evaluate(() => (window as unknown as { allowFetch: () => void }).allowFetch());
	await expect(page.getByRole('dialog', { name: 'Model' })).toBeHidden();
	await expect(page.getByText('Built-in model on this device')).toBeVisible();

	await say(page, 'Pears');
	expect(await answer(page)).toContain('system; user: Pears');
	await say(page, 'Plums');
	await expect(page.getByRole('article', { name: 'Assistant' }).last()).toContainText(/user: Pears; assistant: .*user: Plums/);
	await page.reload();
	await expect(page.getByText('Built-in model on this device')).toBeVisible();
	await page.getByRole('button', { name: /Change model/ }).first().click();
	await expect(page.getByRole('button', { name: /Built-in model/ }).first()).toBeVisible();
});

test('[P1] where the browser has its model no more, another is to be chosen', async ({ page }) => {
	await standIn(page);
	await page.addInitScript(() => localStorage.setItem('fetched', ''));
	await page.goto('./');
	await openDeviceModels(page);
	await row(page).getByRole('button', { name: 'Use' }).click();
	await expect(page.getByText('Built-in model on this device')).toBeVisible();
	await page.addInitScript(() => Reflect.deleteProperty(window, 'LanguageModel'));
	await page.goto('./');
	await expect(page.getByRole('button', { name: 'a model', exact: true })).toBeVisible();
});

test('[P1] what the browser says of its own model is shown: it can be fetched, or there is none', async ({ page }) => {
	await page.goto('./');
	const state = await page.evaluate(async () => (await (window as unknown as { LanguageModel?: { availability: () => Promise<string> } }).LanguageModel?.availability()) ?? 'unavailable');
	await openDeviceModels(page);
	// What computes is told of the model that is in memory: it may be the graphics processor.
	await expect(page.getByText('Models run on this device')).toHaveText(/^Models run on this device\. Nothing leaves it\.\s+[\d.,]+ \w+ free in this browser\.$/);
	if (state === 'unavailable') await expect(row(page)).toHaveCount(0);
	else await expect(row(page).getByRole('button')).toHaveText(state === 'available' ? 'Use' : 'Download and use');
});
