// Two real tabs that send into one session and rob each other of it, for as long as asked. `npm run soak` does it for longer.
import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, rowsOf, said, say, useServer } from './chat';

const seconds = Number(process.env.SNUG_SECONDS ?? 10);

/** Number of messages that are sent, and of take-overs, at least. */
const enough = 4;

test.use({ weights: 'none' });
test.setTimeout(150_000 + seconds * 1000);

interface Row {
	id: string;
	parentId: string | null;
	depth: number;
	role: string;
	parts: { type: string; text?: string }[];
}

/** Sends for as long as `goesOn`; takes over whenever it can't. What the page showed as sent is noted. */
async function hammer(page: Page, name: string, goesOn: () => boolean, sent: Set<string>, taken: { count: number }): Promise<void> {
	for (let number = 0; goesOn(); number++) {
		const take = page.getByRole('button', { name: 'Take over' });
		if (await take.isVisible()) {
			await take.click({ timeout: 5000 }).catch(() => undefined);
			taken.count++;
		}
		const text = `${name} ${number}`;
		const field = page.getByRole('textbox', { name: 'Message' });
		if (!(await field.isEditable())) continue;
		await field.fill(text, { timeout: 5000 }).catch(() => undefined);
		await field.press('Enter');
		const shown = await said(page)
			.you.filter({ has: page.getByText(text, { exact: true }) })
			.first()
			.waitFor({ timeout: 1000 })
			.then(() => true, () => false);
		if (shown) sent.add(text);
	}
}

test(`[A5] two tabs hammer one session and each other’s lock for ${seconds} s: nothing is lost, nothing doubled`, async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo@5');
	await say(page, 'Begin');
	await answer(page);
	const second = await context.newPage();
	await second.goto(page.url());
	const sent = new Set<string>();
	const taken = { count: 0 };
	const begun = Date.now();
	// A busy machine has less done in that time: then it goes on until enough was.
	const goesOn = () => Date.now() < begun + seconds * 1000 || ((taken.count < enough || sent.size < enough) && Date.now() < begun + seconds * 1000 + 60_000);
	await Promise.all([hammer(page, 'left', goesOn, sent, taken), hammer(second, 'right', goesOn, sent, taken)]);

	const rows = await rowsOf<Row>(page, 'messages');
	const texts = rows.filter(({ role }) => role === 'user').map(({ parts }) => parts[0]?.text ?? '');
	expect([...sent].filter((text) => texts.filter((other) => other === text).length !== 1)).toEqual([]);
	expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
	const byId = new Map(rows.map((row) => [row.id, row]));
	for (const { parentId, depth } of rows) expect(depth).toBe(parentId === null ? 0 : byId.get(parentId)!.depth + 1);
	console.log(`${sent.size} messages sent by two tabs, ${taken.count} take-overs`);
	expect(taken.count).toBeGreaterThanOrEqual(enough);
	expect(sent.size).toBeGreaterThanOrEqual(enough);

	// No deadlock: either tab can still have it and write.
	for (const [tab, text] of [[page, 'The end of the left'], [second, 'The end of the right']] as const) {
		const sentLast = said(tab).you.filter({ has: tab.getByText(text, { exact: true }) });
		await expect(async () => {
			const take = tab.getByRole('button', { name: 'Take over' });
			if (await take.isVisible()) await take.click({ timeout: 2000 });
			if ((await sentLast.count()) === 0) await say(tab, text);
			await expect(sentLast).toBeVisible({ timeout: 3000 });
		}).toPass({ timeout: 30_000 });
		await answer(tab);
	}
});
