import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { ask, expectAccessible, holdRows, inMessageMenu, inSessionMenu, newChat, refusals, refuseRows, rowsOf, said, storedId, useServer, openPanel } from './chat';

test.use({ weights: 'none' });

interface Row {
	sessionId: string;
	name: string;
	content: string;
}

/** The panel, opened. */
async function notesOf(page: Page) {
	await openPanel(page, 'Notes');
	return page.getByRole('complementary', { name: 'Notes' });
}

async function addTask(page: Page, task: string): Promise<void> {
	await page.getByRole('textbox', { name: 'New task' }).fill(task);
	await page.getByRole('button', { name: 'Add', exact: true }).click();
	await expect(page.getByRole('checkbox', { name: task, exact: true })).toBeVisible();
}

/** Writes a note, and waits until it is stored. */
async function addNote(page: Page, name: string, text: string): Promise<void> {
	await page.getByRole('textbox', { name: 'Name of the new note' }).fill(name);
	await page.getByRole('button', { name: 'New note' }).click();
	await expect(page.getByRole('textbox', { name: `Text of note ${name}` })).toBeFocused();
	await page.keyboard.type(text);
	await expect.poll(async () => (await rowsOf<Row>(page, 'scratchpad')).map(({ content }) => content)).toContain(text);
}

