import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { JSHandle, Locator, Page } from '@playwright/test';
import { expect, test } from './app';
import { chunkWith, holdFile } from './chunks';
import { answer, countRows, expectAccessible, inSessionMenu, newChat, putRows, rowsOf, said, say, useServer } from './chat';

test.use({ weights: 'none' });

interface TestFile {
	name: string;
	mimeType: string;
	buffer: Buffer;
}

/** A PNG of one colour. */
function png(width: number, height: number): Buffer {
	const chunk = (type: string, data: Buffer) => {
		const body = Buffer.concat([Buffer.from(type), data]);
		const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
		length.writeUInt32BE(data.length);
		check.writeUInt32BE(crc32(body));
		return Buffer.concat([length, body, check]);
	};
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 2], 8);
	const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x5b)]);
	const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
	return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

const photo: TestFile = { name: 'photo.png', mimeType: 'image/png', buffer: png(640, 480) };
const notes: TestFile = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('A line with ```fences``` in it\n') };
const hash = ({ buffer }: TestFile) => createHash('sha256').update(buffer).digest('hex');

async function choose(page: Page, ...files: TestFile[]): Promise<void> {
	await page.locator('input[type=file]').setInputFiles(files);
}

/** What a drag or a paste carries. */
function transfer(page: Page, files: TestFile[]): Promise<JSHandle<DataTransfer>> {
	return page.evaluateHandle(
		(files) => {
			const transfer = new DataTransfer();
			for (const { name, type, base64 } of files) {
				const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
				transfer.items.add(new File([bytes], name, { type }));
			}
			return transfer;
		},
		files.map(({ name, mimeType, buffer }) => ({ name, type: mimeType, base64: buffer.toString('base64') }))
	);
}

const longText = 'x y '.repeat(3000);

/** Pastes a text into the composer and presses Enter in the same task. */
function pasteAndSend(message: Locator, text: string): Promise<void> {
	return message.evaluate((field, text) => {
		const clipboardData = new DataTransfer();
		clipboardData.setData('text/plain', text);
		field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
		field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
	}, text);
}

/** The files that wait in the composer. */
function waiting(page: Page) {
	return page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
}

