import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, said, say, useServer } from './chat';

test.use({ weights: 'none', viewport: { width: 800, height: 500 } });

const lines = (count: number) => Array.from({ length: count }, (_, index) => `Line ${index}\n\n`).join('');

/** Scrolls up by so many pixels. */
const ways: Record<string, (page: Page, pixels: number) => Promise<unknown>> = {
	async wheel(page, pixels) {
		await page.getByRole('log').hover();
		await page.mouse.wheel(0, -pixels);
	},
	async touch(page, pixels) {
		const devTools = await page.context().newCDPSession(page);
		const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
			devTools.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 400, y }] });
		await touch('touchStart', 150);
		// The first few pixels are taken for an unsteady finger.
		for (let moved = 5; moved <= pixels + 15; moved += 5) await touch('touchMove', 150 + moved);
		await touch('touchEnd');
	}
};

for (const [way, scrollUp] of Object.entries(ways)) {
	for (const [model, count] of [
		['echo@5', 200],
		['slow-tokens@100', 25]
	] as const) {
		test(`[E11] nothing scrolls back whoever has scrolled up by ${way}, while ${model} answers and when it has`, async ({ page, server }) => {
			await page.goto('./');
			await useServer(page, server.url, model);
			await say(page, lines(count));
			const log = page.getByRole('log');
			const { assistant } = said(page);
			const top = () => log.evaluate((scroller) => scroller.scrollTop);
			const left = () => log.evaluate((scroller) => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight);
			await expect(assistant).toContainText('Line 4');
			await expect.poll(left).toBeLessThan(2);

			const followed = await top();
			await scrollUp(page, 45);
			await expect(page.getByRole('button', { name: 'Jump to the newest message' })).toBeVisible();
			// A finger's scrolling goes on for a moment.
			let stayed = NaN;
			await expect.poll(async () => stayed - (stayed = await top()), { intervals: [300] }).toBe(0);
			expect(stayed).toBeGreaterThan(followed - 200);
			await expect(assistant).toContainText(`Line ${Math.round(count / 2)}`);
			expect(Math.abs((await top()) - stayed)).toBeLessThan(2);
			await answer(page);
			await expect(assistant).toContainText(`Line ${count - 1}`);
			await expect(assistant.getByRole('button', { name: 'Copy' }).first()).toBeVisible();
			expect(Math.abs((await top()) - stayed)).toBeLessThan(2);
		});
	}
}

test('[E11] an answer is followed on where the browser itself scrolls up, as when what is drawn again is shorter for a moment', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo@5');
	await say(page, lines(200));
	const { assistant } = said(page);
	await expect(assistant).toContainText('Line 20');
	const log = page.getByRole('log');
	// The keys of the composer are not those that scroll.
	await page.getByRole('textbox', { name: 'Message' }).press('x');
	for (let times = 0; times < 5; times++) {
		await log.evaluate((scroller) => (scroller.scrollTop -= 30));
		await expect.poll(() => log.evaluate((scroller) => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight)).toBeLessThan(2);
	}
	await answer(page);
	await expect(assistant.getByText('Line 199')).toBeInViewport();
	await expect(page.getByRole('button', { name: 'Jump to the newest message' })).toBeHidden();
});

test('[E11] whoever returns to the end follows again', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo@5');
	await say(page, lines(250));
	const { assistant } = said(page);
	await expect(assistant).toContainText('Line 9');
	await ways['wheel']!(page, 300);
	const jump = page.getByRole('button', { name: 'Jump to the newest message' });
	await expect(jump).toBeVisible();
	// The end moves on meanwhile.
	await expect(async () => {
		await page.mouse.wheel(0, 100_000);
		await expect(jump).toBeHidden({ timeout: 1000 });
	}).toPass();
	await answer(page);
	await expect(assistant.getByText('Line 249')).toBeInViewport();
	// The next question is seen, wherever one was.
	await ways['wheel']!(page, 2000);
	await expect(jump).toBeVisible();
	await say(page, 'One more');
	await expect(said(page).you.last()).toHaveText('One more');
	await expect(said(page).you.last()).toBeInViewport();
});
