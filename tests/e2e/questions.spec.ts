// How questions and answers are set, and questions that are long or have code in them.
import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { expectAccessible, said, storedConversation, storedId, withSessions } from './chat';

test.use({ weights: 'none' });

const prose = 'The kettle was on, and the window was open, so the smell of the rain came in with the noise of the street. Nobody said anything for a while. ';
const longText = `${Array.from({ length: 60 }, (_, line) => `Line ${line} of it.`).join('\n')}\nThe last word is zephyr.`;

async function open(page: Page, texts: string[]): Promise<void> {
	await page.goto('./');
	await withSessions(page, [storedConversation(1, texts)]);
	await page.goto(`./s/${storedId(1)}`);
	await expect(said(page).you).toHaveCount(Math.ceil(texts.length / 2));
}

test('[P3] text has one size in questions and answers, of lines that are read well, and a question is nearer to its answer than to the next', async ({ page }) => {
	await page.setViewportSize({ width: 1280, height: 1000 });
	await open(page, ['Why?', prose.repeat(6), 'And then?', 'Nothing.']);
	const { you, assistant } = said(page);
	const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
	await expect(page.locator('html')).toHaveCSS('font-size', '16px');
	// What stands there as plain text first is drawn anew.
	await expect.poll(() => assistant.first().locator('p').evaluate(sizeOf)).toBeGreaterThanOrEqual(16);
	const size = await assistant.first().locator('p').evaluate(sizeOf);
	expect(await you.first().locator('p').evaluate(sizeOf)).toBe(size);
	const lines = await assistant.first().locator('p').evaluate((paragraph) => {
		const text = paragraph.firstChild as Text;
		const counts: number[] = [];
		let last = -Infinity;
		for (let at = 0; at < text.length; at++) {
			const range = document.createRange();
			range.setStart(text, at);
			range.setEnd(text, at + 1);
			const { top } = range.getBoundingClientRect();
			if (top > last + 4) counts.push(0);
			last = Math.max(last, top);
			counts.push(counts.pop()! + 1);
		}
		return counts.slice(0, -1);
	});
	const mean = lines.reduce((sum, count) => sum + count, 0) / lines.length;
	expect(mean).toBeGreaterThanOrEqual(62);
	expect(mean).toBeLessThanOrEqual(75);
	const gaps = await page.locator('[data-place]').evaluateAll((places) =>
		places.slice(1).map((place, index) => Math.round(place.getBoundingClientRect().top - places[index]!.getBoundingClientRect().bottom))
	);
	expect(gaps.slice(1)).toEqual([16, 40, 16]);
});

test('[P3] a long question is folded after about twelve lines, is unfolded and folded by keyboard, and stays so while one is far from it', async ({ page }) => {
	await page.setViewportSize({ width: 900, height: 700 });
	await open(page, [longText, ...Array.from({ length: 20 }, (_, index) => [prose.repeat(12), `Question ${index}`]).flat(), 'End']);
	await page.getByRole('log').focus();
	await page.keyboard.press('Home');
	const first = said(page).you.first();
	const more = first.getByRole('button', { name: 'Show more' });
	await expect(more).toHaveAttribute('aria-expanded', 'false');
	const heightOf = async () => (await first.boundingBox())!.height;
	expect(await heightOf()).toBeLessThan(16 * 27);
	await expectAccessible(page, 'a folded question');
	await more.focus();
	const top = (await first.boundingBox())!.y;
	await page.keyboard.press('Enter');
	const less = first.getByRole('button', { name: 'Show less' });
	await expect(less).toBeFocused();
	expect(await heightOf()).toBeGreaterThan(60 * 26);
	expect((await first.boundingBox())!.y).toBe(top);
	await page.getByRole('log').focus();
	await page.keyboard.press('End');
	await expect(page.getByText('End', { exact: true })).toBeInViewport();
	await page.keyboard.press('Home');
	await less.focus();
	await page.keyboard.press('Enter');
	await expect(more).toBeFocused();
	await expect(more).toBeInViewport();
	expect(await heightOf()).toBeLessThan(16 * 27);
});

