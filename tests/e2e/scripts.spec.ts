import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app';
import { said, storedConversation, withSessions } from './chat';
import { scripts } from '../fixtures/scripts';

test.use({ weights: 'none' });

type Script = keyof typeof scripts;
const rightToLeft = ['Arabic', 'Hebrew', 'Persian'] as const satisfies Script[];

async function withTexts(page: Page, ...texts: string[]): Promise<void> {
	const stored = storedConversation(1, texts);
	stored.sessions.title = scripts.Hebrew;
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
}

/** Tells at which side of its box the first character of a text stands. */
function sideOf(block: Locator): Promise<string> {
	return block.evaluate((element) => {
		const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()!;
		const range = document.createRange();
		range.setStart(text, 0);
		range.setEnd(text, 1);
		const [first, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
		return first.left - box.left < box.right - first.right ? 'left' : 'right';
	});
}

/** The lines that a text of one element is broken into, by where its characters stand. */
function linesOf(block: Locator): Promise<string[]> {
	return block.evaluate((element) => {
		const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
		const lines: string[] = [];
		let bottom = -Infinity;
		for (let node = walker.nextNode(); node; node = walker.nextNode()) {
			let offset = 0;
			for (const { segment } of new Intl.Segmenter().segment(node.textContent!)) {
				const range = document.createRange();
				range.setStart(node, offset);
				range.setEnd(node, (offset += segment.length));
				const box = range.getBoundingClientRect();
				// Marks and letters of other fonts reach below a line by a little.
				if (box.top > bottom - box.height / 2) lines.push('');
				bottom = Math.max(bottom, box.bottom);
				lines[lines.length - 1] += segment;
			}
		}
		return lines;
	});
}

const paragraphOf = (page: Page, script: Script) => said(page).assistant.locator('p', { hasText: scripts[script].slice(0, 12) });

test.beforeEach(async ({ page }) => page.setViewportSize({ width: 390, height: 844 }));

test('[P3] what is written from right to left begins at the right: paragraphs, lists, questions, what is typed; code does not', async ({ page }) => {
	const list = `- ${scripts.Hebrew}\n- ${scripts.Arabic}`;
	await withTexts(page, 'سلام! Snug؟\nIn English too.', [...Object.values(scripts), list, `> ${scripts.Arabic}`, `\`\`\`\n${scripts.Hebrew}\n\`\`\``].join('\n\n'));
	const answered = said(page).assistant;
	await expect(answered.locator('li')).toHaveCount(2);
	for (const script of Object.keys(scripts) as Script[]) {
		const expected = (rightToLeft as readonly string[]).includes(script) ? 'right' : 'left';
		expect(await sideOf(paragraphOf(page, script).first()), script).toBe(expected);
	}
	await expect(answered.locator('ul')).toHaveCSS('direction', 'rtl');
	expect(await sideOf(answered.locator('li').first())).toBe('right');
	await expect(answered.locator('blockquote')).toHaveCSS('border-right-width', '3px');
	await expect(answered.locator('pre')).toHaveCSS('direction', 'ltr');

	await expect(page.getByRole('heading', { level: 1 }).getByRole('button')).toHaveCSS('direction', 'rtl');

	const asked = said(page).you.locator('p');
	expect(await sideOf(asked)).toBe('right');
	// Its last word stands at the end of the line, left of the first.
	const [last, first] = await asked.evaluate((element) => {
		const leftOf = (wanted: string) => {
			const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
			for (let node = walker.nextNode(); node; node = walker.nextNode()) {
				const at = node.textContent!.indexOf(wanted);
				if (at < 0) continue;
				const range = document.createRange();
				range.setStart(node, at);
				range.setEnd(node, at + wanted.length);
				return range.getBoundingClientRect().left;
			}
			return Number.NaN;
		};
		return [leftOf('Snug'), leftOf('سلام')];
	});
	expect(last).toBeLessThan(first!);
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveCSS('unicode-bidi', 'plaintext');
});

test('[P3] lines break where a script allows it, and never within a character', async ({ page }) => {
	await withTexts(page, 'Please write.', Object.values(scripts).join('\n\n'));
	for (const script of Object.keys(scripts) as Script[]) {
		// Before it is drawn, an answer is one paragraph.
		await expect(paragraphOf(page, script)).toHaveText(scripts[script]);
		const lines = await linesOf(paragraphOf(page, script));
		expect(lines.join(''), script).toBe(scripts[script]);
		const starts = lines.slice(1).map((_, index) => lines.slice(0, index + 1).join('').length);
		if (script === 'Chinese' || script === 'Japanese') {
			expect(lines.length).toBeGreaterThan(1);
			for (const line of lines.slice(1)) expect(line, script).not.toMatch(/^[、。，」：]/);
			for (const line of lines) expect(line, script).not.toMatch(/「$/);
		} else if (script === 'Thai') {
			expect(lines.length).toBeGreaterThan(1);
			const words = new Set([...new Intl.Segmenter('th', { granularity: 'word' }).segment(scripts[script])].map(({ index }) => index));
			for (const start of starts) expect(words.has(start), `${script}: ${lines.join(' | ')}`).toBe(true);
			// Browsers break Korean between any two syllables.
		} else if (script !== 'Korean') for (const start of starts) expect(scripts[script][start - 1], `${script}: ${lines.join(' | ')}`).toBe(' ');
		const isWide = await paragraphOf(page, script).evaluate((element) => element.scrollWidth > element.clientWidth);
		expect(isWide, script).toBe(false);
	}
});