test('[S11] files are chosen, sent with the message, and seen again: an image by its thumbnail, a text by its name', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await expect(page.getByRole('button', { name: 'Attach files' })).toHaveAttribute('title', /Images up to 20 MB, documents up to 50 MB, text files up to 1 MB/);
	const chooser = page.waitForEvent('filechooser');
	await page.getByRole('button', { name: 'Attach files' }).click();
	await (await chooser).setFiles([photo, notes]);
	await expect(waiting(page)).toHaveText([/photo\.png/, /notes\.txt.*31 B/]);
	await say(page, 'What is this?');
	expect(await answer(page)).toContain('What is this?');
	await expect(waiting(page)).toHaveCount(0);

	const sent = server.requests.at(-1)!.body.messages.at(-1);
	expect(sent).toEqual({
		role: 'user',
		content: [
			{ type: 'image_url', image_url: { url: `data:image/png;base64,${photo.buffer.toString('base64')}` } },
			{ type: 'text', text: 'File notes.txt:\n````\nA line with ```fences``` in it\n````\n\nWhat is this?' }
		]
	});

	await page.reload();
	const files = said(page).you.getByRole('list', { name: 'Files' });
	const image = files.getByRole('img', { name: 'photo.png' });
	await expect(image).toBeVisible();
	// The thumbnail, not the whole image.
	await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(320);
	await files.getByRole('button', { name: 'photo.png' }).click();
	const dialog = page.getByRole('dialog', { name: 'photo.png' });
	await expect.poll(() => dialog.getByRole('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(640);
	await page.keyboard.press('Escape');
	await expect(dialog).toBeHidden();

	await files.getByRole('button', { name: 'notes.txt' }).click();
	const text = page.getByRole('dialog', { name: 'notes.txt' });
	await expect(text.getByRole('region', { name: 'Text of notes.txt' })).toHaveText(/A line with ```fences``` in it/);
	await text.getByRole('button', { name: 'Close' }).click();
	await expect(text).toBeHidden();
});

test('[S11] files are dropped anywhere on the page', async ({ page }) => {
	await page.goto('./');
	const dataTransfer = await transfer(page, [photo, notes]);
	const overlay = page.getByText('Drop files to attach them');
	await expect(async () => {
		await page.dispatchEvent('main', 'dragover', { dataTransfer });
		await expect(overlay).toBeVisible({ timeout: 500 });
	}).toPass();
	await page.dispatchEvent('main', 'drop', { dataTransfer });
	await expect(overlay).toBeHidden();
	await expect(waiting(page)).toHaveText([/photo\.png/, /notes\.txt/]);
});

test('[S11] files that are dropped before anything is ready for them are attached, and never opened in place of the page', async ({ page }) => {
	await page.goto('./');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
	const dataTransfer = await transfer(page, [notes]);
	const areTaken = await page.locator('main').evaluate((main, dataTransfer) => {
		const events = ['dragover', 'drop'].map((type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
		// At once, as after a short way with the mouse.
		return events.map((event) => !main.dispatchEvent(event));
	}, dataTransfer);
	expect(areTaken).toEqual([true, true]);
	await expect(waiting(page)).toHaveText([/notes\.txt/]);
});

test('[S11] files are pasted, and are removed again before they are sent', async ({ page }) => {
	await page.goto('./');
	await page.waitForFunction(() => 'snug' in window);
	const data = await transfer(page, [photo, notes]);
	const message = page.getByRole('textbox', { name: 'Message' });
	await message.evaluate((field, clipboardData) => {
		field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
	}, data);
	await expect(waiting(page)).toHaveText([/photo\.png/, /notes\.txt/]);
	await page.getByRole('button', { name: 'Remove photo.png' }).click();
	await expect(waiting(page)).toHaveText([/notes\.txt/]);
	await page.getByRole('button', { name: 'Remove notes.txt' }).click();
	await expect(waiting(page)).toHaveCount(0);
	await expect(message).toBeFocused();
});

test('[S11] [E11] a long text that is pasted is waited for from then on, also where the part that offers it as text is slow', async ({ page, server, folder }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const arrive = await holdFile(page, chunkWith(folder, 'Long text attached as a file.'));
	const message = page.getByRole('textbox', { name: 'Message' });
	await message.fill('What is this?');
	await pasteAndSend(message, longText);
	await expect(said(page).you.getByRole('list')).toHaveText(/Pasted text\.txt/);
	arrive();
	await answer(page);
	await expect(waiting(page)).toHaveCount(0);
});

test('[S11] [E11] a message that waits for a file is not sent, and that is said, where its user writes on or leaves meanwhile', async ({ page, server, folder }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const from = server.requests.length;
	const arrive = await holdFile(page, chunkWith(folder, 'files at most'));
	const message = page.getByRole('textbox', { name: 'Message' });
	await message.fill('please read');
	await choose(page, notes);
	await message.press('Enter');
	await message.pressSequentially('NEXT');
	arrive();
	await expect(page.getByText('Not sent: you wrote on, or left.')).toBeVisible();
	await expect(message).toHaveValue('please readNEXT');
	await expect(waiting(page)).toHaveText([/notes\.txt/]);
	expect(server.requests.slice(from).filter(({ path }) => path.endsWith('/completions'))).toEqual([]);
	await message.press('Enter');
	await expect(said(page).you).toContainText('please readNEXT');
	await answer(page);
	await expect(page.getByText('Not sent: you wrote on, or left.')).toHaveCount(0);
});

test('[S11] [E11] a long text that is pasted beside as many files as a message can have becomes text of it before that is sent', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await choose(page, ...Array.from({ length: 10 }, (_, index) => ({ name: `${index}.txt`, mimeType: 'text/plain', buffer: Buffer.from(`Text ${index}`) })));
	await expect(waiting(page)).toHaveCount(10);
	const message = page.getByRole('textbox', { name: 'Message' });
	await pasteAndSend(message, longText);
	await expect(message).toHaveValue(longText);
	await expect(waiting(page)).toHaveCount(10);
	await message.press('Enter');
	await expect(said(page).you).toContainText('x y x y');
	await answer(page);
});

test('[S11] a file is stored once, by its hash, however often it is attached, and not in the messages', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	for (const [name, text] of [['photo.png', 'One'], ['same photo.png', 'Two']] as const) {
		await choose(page, { ...photo, name });
		await expect(waiting(page)).toHaveCount(1);
		await say(page, text);
		await expect(said(page).assistant.last()).toContainText(text);
		await answer(page);
	}
	expect(await rowsOf(page, 'attachments')).toMatchObject([{ id: hash(photo), mediaType: 'image/png', bytes: photo.buffer.length }]);
	expect(await rowsOf(page, 'attachmentUses')).toHaveLength(2);
	const messages = await rowsOf<{ parts: unknown[] }>(page, 'messages');
	expect(messages.flatMap(({ parts }) => parts)).toContainEqual({ type: 'file', attachmentId: hash(photo), mediaType: 'image/png', name: 'same photo.png' });
	expect(JSON.stringify(messages)).not.toContain(photo.buffer.toString('base64').slice(0, 40));
});

test('[S11] what can’t be attached is named, with the reason, and nothing of it is stored', async ({ page }) => {
	await page.goto('./');
	const problem = page.locator('form').getByRole('alert');
	const text = (name: string, buffer: Buffer): TestFile => ({ name, mimeType: 'text/plain', buffer });
	const signature = photo.buffer.subarray(0, 8);
	for (const [file, sentence] of [
		[text('long.txt', Buffer.alloc(1_100_000, 'a')), '“long.txt” is too large (1.1 MB). Text files can have up to 1 MB.'],
		[text('huge.png', Buffer.concat([signature, Buffer.alloc(20_000_000)])), '“huge.png” is too large (20 MB). Images can have up to 20 MB.'],
		[text('nothing.txt', Buffer.alloc(0)), '“nothing.txt” is empty.'],
		[text('program.txt', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1])), '“program.txt” can’t be attached. Snug takes images'],
		[text('broken.png', Buffer.concat([signature, Buffer.from('broken')])), '“broken.png” is an image that this browser can’t open.']
	] as const) {
		await choose(page, file);
		await expect(problem).toContainText(sentence);
		await expect(waiting(page)).toHaveCount(0);
	}
	await page.getByRole('button', { name: 'Dismiss' }).click();
	await expect(problem).toHaveCount(0);
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await choose(page, ...Array.from({ length: 11 }, (_, index) => text(`${index}.txt`, Buffer.from(`Text ${index}`))));
	await expect(problem).toHaveText('A message can have 10 files at most, so “10.txt” was left out.');
	await expect(waiting(page)).toHaveCount(10);
	expect(await countRows(page)).toMatchObject({ attachments: 10, messages: 0 });
});

