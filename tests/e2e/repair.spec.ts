import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, chooseServer, rowsOf, say, storedSession, withSessions } from './chat';

test.use({ weights: 'none' });

/** Writes to what is stored, behind the app's back. `version` makes it a newer one's. */
function tamper(page: Page, table: string, change: 'break the answer' | 'delete all', version?: number): Promise<void> {
	return page.evaluate(
		([table, change, version]) =>
			new Promise<void>((resolve, reject) => {
				const request = indexedDB.open('snug', version);
				request.onerror = () => reject(request.error!);
				request.onsuccess = () => {
					const db = request.result;
					const transaction = db.transaction(table, 'readwrite');
					const store = transaction.objectStore(table);
					if (change === 'delete all') store.clear();
					else {
						const all = store.getAll();
						all.onsuccess = () => {
							const row = (all.result as { role: string; parts: unknown }[]).find(({ role }) => role === 'assistant')!;
							store.put({ ...row, parts: 'gone' });
						};
					}
					transaction.oncomplete = () => (db.close(), resolve());
				};
			}),
		[table, change, version] as const
	);
}

async function axe(page: Page): Promise<void> {
	const { violations } = await new AxeBuilder({ page }).analyze();
	expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
}

test('[R6] the repair page looks at every row also where a link leads to it from the app, and that works on when one goes back', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [storedSession(1)]);
	await page.goto('./settings/storage');
	await expect(page.getByRole('link', { name: 'Session 1' }).first()).toBeVisible();
	await page.getByRole('link', { name: 'Check every row' }).click();
	await expect(page.getByText('Every row is valid')).toBeVisible();
	await page.goBack();
	await page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: 'Session 1' }).click();
	await expect(page.getByRole('log', { name: 'Conversation' })).toBeVisible();
});

for (const [colorScheme, width] of [
	['light', 1280],
	['dark', 390]
] as const) {
	test(`[P2] [R6] the repair page finds what is broken and repairs it (${colorScheme}, ${width} pixels)`, async ({ page, server }) => {
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 800 });
		await page.goto('./');
		await chooseServer(page, server.url, 'echo');
		await say(page, 'Remember this');
		await answer(page);
		const before = await rowsOf(page, 'messages');
		// Nothing of the app runs here, so nothing reads the rows before the page looks at them.
		await page.goto('./repair');
		await expect(page.getByText('Every row is valid')).toBeVisible();
		await axe(page);

		await tamper(page, 'messages', 'break the answer');
		await tamper(page, 'trees', 'delete all');
		await tamper(page, 'sessions', 'delete all');
		await page.getByRole('button', { name: 'Check again' }).click();
		await expect(page.getByText('Its field “parts” is "gone", where a list belongs.')).toBeVisible();
		await axe(page);
		await page.getByRole('button', { name: 'Move 1 row to the quarantine' }).click();
		await expect(page.getByRole('heading', { name: 'Quarantine' })).toBeVisible();
		await page.getByRole('button', { name: /^Make a chat/ }).click();
		await expect(page.getByText('1 row was quarantined (see Quarantine below). Every other row is valid, and every chat is complete.')).toBeVisible();
		await expect(page.getByText('Every row is valid')).toHaveCount(0);
		await page.getByText('Original row').click();
		await expect(page.getByRole('textbox', { name: 'Original row' })).toHaveValue(/"parts": "gone"/);
		await axe(page);

		const raw = page.waitForEvent('download');
		await page.getByRole('button', { name: 'Download raw data' }).click();
		expect((await raw).suggestedFilename()).toMatch(/^snug-raw-.*\.jsonl\.gz$/);
		const set = page.waitForEvent('download');
		await page.getByRole('button', { name: 'Download quarantined rows' }).click();
		expect((await set).suggestedFilename()).toMatch(/^snug-quarantine-.*\.jsonl$/);

		await page.getByRole('link', { name: 'Back to Snug' }).click();
		if (width < 800) await page.getByRole('button', { name: 'Show chats' }).click();
		await page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /Remember this/ }).click();
		await expect(page.getByRole('article', { name: 'You' })).toHaveText(/Remember this/);
		expect(await rowsOf(page, 'messages')).toHaveLength(before.length);
	});
}

test('[P2] what an older tab does in the background ends without an error when a newer one takes the database over', async ({ page, context, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'echo');
	await say(page, 'Remember this');
	await answer(page);
	// The sweep of files asks first; then the rule of retention asks which chats are open, before it looks for old ones.
	await page.addInitScript(() => {
		const { locks } = navigator;
		const query = locks.query.bind(locks);
		const asked = new Promise<void>((resolve) => addEventListener('goon', () => resolve()));
		let sweeps = true;
		locks.query = async () => {
			if (sweeps) {
				sweeps = false;
				return query();
			}
			document.documentElement.setAttribute('asked', '');
			await asked;
			const state = await query();
			// A failure that follows is told by then.
			setTimeout(() => document.documentElement.setAttribute('answered', ''), 100);
			return state;
		};
	});
	await page.goto('./');
	await expect(page.locator('html[asked]')).toBeAttached();
	const newer = await context.newPage();
	await newer.goto('./repair');
	await expect(newer.getByText('Every row is valid')).toBeVisible();
	await tamper(newer, 'quarantine', 'delete all', 990);
	await expect(page.getByRole('alert')).toHaveText(/A newer version of Snug was opened in another tab/);
	await page.evaluate(() => void dispatchEvent(new Event('goon')));
	await expect(page.locator('html[answered]')).toBeAttached();
	await expect(page.getByRole('alert')).toHaveText(/A newer version of Snug was opened in another tab/);
});

test('[P2] an older tab is told of a newer one, which refuses it after a reload and can still be looked into', async ({ page, context, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'echo');
	await say(page, 'Remember this');
	await answer(page);
	await page.goto('./');
	const newer = await context.newPage();
	await newer.goto('./repair');
	await expect(newer.getByText('Every row is valid')).toBeVisible();
	await tamper(newer, 'quarantine', 'delete all', 990);
	await expect(page.getByRole('alert')).toHaveText(/A newer version of Snug was opened in another tab/);
	await page.getByRole('button', { name: 'Reload' }).click();
	await expect(page.getByRole('alert')).toHaveText(/A newer version of Snug wrote this data/);
	await page.getByRole('link', { name: 'Open the repair page' }).click();
	await expect(page.getByText('is of version 99')).toBeVisible();
	expect(await rowsOf(page, 'messages')).toHaveLength(3);
});
