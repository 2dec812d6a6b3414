// What scroll bars take of the room: how much that is, and what is measured with them, differs between browsers.
import { expect, test } from './app';
import { askToo, say, useServer } from './chat';

test.use({ weights: 'none' });

for (const width of [1280, 390]) {
	test(`[P3] [P10] two answers are no wider than there is room beside the scroll bar (${width} pixels)`, async ({ page, server }) => {
		await page.setViewportSize({ width, height: 800 });
		await page.goto('./');
		await useServer(page, server.url, 'echo');
		await askToo(page, 'reasoning');
		await say(page, 'Hello there. '.repeat(300));
		const pair = page.getByRole('group', { name: 'Two answers' });
		await expect(pair.getByRole('button', { name: 'Keep this one' }).first()).toBeVisible();
		const log = page.getByRole('log');
		// As far from the edges of the room as everything in the conversation.
		const rest = () => log.evaluate((log) => log.clientWidth - log.querySelector('[aria-label="Two answers"]')!.getBoundingClientRect().width);
		await expect.poll(rest).toBe(40);
		expect(await log.evaluate((log) => [log.scrollHeight > log.clientHeight, log.scrollWidth - log.clientWidth])).toEqual([true, 0]);
	});
}