test('[S11] [E11] unsent files come back after a reload, in a new chat and in a session; files alone can be sent', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await choose(page, notes);
	await expect(waiting(page)).toHaveText([/notes\.txt/]);
	await page.reload();
	await expect(waiting(page)).toHaveText([/notes\.txt/]);
	await page.getByRole('button', { name: 'Send' }).click();
	expect(await answer(page)).toContain('A line with');
	await expect(said(page).you.getByRole('button', { name: 'notes.txt' })).toBeVisible();

	await choose(page, photo);
	await expect(waiting(page)).toHaveText([/photo\.png/]);
	await expect.poll(() => rowsOf(page, 'drafts')).toMatchObject([{ attachments: [{ attachmentId: hash(photo) }] }]);
	await page.reload();
	await expect(waiting(page)).toHaveText([/photo\.png/]);
	await expect(waiting(page).locator('img')).toBeVisible();
});

test('[S11] a deleted session takes its files along, but not those of others, and not before it can’t be had back', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	for (const files of [[notes], [photo, notes]]) {
		await newChat(page);
		await choose(page, ...files);
		await expect(waiting(page)).toHaveCount(files.length);
		await say(page, 'Look');
		await expect(page).toHaveURL(/\/s\//);
		await answer(page);
	}
	await inSessionMenu(page, 'Delete chat');
	const left = async () => (await rowsOf<{ id: string }>(page, 'attachments')).map(({ id }) => id).sort();
	await expect.poll(() => rowsOf(page, 'trash')).toHaveLength(1);
	expect(await left()).toEqual([hash(photo), hash(notes)].sort());
	await expect.poll(left, { timeout: 20_000 }).toEqual([hash(notes)]);
	await expect.poll(() => rowsOf(page, 'attachmentUses')).toMatchObject([{ attachmentId: hash(notes) }]);
});

test('[S11] a file that is gone says so in its place, and the session goes on', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await choose(page, notes);
	await expect(waiting(page)).toHaveCount(1);
	await say(page, 'Look');
	await answer(page);
	const [message] = (await rowsOf<{ role: string; parts: { type: string }[] }>(page, 'messages')).filter(({ role }) => role === 'user');
	const parts = message!.parts.map((part) => (part.type === 'file' ? { ...part, attachmentId: '0'.repeat(64) } : part));
	await putRows(page, { messages: [{ ...message, parts }] });
	await page.reload();
	await expect(page.getByRole('button', { name: 'notes.txt No longer here' })).toBeDisabled();
	await say(page, 'And now?');
	await expect(said(page).assistant.last()).toContainText('And now?');
	expect(JSON.stringify(server.requests.at(-1)!.body.messages)).toContain('[file notes.txt, not here any more]');
});

for (const [colorScheme, width] of [
	['light', 1280],
	['dark', 390]
] as const) {
	test(`[S11] axe finds nothing where files are (${colorScheme}, ${width} pixels)`, async ({ page, server }) => {
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 800 });
		await page.goto('./');
		await useServer(page, server.url, 'echo');
		await choose(page, photo, notes);
		await expect(waiting(page)).toHaveCount(2);
		await say(page, 'Look');
		await answer(page);
		await choose(page, photo, { ...notes, name: 'nothing.txt', buffer: Buffer.alloc(0) });
		await expect(waiting(page)).toHaveCount(1);
		await expect(page.locator('form').getByRole('alert')).toBeVisible();
		await expectAccessible(page, 'files in a message, in the composer, and one that was refused');
		for (const name of ['photo.png', 'notes.txt']) {
			await said(page).you.getByRole('button', { name }).click();
			await expect(page.getByRole('dialog', { name })).toBeVisible();
			await expectAccessible(page, name);
			await page.keyboard.press('Escape');
		}
	});
}

test('[S11] the files of a message are printed with it', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await choose(page, notes, photo);
	await say(page, 'Look');
	await answer(page);
	await page.emulateMedia({ media: 'print' });
	for (const { name } of [notes, photo]) await expect(said(page).you.getByTitle(name, { exact: true })).toBeVisible();
});