test('[P3] a question that is unfolded at the end of a chat is read on from where it was folded', async ({ page }) => {
	await page.setViewportSize({ width: 900, height: 700 });
	await open(page, [prose.repeat(30), prose.repeat(30), longText]);
	const question = said(page).you.last();
	let before = NaN;
	// What is above is drawn a part at a time.
	await expect.poll(async () => before === (before = (await question.boundingBox())!.y)).toBe(true);
	await question.getByRole('button', { name: 'Show more' }).click();
	await expect(question.getByRole('button', { name: 'Show less' })).toBeAttached();
	await expect(page.getByRole('button', { name: 'Jump to the newest message' })).toBeVisible();
	expect(Math.abs((await question.boundingBox())!.y - before)).toBeLessThan(2);
});

test('[P3] a preview that makes a question a long one is seen whole', async ({ page }) => {
	await page.setViewportSize({ width: 900, height: 1000 });
	await open(page, ['What is this?\n\n```html\n<p>Pears</p>\n```', 'A paragraph.']);
	const question = said(page).you;
	await question.getByRole('button', { name: 'Preview' }).click();
	await expect(question.getByRole('button', { name: 'Show less' })).toBeAttached();
	await expect(question.getByTitle('Preview of html')).toBeInViewport({ ratio: 1 });
	await expect(question.getByRole('button', { name: 'Run scripts' })).toBeInViewport({ ratio: 1 });
});

test('[P3] [P5] a word in the folded part of a question is shown when it is found, in the chat, by a search, and by the browser', async ({ page }) => {
	await open(page, [longText, 'An answer.']);
	await expect(said(page).you.getByRole('button', { name: 'Show more' })).toBeVisible();
	await page.getByRole('button', { name: 'Find in this chat' }).click();
	await page.getByRole('textbox', { name: 'Find in this chat' }).fill('zephyr');
	await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 1');
	await expect(said(page).you.getByRole('button', { name: 'Show less' })).toBeAttached();

	await page.goto('./');
	await expect(page.getByRole('link', { name: 'Session 1' }).first()).toBeVisible();
	await page.keyboard.press('Control+k');
	await page.getByRole('combobox').fill('zephyr');
	await page.getByRole('option', { name: /zephyr/ }).click();
	await expect(said(page).you.getByRole('button', { name: 'Show less' })).toBeAttached();

	await page.goto(`./s/${storedId(1)}`);
	await expect(said(page).you.getByRole('button', { name: 'Show more' })).toBeAttached();
	// As the browser's own search does, and the focus: they scroll to what they are at, whatever hides it.
	await said(page).you.locator('.folded').evaluate((fold) => (fold.scrollTop = fold.scrollHeight));
	await expect(said(page).you.getByRole('button', { name: 'Show less' })).toBeAttached();
});

test('[P3] [P8] code that is fenced in a question is drawn as code, and nothing else of it is Markdown', async ({ page }) => {
	const source = '# No heading\n- *none* [a](https://a.example) <b>b</b>\n\n```js\nconst a = 1;\n```\n\nAnd `this`?\n\n~~~\n```\n<img src=x onerror=alert(1)>\n~~~\n\n```\nwithout an end';
	await open(page, [source, 'Yes.']);
	const { you } = said(page);
	await expect(you.locator('figure code')).toHaveText(['const a = 1;', '```\n<img src=x onerror=alert(1)>']);
	await expect(you.locator('p')).toHaveText(['# No heading\n- *none* [a](https://a.example) <b>b</b>', 'And `this`?', '```\nwithout an end']);
	await expect(you.locator('h1, h2, li, em, a, img, b, p code')).toHaveCount(0);
	await expect(you.locator('figure code [class], figure code [style]').first()).toBeVisible();
	await expectAccessible(page, 'code in a question');
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await you.hover();
	await you.locator('figure').first().getByRole('button', { name: 'Copy' }).click();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('const a = 1;\n');
	await page.getByRole('button', { name: 'Copy message' }).click();
	await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(source);
});
