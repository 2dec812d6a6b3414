import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, expectAccessible, said, say, storedConversation, useServer, withSessions } from './chat';

test.use({ weights: 'none' });

/** Opens a chat in which these texts were said in turn, the user first. */
async function withTexts(page: Page, ...texts: string[]): Promise<void> {
	const stored = storedConversation(1, texts);
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
}

const columns = (count: number) => {
	const row = (cell: (index: number) => string) => `| ${Array.from({ length: count }, (_, index) => cell(index)).join(' | ')} |`;
	return [row((index) => `Column ${index}`), row(() => '---'), row((index) => `a cell with some words ${index}`)].join('\n');
};

const forms = [
	'A plan, with a source[^1] and another[^more]:',
	'- [x] Buy bread\n- [ ] Bake a *cake*\n  - [ ] Find eggs\n- No task\n\n1. [x] First',
	'<details>\n<summary><b>All the steps</b></summary>\n\n1. Mix\n2. Bake\n\n```js\nlet a = "</details>";\n```\n\n</details>',
	columns(2),
	columns(20),
	'A picture: ![the cat](https://pictures.example/cat.png), and one in [![a dog](https://pictures.example/dog.png)](https://b.example).',
	'![inline](data:image/png;base64,iVBORw0KGgo=)',
	'[^1]: The first note, with `code`.\n\n    It goes on.\n[^more]: See https://a.example.'
].join('\n\n');

for (const [colorScheme, width] of [
	['light', 1280],
	['dark', 390]
] as const) {
	test(`[P3] [P10] tasks, notes, details, tables and pictures are named and can be reached: ${colorScheme}, ${width} px`, async ({ page }) => {
		const asked: string[] = [];
		page.on('request', (request) => asked.push(request.url()));
		await page.setViewportSize({ width, height: 900 });
		await page.emulateMedia({ colorScheme });
		await withTexts(page, 'Please explain.', forms);
		const { assistant } = said(page);

		await expect(assistant.getByRole('img', { name: 'Done', exact: true })).toHaveCount(2);
		await expect(assistant.getByRole('img', { name: 'Not done' })).toHaveCount(2);

		const details = assistant.locator('.markdown details');
		await expect(details.getByText('Mix')).toBeHidden();
		await details.getByText('All the steps').click();
		await expect(details.getByText('Mix')).toBeVisible();
		await expect(details.locator('figure.code code')).toHaveText('let a = "</details>";\n');

		const wide = assistant.getByRole('group', { name: 'Table (scrolls sideways)' });
		await expect(wide).toHaveCount(1);
		await expect(wide).toHaveAttribute('tabindex', '0');
		await expect(assistant.locator('.table').first()).not.toHaveAttribute('tabindex');
		const cells = await wide.locator('td').evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().width / parseFloat(getComputedStyle(cell).fontSize)));
		// But for what a border is rounded by.
		expect(Math.min(...cells)).toBeGreaterThanOrEqual(7.99);

		const picture = assistant.getByRole('link', { name: 'the cat' });
		await expect(picture).toHaveAttribute('target', '_blank');
		await expect(assistant.getByText('(pictures.example)')).toBeVisible();
		await expect(assistant.locator('img')).toHaveCount(0);
		expect(asked.filter((url) => url.includes('.example'))).toEqual([]);

		expect(await page.getByRole('log').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
		await expectAccessible(page, `forms of an answer, ${colorScheme}`);
	});
}

test('[P3] [P10] a note is gone to and left by keys, within its own message and without another address', async ({ page }) => {
	const text = (number: number) => `Number ${number} has a note[^1].\n\n${'Words between.\n\n'.repeat(60)}[^1]: Note of number ${number}.`;
	await withTexts(page, 'First?', text(1), 'Second?', text(2));
	const address = page.url();
	for (const number of [1, 2]) {
		const message = said(page).assistant.nth(number - 1);
		// Coming near, it is drawn, in the place of its text.
		await expect(() => message.getByText(`Number ${number} has`).scrollIntoViewIfNeeded()).toPass();
		await message.getByRole('button', { name: 'Footnote 1' }).press('Enter');
		const note = message.getByRole('note', { name: 'Footnote 1' });
		await expect(note).toBeFocused();
		await expect(note).toBeInViewport();
		await expect(note).toContainText(`Note of number ${number}.`);
		await note.getByRole('button', { name: 'Back to reference' }).press('Enter');
		await expect(message.getByRole('button', { name: 'Footnote 1' })).toBeFocused();
		await expect(message.getByRole('button', { name: 'Footnote 1' })).toBeInViewport();
	}
	expect(page.url()).toBe(address);
});

test('[P3] what is copied of tasks and notes is what was written', async ({ page, context }) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await withTexts(page, 'Please explain.', 'A claim[^1].\n\n- [x] done\n- [ ] open\n\n[^1]: The note.');
	const { assistant } = said(page);
	await expect(assistant.getByRole('note')).toBeVisible();
	await assistant.locator('.markdown').evaluate((element) => getSelection()!.selectAllChildren(element));
	await page.keyboard.press('ControlOrMeta+C');
	const text = await page.evaluate(() => navigator.clipboard.readText());
	expect(text.replace(/\s+/g, ' ').trim()).toBe('A claim[^1]. [x] done [ ] open [^1]: The note.');
});

