import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { storedConversation, withSessions } from './chat';

test.use({ weights: 'none', viewport: { width: 900, height: 700 } });

const formatted = (at: number) => `# Heading ${at}\n\nSome **bold ${at}** words.\n\n- one\n- two\n\n\`\`\`js\nconst at = ${at};\n\`\`\`\n\n${'A line of text. '.repeat((at % 7) * 6)}`;

/** A chat of so many messages; every second one is an answer with formatting. */
async function openLong(page: Page, count: number) {
	const texts = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? `Question ${at}` : formatted(at)));
	const stored = storedConversation(1, texts);
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	await expect(page.getByText(`bold ${count - 1}`, { exact: true })).toBeInViewport();
	return stored;
}

const log = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const drawn = (page: Page) => log(page).locator('article:has(strong), .asked');

/** Scrolls by so many heights of the window, and waits until what is in sight is drawn. */
async function scroll(page: Page, windows: number) {
	await log(page).hover();
	await page.mouse.wheel(0, windows * 600);
	await expect.poll(() => plainInSight(page)).toEqual([]);
}

/** The ids of the messages in sight that are there as plain text only. */
function plainInSight(page: Page): Promise<string[]> {
	return log(page).evaluate((window) => {
		const { top, bottom } = window.getBoundingClientRect();
		const plain = [...window.querySelectorAll<HTMLElement>('article')].filter((article) => !article.matches(':has(strong), .user'));
		return plain.filter((article) => article.getBoundingClientRect().bottom > top && article.getBoundingClientRect().top < bottom).map(({ dataset }) => dataset.id!);
	});
}

test('[P1] of a long chat only what is near the window is drawn, and the rest is text', async ({ page }) => {
	await openLong(page, 400);
	await expect(page.getByRole('article')).toHaveCount(200);
	await expect.poll(() => plainInSight(page)).toEqual([]);
	expect(await drawn(page).count()).toBeLessThan(40);
	expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2500);
	// However far one scrolls, what is in sight is drawn, and what was left is let go.
	for (let times = 0; times < 12; times++) await scroll(page, -4);
	expect(await drawn(page).count()).toBeLessThan(50);
	expect(await log(page).evaluate((window) => window.textContent)).toContain('**bold 301**');
});

test('[P1] what is drawn out of sight moves nothing that is in sight', async ({ page }) => {
	await openLong(page, 200);
	await scroll(page, -1);
	for (let times = 0; times < 10; times++) {
		await log(page).hover();
		await page.mouse.wheel(0, -500);
		await expect.poll(() => plainInSight(page)).toEqual([]);
		// A wheel may scroll for a moment.
		const top = () => log(page).evaluate((window) => window.scrollTop);
		let before = NaN;
		await expect.poll(async () => before - (before = await top()), { intervals: [200] }).toBe(0);
		const seen = await middle(page);
		await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
		expect(await placeOf(page, seen.id)).toBeCloseTo(seen.top, -0.5);
	}
});

test('[P1] [P4] what was opened or begun in a message stays while one is far from it', async ({ page }) => {
	const stored = await openLong(page, 120);
	const last = stored.messages.at(-2)!;
	await log(page).locator(`article[data-id="${last.id}"]`).hover();
	await page.getByRole('button', { name: 'Edit' }).last().click();
	const edit = page.getByRole('textbox', { name: 'Edit' });
	await edit.fill('Another question');
	for (let times = 0; times < 6; times++) await scroll(page, -4);
	await expect(edit).toHaveValue('Another question');
	await expect(edit).toBeAttached();
	await page.getByRole('button', { name: 'Jump to the newest message' }).click();
	await expect(edit).toBeInViewport();
});

test('[P1] all of it is there for a selection and for print', async ({ page }) => {
	await openLong(page, 150);
	await log(page).focus();
	const selected = await log(page).evaluate((window) => {
		getSelection()!.selectAllChildren(window);
		return getSelection()!.toString();
	});
	expect(selected).toContain('Question 0');
	expect(selected).toContain('bold 75');
	await page.evaluate(() => getSelection()!.removeAllRanges());
	await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
	await expect(page.getByText('bold 1', { exact: true })).toBeAttached();
	await expect(log(page).locator('strong')).toHaveCount(75);
	await page.evaluate(() => dispatchEvent(new Event('afterprint')));
	await expect(page.getByText('bold 1', { exact: true })).not.toBeAttached();
});

/** The message in the middle of the window, and where it begins. */
function middle(page: Page): Promise<{ id: string; top: number }> {
	return log(page).evaluate((window) => {
		const { top, height } = window.getBoundingClientRect();
		const article = [...window.querySelectorAll<HTMLElement>('article')].find((article) => article.getBoundingClientRect().bottom > top + height / 2)!;
		return { id: article.dataset.id!, top: article.getBoundingClientRect().top };
	});
}

function placeOf(page: Page, id: string): Promise<number> {
	return log(page).evaluate((window, id) => window.querySelector(`article[data-id="${id}"]`)!.getBoundingClientRect().top, id);
}