/** Types on without a pause, in the page itself, until the note that is written is stored, for 200 keys at most. */
function typeOn(page: Page): Promise<void> {
	return page.evaluate(async () => {
		const request = indexedDB.open('snug');
		const db = await new Promise<IDBDatabase>((resolve) => (request.onsuccess = () => resolve(request.result)));
		let stored: string | undefined;
		const read = () => {
			const all = db.transaction('scratchpad').objectStore('scratchpad').getAll();
			return new Promise<string>((resolve) => (all.onsuccess = () => resolve(JSON.stringify(all.result))));
		};
		const before = await read();
		for (let keys = 0; keys < 200 && (stored ?? before) === before; keys++) {
			document.execCommand('insertText', false, '0');
			void read().then((now) => (stored = now));
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		db.close();
	});
}

/** A new chat with its panel open, which is returned. */
async function planTrip(page: Page, server: string) {
	await page.goto('./');
	await useServer(page, server, 'echo');
	await ask(page, 'Plan a trip');
	return notesOf(page);
}

test('[A7] a session has a to-do list: add, edit, check off, put in order, delete; it is there after a reload', async ({ page, server }) => {
	await planTrip(page, server.url);
	for (const task of ['Pack', 'Book', 'Worry']) await addTask(page, task);
	await page.getByRole('checkbox', { name: 'Pack' }).check();
	await page.getByRole('textbox', { name: 'Text of task “Book”' }).fill('Book a room');
	await page.getByRole('button', { name: 'Move “Book a room” up' }).click();
	await page.getByRole('button', { name: 'Delete “Worry”' }).click();
	await expect(page.getByText('1 of 2 done')).toBeVisible();
	await expect.poll(() => rowsOf<Row>(page, 'scratchpad')).toMatchObject([{ name: 'todo', content: '- [ ] Book a room\n- [x] Pack' }]);

	await page.reload();
	const panel = await notesOf(page);
	const tasks = panel.getByRole('list', { name: 'To do' }).getByRole('checkbox');
	await expect(tasks).toHaveCount(2);
	await expect(tasks.first()).toHaveAccessibleName('Book a room');
	await expect(tasks.first()).not.toBeChecked();
	await expect(tasks.last()).toHaveAccessibleName('Pack');
	await expect(tasks.last()).toBeChecked();
});

test('[A7] [A14] a deleted task comes back into the list as it is by then, also when the list is no longer open', async ({ page, server }) => {
	await planTrip(page, server.url);
	for (const task of ['Pack', 'Worry']) await addTask(page, task);
	await page.getByRole('button', { name: 'Delete “Worry”' }).click();
	await addTask(page, 'Rest');
	await page.getByRole('textbox', { name: 'Text of task “Pack”' }).fill('Pack a bag');
	await newChat(page);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect.poll(() => rowsOf<Row>(page, 'scratchpad')).toMatchObject([{ name: 'todo', content: '- [ ] Pack a bag\n- [ ] Worry\n- [ ] Rest' }]);
});

test('[A7] a session has notes by name: write, rename, delete and undo; they are there after a reload', async ({ page, server }) => {
	const panel = await planTrip(page, server.url);
	await addNote(page, 'Budget', '500 euros');
	await panel.getByRole('textbox', { name: 'Name of the new note' }).fill('Budget');
	await panel.getByRole('button', { name: 'New note' }).click();
	await expect(panel.getByRole('alert')).toHaveText('There is a note “Budget” already.');
	await panel.getByRole('button', { name: 'Rename note Budget' }).click();
	await panel.getByRole('textbox', { name: 'New name of the note' }).fill('Money');
	await page.keyboard.press('Enter');
	await expect(panel.getByRole('region', { name: 'Budget' })).toBeHidden();
	await expect(panel.getByRole('textbox', { name: 'Text of note Money' })).toHaveValue('500 euros');

	await panel.getByRole('button', { name: 'Delete note Money' }).click();
	await expect(panel.getByRole('region', { name: 'Money' })).toBeHidden();
	expect(await rowsOf(page, 'scratchpad')).toEqual([]);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(panel.getByRole('textbox', { name: 'Text of note Money' })).toHaveValue('500 euros');
	await page.reload();
	await notesOf(page);
	await expect(panel.getByRole('textbox', { name: 'Text of note Money' })).toHaveValue('500 euros');
	await expect(panel.getByRole('region')).toHaveCount(2);
});

test('[A7] [E11] what is typed in a note while it is renamed or deleted goes with it', async ({ page, server }) => {
	await planTrip(page, server.url);
	await addNote(page, 'Budget', 'first words');
	const notes = async () => (await rowsOf<Row>(page, 'scratchpad')).map(({ name, content }) => [name, content]);
	await page.getByRole('button', { name: 'Rename note Budget' }).click();
	await page.getByRole('textbox', { name: 'New name of the note' }).fill('Money');
	let release = await holdRows(page, 'scratchpad');
	await page.keyboard.press('Enter');
	await page.getByRole('textbox', { name: 'Text of note Budget' }).focus();
	await page.keyboard.press('ControlOrMeta+End');
	await page.keyboard.type(' and more', { delay: 20 });
	await release();
	await expect.poll(notes).toEqual([['Money', 'first words and more']]);
	await expect(page.getByRole('textbox', { name: 'Text of note Money' })).toHaveValue('first words and more');

	release = await holdRows(page, 'scratchpad');
	await page.getByRole('button', { name: 'Delete note Money' }).click();
	await page.getByRole('textbox', { name: 'Text of note Money' }).focus();
	await page.keyboard.press('ControlOrMeta+End');
	await page.keyboard.type(' still', { delay: 20 });
	await release();
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect.poll(notes).toEqual([['Money', 'first words and more still']]);
});

test('[A7] [E11] a note and a task are stored while one types on, and are there after a reload', async ({ page, server }) => {
	await planTrip(page, server.url);
	await addTask(page, 'Pack');
	await addNote(page, 'Budget', '5');
	const stored = async (name: string) => (await rowsOf<Row>(page, 'scratchpad')).find((row) => row.name === name)!.content;
	for (const [field, name] of [
		['Text of note Budget', 'Budget'],
		['Text of task “Pack”', 'todo']
	] as const) {
		const before = await stored(name);
		await page.getByRole('textbox', { name: field }).press('End');
		await typeOn(page);
		expect(await stored(name)).not.toBe(before);
	}
	const text = await page.getByRole('textbox', { name: 'Text of note Budget' }).inputValue();
	await expect.poll(() => stored('Budget')).toBe(text);
	await page.reload();
	await notesOf(page);
	await expect(page.getByRole('textbox', { name: 'Text of note Budget' })).toHaveValue(text);
});

test('[A7] [E11] a note and a task that the store refuses are stored as soon as it takes them', async ({ page, server }) => {
	await planTrip(page, server.url);
	await addTask(page, 'Pack');
	await addNote(page, 'Budget', '500 euros');
	await refuseRows(page, ['scratchpad']);
	await page.getByRole('textbox', { name: 'Text of note Budget' }).fill('600 euros');
	await page.getByRole('textbox', { name: 'Text of task “Pack”' }).fill('Pack a bag');
	const refused = page.getByText(/no space left/);
	await expect(refused).toHaveCount(1);
	await page.getByRole('button', { name: 'Close', exact: true }).click();
	await newChat(page);
	await refuseRows(page, []);
	await expect.poll(async () => (await rowsOf<Row>(page, 'scratchpad')).map(({ content }) => content)).toEqual(['600 euros', '- [ ] Pack a bag']);
	await expect(refused).toHaveCount(0);
});

test('[A7] [E11] a task that the store refuses is in the list after a reload, once, and stored as soon as it can be', async ({ page, server }) => {
	await planTrip(page, server.url);
	await refuseRows(page, ['scratchpad']);
	const field = page.getByRole('textbox', { name: 'New task' });
	await field.fill('Call the doctor');
	await field.press('Enter');
	await expect(field).toHaveValue('');
	await expect(page.getByText(/no space left/)).toBeVisible();
	await field.fill('Another');
	await field.fill('');
	page.on('dialog', (dialog) => void dialog.accept());
	await page.reload();
	await notesOf(page);
	await expect(page.getByRole('checkbox', { name: 'Call the doctor' })).toBeVisible();
	await expect(field).toHaveValue('');
	await expect.poll(async () => (await rowsOf<Row>(page, 'scratchpad')).map(({ content }) => content)).toEqual(['- [ ] Call the doctor']);
	await page.reload();
	await notesOf(page);
	await expect(page.getByRole('checkbox', { name: 'Call the doctor' })).toBeVisible();
	await expect(field).toHaveValue('');
});

test('[A7] [E11] a reload while the store takes its time loses nothing that was typed in a note or a task', async ({ page, context, server }) => {
	await planTrip(page, server.url);
	await addTask(page, 'Pack');
	await addNote(page, 'Budget', '500 euros');
	await expect.poll(async () => (await rowsOf<Row>(page, 'scratchpad')).length).toBe(2);
	const other = await context.newPage();
	await other.goto('./settings');
	const release = await holdRows(other, 'trees');
	await page.bringToFront();
	await page.getByRole('textbox', { name: 'Text of note Budget' }).fill('600 euros');
	await page.getByRole('textbox', { name: 'Text of task “Pack”' }).fill('Pack a bag');
	await page.reload({ waitUntil: 'commit' });
	await release();
	await notesOf(page);
	await expect(page.getByRole('textbox', { name: 'Text of note Budget' })).toHaveValue('600 euros');
	await expect.poll(async () => (await rowsOf<Row>(page, 'scratchpad')).map(({ content }) => content)).toEqual(['600 euros', '- [ ] Pack a bag']);
});

test('[A7] [E11] a task that a page of an earlier version has kept is in its field', async ({ page, server }) => {
	await planTrip(page, server.url);
	await page.evaluate(() => sessionStorage.setItem(`snug:task:${location.pathname.split('/').at(-1)}`, '["Buy tickets"]'));
	await page.reload();
	await notesOf(page);
	await expect(page.getByRole('textbox', { name: 'New task' })).toHaveValue('Buy tickets');
});

test('[A7] [E11] a task is said to be deleted once it is', async ({ page, server }) => {
	await planTrip(page, server.url);
	await addTask(page, 'Pack');
	await expect.poll(async () => (await rowsOf<Row>(page, 'scratchpad')).length).toBe(1);
	await refuseRows(page, ['scratchpad']);
	await page.getByRole('button', { name: 'Delete “Pack”' }).click();
	await expect(page.getByText('Task deleted here, but not stored yet.')).toBeVisible();
	await refuseRows(page, []);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect.poll(async () => (await rowsOf<Row>(page, 'scratchpad')).map(({ content }) => content)).toEqual(['- [ ] Pack']);
	await page.getByRole('button', { name: 'Delete “Pack”' }).click();
	await expect(page.getByText('Task deleted.')).toBeVisible();
	expect((await rowsOf<Row>(page, 'scratchpad')).map(({ content }) => content)).toEqual(['']);
});

for (const width of [390, 820]) {
	test(`[E11] what the store refuses is seen over a panel that covers the chat, at ${width} px`, async ({ page, server }) => {
		await page.setViewportSize({ width, height: 844 });
		await planTrip(page, server.url);
		await refuseRows(page, ['scratchpad']);
		await page.getByRole('textbox', { name: 'New task' }).fill('Pack');
		await page.keyboard.press('Enter');
		await expect(page.getByText(/no space left/)).toHaveCount(1);
		// Playwright clicks nothing that lies behind the panel.
		await page.getByRole('button', { name: 'Dismiss' }).click();
		await expect(page.getByText(/no space left/)).toHaveCount(0);
	});
}

test('[E11] that something is not stored is said as long as anything is not', async ({ page, server }) => {
	await planTrip(page, server.url);
	await addNote(page, 'Budget', 'first words');
	await refuseRows(page, ['scratchpad', 'drafts']);
	await page.getByRole('textbox', { name: 'Text of note Budget' }).fill('600 euros');
	await expect(page.getByText(/no space left/)).toBeVisible();
	const before = await refusals(page);
	await page.getByRole('textbox', { name: 'Message' }).fill('x');
	await expect.poll(() => refusals(page)).toBeGreaterThan(before);
	await expect(page.getByText(/no space left/)).toHaveCount(1);
	await page.getByRole('textbox', { name: 'Message' }).fill('');
	const after = await refusals(page);
	await expect.poll(() => refusals(page), { timeout: 30_000 }).toBeGreaterThan(after + 1);
	await expect(page.getByText(/no space left/)).toBeVisible();
	await page.getByRole('button', { name: 'Dismiss' }).click();
	await page.getByRole('textbox', { name: 'Message' }).fill('y');
	await expect(page.getByText(/no space left/)).toHaveCount(1);
	await refuseRows(page, []);
	await expect(page.getByText(/no space left/)).toBeHidden({ timeout: 30_000 });
	expect((await rowsOf<Row>(page, 'scratchpad')).map(({ content }) => content)).toEqual(['600 euros']);
});

test('[E11] what the store refuses is still said where the panel is open and the chat is not there', async ({ page, server }) => {
	await page.setViewportSize({ width: 820, height: 844 });
	await planTrip(page, server.url);
	await refuseRows(page, ['scratchpad']);
	await page.getByRole('textbox', { name: 'New task' }).fill('Pack');
	await page.keyboard.press('Enter');
	await expect(page.getByText(/no space left/)).toBeVisible();
	await page.evaluate((id) => {
		const link = document.createElement('a');
		link.href = `/s/${id}`;
		document.body.append(link);
		link.click();
	}, storedId(77));
	await expect(page.getByRole('heading', { name: 'Chat not found' })).toBeVisible();
	await expect(page.getByText(/no space left/)).toBeVisible();
});

test('[A7] [A14] a note and a task that are brought back while their chat is deleted come back with it', async ({ page, server }) => {
	await planTrip(page, server.url);
	const url = page.url();
	await addTask(page, 'Pack');
	await addNote(page, 'Budget', '500 euros');
	await page.getByRole('button', { name: 'Delete “Pack”' }).click();
	await page.getByRole('button', { name: 'Delete note Budget' }).click();
	await expect(page.getByText('Note “Budget” deleted.')).toBeVisible();
	await inSessionMenu(page, 'Delete chat');
	const undo = (what: string) => page.getByText(what, { exact: true }).locator('..').getByRole('button', { name: 'Undo' });
	await undo('Task deleted.').click();
	await undo('Note “Budget” deleted.').click();
	await undo('Chat deleted.').click();
	await expect.poll(() => rowsOf(page, 'sessions')).toHaveLength(1);
	expect((await rowsOf<Row>(page, 'scratchpad')).map(({ content }) => content)).toEqual(['500 euros', '- [ ] Pack']);
	await page.goto(url);
	await notesOf(page);
	await expect(page.getByRole('textbox', { name: 'Text of note Budget' })).toHaveValue('500 euros');
});

test('[A7] [E11] a task and a name that are not added yet stay with their chat, in this tab, until they are or it is deleted', async ({ page, server }) => {
	await planTrip(page, server.url);
	const task = page.getByRole('textbox', { name: 'New task' });
	const name = page.getByRole('textbox', { name: 'Name of the new note' });
	await task.fill('Pack a ba');
	await name.fill('Budg');
	await page.getByRole('button', { name: 'Close', exact: true }).click();
	await notesOf(page);
	await expect(task).toHaveValue('Pack a ba');
	await expect(name).toHaveValue('Budg');
	const url = page.url();
	await newChat(page);
	await ask(page, 'Buy a house');
	await expect(task).toHaveValue('');
	await expect(name).toHaveValue('');
	await page.goto(url);
	await notesOf(page);
	await expect(task).toHaveValue('Pack a ba');
	await expect(name).toHaveValue('Budg');
	await addTask(page, 'Pack a bag');
	await addNote(page, 'Budget', '500 euros');
	await page.reload();
	await notesOf(page);
	await expect(task).toHaveValue('');
	await expect(name).toHaveValue('');

	await task.fill('Forget');
	await name.fill('this');
	await inSessionMenu(page, 'Delete chat');
	await expect(page.getByText('Chat deleted.')).toBeVisible();
	expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toMatch(/Forget|this/);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect.poll(() => rowsOf(page, 'sessions')).toHaveLength(2);
	await page.goto(url);
	await notesOf(page);
	await expect(task).toHaveValue('Forget');
	await expect(name).toHaveValue('this');
});

test('[A7] notes outlive the messages: a redaction and a deleted branch leave them', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'One');
	await ask(page, 'Two');
	await notesOf(page);
	await addTask(page, 'Pack');
	await addNote(page, 'Budget', '500 euros');
	const before = await rowsOf(page, 'scratchpad');
	const { you } = said(page);
	await inMessageMenu(page, you.first(), 'Erase text');
	await expect(you.first()).toContainText('Text erased');
	await inMessageMenu(page, you.last(), 'Delete from here on');
	await expect(you).toHaveCount(1);
	// Both are carried out once they can't be undone any more.
	await expect.poll(async () => (await rowsOf(page, 'messages')).length, { timeout: 20_000 }).toBe(3);
	await expect.poll(() => rowsOf(page, 'trash'), { timeout: 20_000 }).toEqual([]);
	expect(await rowsOf(page, 'scratchpad')).toEqual(before);
	await expect(page.getByRole('textbox', { name: 'Text of note Budget' })).toHaveValue('500 euros');
});

