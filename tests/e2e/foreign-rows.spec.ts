import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { inSessionMenu, putRows, storedConversation, storedSession, withSessions } from './chat';

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

test('[P8] what a row has twice is drawn: each file of a draft can be removed before it is sent, and the details and completions are whole', async ({ page }) => {
	await page.goto('./');
	const chat = storedConversation(1, ['Same', 'Answer', 'Same', 'Answer']);
	const labels = Object.fromEntries([1, 3].map((depth) => [chat.messages[depth]!.id, 'spot']));
	const file = { type: 'file', attachmentId: 'a'.repeat(64), mediaType: 'text/plain', name: 'hidden.txt' };
	await putRows(page, { drafts: [{ sessionId: chat.sessions.id, composer: '', attachments: [file, file] }] });
	await withSessions(page, [{ ...chat, sessions: { ...chat.sessions, filesTouched: ['a.md', 'a.md'] }, trees: { ...chat.trees, labels } }]);
	await page.goto(`./s/${chat.sessions.id}`);
	const files = page.getByRole('list', { name: 'Attached files' });
	await expect(files).toContainText('hidden.txt');
	await files.getByRole('button', { name: /Remove/ }).click();
	await expect(files).toHaveCount(0);

	await page.getByRole('textbox', { name: 'Message' }).fill('/branch spot');
	await expect(page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')).toHaveCount(2);
	await page.getByRole('textbox', { name: 'Message' }).fill('');
	await inSessionMenu(page, 'Details');
	await expect(page.getByRole('dialog').getByText('a.md')).toHaveCount(2);
});