test('[P3] details stay as the user has them while more of them comes', async ({ page, server, hold }) => {
	const letGoOn = hold('slow-tokens@100', 'half');
	await page.goto('./');
	await useServer(page, server.url, 'slow-tokens@100');
	await say(page, `<details>\n<summary>Steps</summary>\n\nBegin ${'word '.repeat(10)}half ${'word '.repeat(20)}end.\n\n</details>\n\nAfter.`);
	const { assistant } = said(page);
	const words = assistant.getByText(/^Begin word/);
	// A click whose element is drawn anew between press and release is none: as far as it goes it is drawn.
	await expect(words).toHaveText(/( word){10}$/);
	await assistant.locator('summary', { hasText: 'Steps' }).click();
	await expect(words).toBeVisible();
	letGoOn();
	await expect(words).toContainText('half word');
	await expect(words).toBeVisible();
	await answer(page, { timeout: 60_000 });
	await expect(assistant.getByText('After.')).toBeVisible();
	await expect(words).toContainText('end.');
	await expect(words).toBeVisible();
});

test('[P5] a word that is found in details opens them', async ({ page }) => {
	await withTexts(page, 'Please explain.', `Before.\n\n<details>\n<summary>More</summary>\n\nA pelican is in here.\n\n</details>\n\nAfter.`);
	await expect(page.getByText('After.')).toBeVisible();
	await page.getByRole('button', { name: 'Find in this chat' }).click();
	await page.getByRole('textbox', { name: 'Find in this chat' }).fill('pelican');
	await expect(page.getByText('1 of 1', { exact: true })).toBeVisible();
	await expect(page.getByText('A pelican is in here.')).toBeVisible();
});

const long = Array.from({ length: 30 }, (_, index) => `value_${index} = ${index === 3 ? "'wide' + ".repeat(40) : ''}'x'`).join('\n');

test.describe('on a phone', () => {
	test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

	test('[P3] what stands above code is in one line, whatever its language is called', async ({ page }) => {
		// As high as all of it: what is longer is followed to its end.
		await page.setViewportSize({ width: 390, height: 1600 });
		const names = ['configuration.production.yaml', 'html', 'mermaid', 'a-name-of-thirty-two-characters_'];
		await withTexts(page, 'Please write code.', names.map((name) => `\`\`\`${name}\nshort\n\`\`\``).join('\n\n'));
		const heads = said(page).assistant.locator('figcaption');
		await expect(heads).toHaveCount(names.length);
		for (const head of await heads.all()) {
			for (const name of ['Wrap lines', 'Download', 'Copy']) await expect(head.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
			const heights = await head.evaluate((head) => [head.clientHeight, ...[...head.querySelectorAll('button')].map((button) => button.clientHeight)]);
			expect(Math.max(...heights)).toBeLessThan(60);
			const tops = await head.getByRole('button').evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
			expect(new Set(tops).size).toBe(1);
		}
		await expectAccessible(page, 'code on a phone');
	});
});

test('[P3] lines of code are wrapped by choice, which is remembered; code is downloaded; numbers of lines are beside long code only', async ({ page, context }) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.setViewportSize({ width: 390, height: 900 });
	await withTexts(page, 'Please write code.', `\`\`\`python\n${long}\n\`\`\`\n\nAnd\n\n\`\`\`\nshort\n\`\`\``);
	const code = said(page).assistant.locator('figure.code').first();
	const widthLeft = () => code.locator('pre').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
	await expect(code.locator('pre')).toHaveAttribute('data-lines', /^1\n2\n[\d\n]+\n30$/);
	await expect(said(page).assistant.locator('figure.code').last().locator('pre')).not.toHaveAttribute('data-lines');
	// Each number is as high as its line.
	const [numbers, lines] = await code.locator('pre').evaluate((pre) => {
		const { height } = pre.querySelector('code')!.getBoundingClientRect();
		return [parseFloat(getComputedStyle(pre, '::before').height), height];
	});
	expect(Math.abs(numbers! - lines!)).toBeLessThan(2);
	expect(await widthLeft()).toBeGreaterThan(100);

	await said(page).assistant.locator('.markdown').evaluate((element) => getSelection()!.selectAllChildren(element));
	await page.keyboard.press('ControlOrMeta+C');
	expect((await page.evaluate(() => navigator.clipboard.readText())).replace(/\s+/g, ' ')).toContain(long.replace(/\s+/g, ' '));

	const wrap = code.getByRole('button', { name: 'Wrap lines' });
	await expect(wrap).toHaveAttribute('aria-pressed', 'false');
	await wrap.click();
	await expect(wrap).toHaveAttribute('aria-pressed', 'true');
	expect(await widthLeft()).toBe(0);
	await page.reload();
	await expect(wrap).toHaveAttribute('aria-pressed', 'true');
	await expect.poll(widthLeft).toBe(0);

	const saved = page.waitForEvent('download');
	await code.getByRole('button', { name: 'Download' }).click();
	const file = await saved;
	expect(file.suggestedFilename()).toBe('code.py');
	expect(await text(await file.createReadStream())).toBe(`${long}\n`);
	await expectAccessible(page, 'code');
});
