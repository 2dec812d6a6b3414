import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { putRows, storedSession } from './chat';

test.use({ weights: 'none' });

const sessions = (page: Page) => page.getByRole('navigation', { name: 'Sessions' });

test('[P8] rows that nothing can draw cost neither the lists nor the repair page', async ({ page, expectConsole }) => {
	expectConsole.push(/could not be drawn/);
	await page.goto('./repair');
	await page.goto('./');
	// By then there is a database.
	await expect(sessions(page)).toContainText('Your chats will be listed here');
	const [good, late, odd] = [storedSession(1), storedSession(2, { updatedAt: 8.7e15 }), storedSession(3)];
	await page.goto('./repair');
	await expect(page.getByText('Every row is as it should be')).toBeVisible();
	await putRows(page, {
		sessions: [good.sessions, late.sessions, { ...odd.sessions, id: '/x' }],
		messages: [...good.messages, ...late.messages],
		trees: [good.trees, late.trees],
		positions: [good.positions, late.positions],
		quarantine: [
			{ id: 'a', table: 'messages', key: 1, row: {}, reason: 'odd', at: 'x' },
			{ id: 'b' },
			{ id: 'd', table: 'messages', key: 1, row: {}, reason: { toString: 1, valueOf: 1 }, at: 1 },
			{ id: 'c', table: {}, key: [], row: null, reason: [1], at: 8.7e15 }
		]
	});
	await page.getByRole('button', { name: 'Check again' }).click();
	await expect(page.getByRole('heading', { name: 'Quarantine' })).toBeVisible();
	await expect(page.getByRole('region', { name: 'Quarantine' }).getByRole('listitem')).toHaveCount(4);
	await expect(page.getByRole('region', { name: 'Quarantine' }).getByText('This row can’t be shown.')).toHaveCount(1);
	await expect(page.getByRole('region', { name: 'Quarantine' }).getByText('odd')).toBeVisible();
	await expect(page.getByText(/Its field “updatedAt” is 8700000000000000/)).toBeVisible();
	await expect(page.getByText(/Its field “id” is "\/x"/)).toBeVisible();

	await page.goto('./');
	await expect(sessions(page).getByRole('link', { name: /Session 1/ })).toBeVisible();
	await page.goto('./sessions');
	await expect(page.getByRole('table', { name: 'All chats' }).getByRole('link', { name: /Session 1/ })).toBeVisible();
	await page.goto('./repair');
	await expect(page.getByRole('region', { name: 'Quarantine' }).getByRole('listitem')).not.toHaveCount(0);
});