test('[A7] two sessions may use one name, and a session takes its notes along when it is deleted', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Plan a trip');
	const kept = page.url();
	await notesOf(page);
	await addNote(page, 'Budget', '500 euros');
	await newChat(page);
	await ask(page, 'Buy a house');
	const text = page.getByRole('textbox', { name: 'Text of note Budget' });
	await expect(page.getByRole('textbox', { name: 'Name of the new note' })).toBeVisible();
	await expect(text).toHaveCount(0);
	await addNote(page, 'Budget', '500 000 euros');
	await addTask(page, 'Save up');

	await inSessionMenu(page, 'Delete chat');
	const rest = async () => (await rowsOf<Row>(page, 'scratchpad')).map(({ name, content }) => `${name}: ${content}`);
	await expect.poll(rest, { timeout: 20_000 }).toEqual(['Budget: 500 euros']);
	await page.goto(kept);
	await notesOf(page);
	await expect(text).toHaveValue('500 euros');
});

for (const [colorScheme, width] of [
	['light', 1280],
	['dark', 390]
] as const) {
	test(`[A7] [A5] a second tab reads the notes, live, and can’t change them (${colorScheme}, ${width} pixels)`, async ({ page, context, server }) => {
		for (const tab of [page, await context.newPage()]) {
			await tab.emulateMedia({ colorScheme });
			await tab.setViewportSize({ width, height: 800 });
		}
		const second = context.pages().at(-1)!;
		await page.goto('./');
		await useServer(page, server.url, 'echo');
		await ask(page, 'Plan a trip');
		await notesOf(page);
		await addTask(page, 'Pack');
		await addNote(page, 'Budget', '500 euros');
		await expectAccessible(page, 'notes to write');

		await second.goto(page.url());
		await notesOf(second);
		const text = second.getByRole('textbox', { name: 'Text of note Budget' });
		await expect(text).toHaveValue('500 euros');
		await expect(text).toHaveAttribute('readonly', '');
		await expect(second.getByText('This chat is open in another tab. Notes are read-only here.')).toBeVisible();
		await expect(second.getByRole('checkbox', { name: 'Pack' })).toBeDisabled();
		await expect(second.getByRole('button', { name: /note|Pack|^Add$/ })).toHaveCount(0);
		await expectAccessible(second, 'notes to read');
		await page.getByRole('checkbox', { name: 'Pack' }).check();
		await expect(second.getByRole('checkbox', { name: 'Pack' })).toBeChecked();
		await page.getByRole('textbox', { name: 'Text of note Budget' }).fill('600 euros');
		await expect(text).toHaveValue('600 euros');
	});
}
