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

interface Place {
	line: string;
	top: number;
}

/** Returns a line of the answer in the middle of the window, and where it is: how far was scrolled tells less, since the heights of lines far away are estimates. */
const placeInSight = (page: Page): Promise<Place> =>
	page.getByRole('log').evaluate((log) => {
		const { top, height } = log.getBoundingClientRect();
		const lines = [...log.querySelectorAll('.markdown p')].map((line) => ({ line: line.textContent, top: line.getBoundingClientRect().top - top }));
		return lines.find((line) => line.top > height / 3)!;
	});

/** Waits until nothing moves. */
async function stillPlace(page: Page): Promise<Place> {
	let place = await placeInSight(page);
	let still = 0;
	// More than once: a page that is busy scrolls by and by.
	const lookAgain = async () => (still = JSON.stringify(place) === JSON.stringify((place = await placeInSight(page))) ? still + 1 : 0);
	await expect.poll(lookAgain, { intervals: [300] }).toBeGreaterThan(2);
	return place;
}

async function expectAt(page: Page, { line, top }: Place, within = 2): Promise<void> {
	const now = await page.getByRole('log').evaluate((log, line) => {
		const shown = [...log.querySelectorAll('.markdown p')].find(({ textContent }) => textContent === line);
		return shown!.getBoundingClientRect().top - log.getBoundingClientRect().top;
	}, line);
	expect(Math.abs(now - top), line).toBeLessThan(within);
}

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
			const left = () => log.evaluate((scroller) => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight);
			await expect(assistant).toContainText('Line 4');
			await expect.poll(left).toBeLessThan(2);

			await scrollUp(page, 45);
			await expect(page.getByRole('button', { name: 'Jump to the newest message' })).toBeVisible();
			// A finger's scrolling goes on for a moment.
			const place = await stillPlace(page);
			expect(await left()).toBeGreaterThan(2);
			await expect(assistant).toContainText(`Line ${Math.round(count / 2)}`);
			await expectAt(page, place);
			await answer(page);
			await expect(assistant).toContainText(`Line ${count - 1}`);
			await expect(assistant.getByRole('button', { name: 'Copy' }).first()).toBeVisible();
			await expectAt(page, place);
		});
	}
}

test('[E11] what is read stays in its place where much of an answer comes at once, as on a slow machine', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo@5');
	await say(page, lines(200));
	await expect(said(page).assistant).toContainText('Line 4');
	await ways.wheel!(page, 45);
	await expect(page.getByRole('button', { name: 'Jump to the newest message' })).toBeVisible();
	const place = await placeInSight(page);
	for (let time = 0; time < 2; time++) {
		await page.evaluate(() => {
			for (const until = performance.now() + 800; performance.now() < until; );
			// What came meanwhile is drawn.
			return new Promise((drawn) => setTimeout(drawn, 200));
		});
	}
	await answer(page);
	await expect(said(page).assistant).toContainText('Line 199');
	// The wheel's own scrolling may go on for a moment.
	await expectAt(page, place, 50);
});

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

test('[E11] a wheel turned up ends the following at once: Firefox scrolls some frames later', async ({ page, server, hold }) => {
	const goOn = hold('echo@5', 'word200');
	await page.goto('./');
	await useServer(page, server.url, 'echo@5');
	await say(page, Array.from({ length: 400 }, (_, index) => `word${index}`).join(' '));
	const log = page.getByRole('log', { name: 'Conversation' });
	const left = () => log.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
	await expect(said(page).assistant).toContainText('word199');
	await expect.poll(() => log.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
	// Without the scrolling, which is to come.
	await log.dispatchEvent('wheel', { deltaY: -100 });
	const top = await log.evaluate(({ scrollTop }) => scrollTop);
	goOn();
	await expect(said(page).assistant).toContainText('word260');
	expect(await log.evaluate(({ scrollTop }) => scrollTop)).toBe(top);
	expect(await left()).toBeGreaterThan(0);
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
	// The keys go on from there.
	await ways['wheel']!(page, 2000);
	await jump.click();
	await expect(jump).toBeHidden();
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await page.keyboard.press('PageUp');
	await expect(jump).toBeVisible();
	await page.keyboard.press('End');
	await expect(jump).toBeHidden();
	// The next question is seen, wherever one was.
	await ways['wheel']!(page, 2000);
	await expect(jump).toBeVisible();
	await say(page, 'One more');
	await expect(said(page).you.last()).toHaveText('One more');
	await expect(said(page).you.last()).toBeInViewport();
});

test('[A14] [E11] a chat that was scrolled in the frame in which it is deleted goes without an error', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, lines(60));
	await answer(page);
	const log = await page.getByRole('log').elementHandle();
	await expect.poll(() => log!.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
	await say(page, '/delete');
	await expect(page).toHaveURL(/\/$/);
	await expect.poll(() => log!.evaluate(({ isConnected }) => isConnected)).toBe(false);
	// As browsers do in the next frame.
	await log!.evaluate((log) => log.dispatchEvent(new Event('scroll')));
});
