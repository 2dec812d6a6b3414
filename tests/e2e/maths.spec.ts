import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, expectAccessible, said, say, storedConversation, useServer, withSessions } from './chat';

test.use({ weights: 'none' });

const wide = Array.from({ length: 60 }, (_, index) => `x_{${index}}`).join(' + ');

const maths = [
	'For $ax^2 + bx + c = 0$ with $a \\neq 0$ and \\(b > 0\\), the roots are',
	'$$x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$$',
	'It costs $5, or $10 for *two*.',
	`\\[\n${wide}\n\\]`,
	`Inline, $(${wide.replaceAll(' + ', '')})$ is as wide.`,
	'> - In a list, $\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}$',
	'| Name | Formula |\n|---|---|\n| energy | $E = mc^2$ |',
	'What $\\fails{$ is shown as it was written.'
].join('\n\n');

/** Opens a chat in which an answer says this. */
async function withAnswer(page: Page, text: string): Promise<void> {
	const stored = storedConversation(1, ['Please explain.', text]);
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
}

const drawn = (page: Page) => said(page).assistant.locator('.katex');

test.describe('with the service worker', () => {
	test.use({ serviceWorkers: 'allow' });

	test('[P3] [P1] formulas are typeset with no network, on their first use; prices stay text', async ({ page, context }) => {
		await page.goto('./');
		await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
		const fonts: string[] = [];
		page.on('request', (request) => request.resourceType() === 'font' && fonts.push(request.url()));
		await context.setOffline(true);
		await withAnswer(page, maths);
		await expect(drawn(page)).toHaveCount(8);
		await expect(said(page).assistant.getByText('It costs $5, or $10 for two.')).toBeVisible();
		await expect(said(page).assistant.getByText('What $\\fails{$ is shown')).toBeVisible();
		await page.evaluate(() => document.fonts.ready);
		expect(await page.evaluate(() => [...document.fonts].filter(({ family, status }) => family.includes('KaTeX') && status === 'loaded').length)).toBeGreaterThan(1);
		expect(fonts.length).toBeGreaterThan(1);
		expect(fonts.filter((url) => !url.endsWith('.woff2'))).toEqual([]);
	});
});

test('[P3] a chat without formulas loads nothing of what typesets them', async ({ page }) => {
	const asked: string[] = [];
	page.on('request', (request) => asked.push(request.url()));
	await withAnswer(page, 'It costs $5, or $10 for **two**.');
	await expect(page.getByText('two', { exact: true })).toBeVisible();
	await page.waitForLoadState('networkidle');
	expect(asked.filter((url) => /katex|formula\b/i.test(url))).toEqual([]);
});

test('[P3] a formula of an answer that streams is typeset, and what stands is not drawn again', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'First $x^2$ is here.\n\nThen $y^2$ and $z^2$.');
	await answer(page);
	await expect(drawn(page)).toHaveCount(3);
	await expect(said(page).assistant.locator('.source')).toHaveText(['$x^2$', '$y^2$', '$z^2$']);
});

test('[P10] formulas are MathML for screen readers, those that are wide scroll by themselves and can be focused, and axe finds nothing', async ({ page }) => {
	for (const [colorScheme, width] of [
		['light', 1280],
		['dark', 390]
	] as const) {
		await page.setViewportSize({ width, height: 900 });
		await page.emulateMedia({ colorScheme });
		await withAnswer(page, maths);
		await expect(drawn(page)).toHaveCount(8);
		await expect(said(page).assistant.getByRole('math')).toHaveCount(8);
		const scrolling = said(page).assistant.getByRole('group', { name: 'Formula' });
		await expect(scrolling).toHaveCount(3);
		const boxes = await scrolling.evaluateAll((formulas) => formulas.map(({ scrollWidth, clientWidth, tabIndex }) => ({ isWide: scrollWidth > clientWidth, tabIndex })));
		expect(boxes.map(({ tabIndex }) => tabIndex)).toEqual([0, 0, 0]);
		expect(boxes.slice(1)).toEqual([
			{ isWide: true, tabIndex: 0 },
			{ isWide: true, tabIndex: 0 }
		]);
		expect(await page.getByRole('log').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
		await expectAccessible(page, `formulas, ${colorScheme}`);
	}
});

test('[P3] what is copied has each formula once, as it was written, also as text with styles', async ({ page, context }) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await withAnswer(page, 'Let $a^2$ and\n\\(b_1\\) be **given**.\n\n$$\n\\frac{a}\n{b}\n$$\n\nThe end.');
	await expect(drawn(page)).toHaveCount(3);
	await said(page).assistant.locator('.markdown').evaluate((element) => getSelection()!.selectAllChildren(element));
	await page.keyboard.press('ControlOrMeta+C');
	const [text, html] = await page.evaluate(async () => {
		const [item] = await navigator.clipboard.read();
		return Promise.all(['text/plain', 'text/html'].map(async (type) => (await item!.getType(type)).text()));
	});
	expect(text!.trim()).toBe('Let $a^2$ and\n\\(b_1\\) be given.\n\n$$\n\\frac{a}\n{b}\n$$\n\nThe end.');
	expect(html).toContain('$a^2$');
	expect(html).not.toMatch(/katex|clip-path|width: 1px/);
	await expect(page.locator('html.copying')).toHaveCount(0);
});

test('[P3] a message that is far away has the source of a formula once', async ({ page }) => {
	const texts = ['Question', 'An $e^{i\\pi}$ in it.', ...Array.from({ length: 60 }, (_, index) => `${index}: ${'word '.repeat(300)}`)];
	const stored = storedConversation(1, texts);
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	const message = page.locator(`article[data-id="${stored.messages[2]!.id}"]`);
	await expect(message).toHaveAttribute('data-measured', /\d/, { timeout: 60_000 });
	expect((await message.textContent())!.trim()).toBe('An $e^{i\\pi}$ in it.');
});

const hostile = [
	'$\\href{javascript:window.harmed=true}{\\text{click me}}$',
	'$\\includegraphics{https://tracker.example/pixel.png}$ $\\url{https://tracker.example}$',
	'$\\htmlStyle{position: fixed; inset: 0; background: red}{x}$ $\\htmlId{main}{x}$',
	'$\\text{<img src=x onerror=window.harmed=true>}$',
	'$\\color{url(https://tracker.example/a)} x$',
	'$\\rule{1000em}{1000em}$ and $\\raisebox{1000em}{\\rule{20em}{20em}}$ and $\\raisebox{-1000em}{\\rule{20em}{20em}}$',
	'$$\\kern-1000em\\rule{20em}{20em}$$',
	'$\\llap{\\rule{20em}{20em}}$ $\\hspace{-20em}\\rule{20em}{1em}$ $\\smash{\\rule[-10em]{20em}{20em}}$',
	'[bank](https://evil.example)$\\text{.com}$',
	`$\\def\\a{${'x'.repeat(400)}}${'\\a'.repeat(200)}$`,
	`$$\n\\edef\\a{xx}${'\\edef\\a{\\a\\a}'.repeat(130)}\n$$`,
	`$$\n${'{'.repeat(5000)}${'}'.repeat(5000)}\n$$`,
	`$$\n\\begin{matrix}${'&'.repeat(5000)}\\end{matrix}\n$$`,
	`$$\n${'\\sqrt{'.repeat(280)}x${'}'.repeat(280)}\n$$`
].join('\n\n');

/** Notes the longest gap between two timers of the page, from now on. */
function watchGaps(page: Page): Promise<void> {
	return page.evaluate(() => {
		let last = performance.now();
		setInterval(() => {
			const now = performance.now();
			const { dataset } = document.documentElement;
			dataset.gap = String(Math.max(Number(dataset.gap ?? 0), now - last));
			last = now;
		}, 5);
	});
}

const longestGap = (page: Page) => page.evaluate(() => Number(document.documentElement.dataset.gap));

test('[P8] hostile maths runs nothing, asks for nothing, covers nothing and stalls nothing', async ({ page, app }) => {
	const foreign: string[] = [];
	page.on('request', (request) => {
		if (![app.url, 'blob:', 'data:'].some((known) => request.url().startsWith(known))) foreign.push(request.url());
	});
	const stored = storedConversation(1, ['The question before', hostile, 'The question after', 'Fine.']);
	await page.goto('./');
	await withSessions(page, [stored]);
	await watchGaps(page);
	await page.locator(`a[href*="${stored.sessions.id}"]`).first().click();
	const article = said(page).assistant.first();
	await expect(article.locator('.math').first()).toBeAttached();
	await expect(article.locator('.math:not(.seen)')).toHaveCount(0);
	await expect(article.locator('[data-unfinished]')).toHaveCount(0);
	await expect(article.locator('.katex').first()).toBeAttached();
	expect(await longestGap(page)).toBeLessThan(1000);

	await expect(article.locator('.katex :is(a, img, script, iframe, [href], [src], [id])')).toHaveCount(0);
	await expect(article.getByText('(evil.example)')).toBeVisible();
	expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
	expect(foreign).toEqual([]);

	// No part of a formula is what one gets at any place outside of its own message.
	for (const message of [said(page).you.first(), said(page).you.last(), said(page).assistant.last()]) {
		// One that comes into sight is drawn anew.
		await expect(() => message.scrollIntoViewIfNeeded()).toPass();
		const covering = await page.evaluate(() => {
			const places = Array.from({ length: 40 * 30 }, (_, index) => [((index % 40) * innerWidth) / 40, (Math.floor(index / 40) * innerHeight) / 30] as const);
			const isOutside = (element: Element, [x, y]: readonly [number, number]) => {
				const box = element.closest('.math')!.closest('.markdown')!.getBoundingClientRect();
				return x < box.left - 4 || x > box.right + 4 || y < box.top - 4 || y > box.bottom + 4;
			};
			return places.filter((place) => document.elementsFromPoint(...place).some((element) => element.closest('.katex') && isOutside(element, place))).length;
		});
		expect(covering).toBe(0);
	}
});

test('[P3] an answer of 500 formulas is typeset in slices', async ({ page }) => {
	const formulas = Array.from({ length: 500 }, (_, index) => `Line ${index}: $\\int_0^{${index}} f(x)\\,dx = \\frac{${index}}{2}$.`);
	const stored = storedConversation(1, ['Please explain.', formulas.join('\n\n')]);
	await page.goto('./');
	await withSessions(page, [stored]);
	await watchGaps(page);
	await page.locator(`a[href*="${stored.sessions.id}"]`).first().click();
	await expect.poll(() => drawn(page).count(), { timeout: 60_000 }).toBeGreaterThan(300);
	await expect(said(page).assistant.locator('[data-unfinished]')).toHaveCount(0);
	expect(await longestGap(page)).toBeLessThan(1000);
});
