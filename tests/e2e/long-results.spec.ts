// Results of tools that are too long to be sent: kept whole, read in parts, and saved.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startToolServer } from '../fixtures/tool-server.mjs';
import { expect, test } from './app';
import { expectAccessible, inSessionMenu, newChat, pressOnceStill, rowsOf, said, say, useServer } from './chat';
import { watchLongestTask } from './longest-task';
import { switchTools } from './tools';

test.use({ weights: 'none' });

/** Five megabytes of lines, none as another, some with letters of two, three and four bytes. */
const ledger = Array.from({ length: 150_000 }, (_, row) => `row ${String(row).padStart(6, '0')}: pears, a Größe, 梨 🍐`).join('\n');
const hash = createHash('sha256').update(ledger).digest('hex');
const name = hash.slice(0, 12);

/** What is looked for in all of it. */
const token = 'tok-Zq7Wm3Xv9Lp2Rt5Yk8Nd';

/** A call of read_result, as the model of the tests writes it. */
const read = (input: object) => `call read_result ${JSON.stringify({ name, ...input })}`;

/** A request of a step. */
interface Sent {
	tools: { function: { name: string } }[];
	messages: { content: string }[];
}

/** Adds a tool server, and opens a new chat at a model that may call a tool of it and calls what it is told to. Returns the name by which it calls that. */
async function begin(page: Page, { model, address, tool }: { model: string; address: string; tool: string }): Promise<string> {
	await page.goto('./settings');
	await page.getByRole('button', { name: 'Add a tool server' }).click();
	const form = page.getByRole('dialog', { name: 'Add a tool server' });
	await form.getByRole('textbox', { name: 'Address' }).fill(address);
	await form.getByRole('textbox', { name: 'Name' }).fill('Orchard');
	await form.getByLabel('Token, if it needs one').fill(token);
	await form.getByRole('button', { name: 'Connect' }).click();
	await expect(form).toBeHidden();
	await newChat(page);
	await useServer(page, model, 'agent');
	await switchTools(page, tool);
	const [{ tools }] = (await rowsOf<{ tools: { name: string; callName: string }[] }>(page, 'toolServers')) as [{ tools: { name: string; callName: string }[] }];
	return tools.find(({ name }) => name === tool)!.callName;
}

/** Saves the file that the line of the call has, and returns its bytes. */
async function save(page: Page): Promise<Buffer> {
	const line = page.getByRole('group', { name: 'Called ledger of Orchard' });
	if (!(await line.getByText('Output').isVisible())) await line.locator('summary').click();
	await page.getByRole('list', { name: 'Files' }).getByRole('button').click();
	const dialog = page.getByRole('dialog');
	const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download' }).click()]);
	const bytes = await readFile(await download.path());
	expect(download.suggestedFilename()).toBe('orchard ledger.txt');
	await page.keyboard.press('Escape');
	await expect(dialog).toBeHidden();
	return bytes;
}

test('[R1] [P3] a result of 5 MB is kept whole: it is read in parts, saved to the byte, also after a reload, and does not stall the page', async ({ page, server }) => {
	const orchard = await startToolServer({ ledger, token });
	try {
		const callName = await begin(page, { model: server.url, address: orchard.url, tool: 'ledger' });

		const longest = await watchLongestTask(page);
		// The server is one for all tests of a worker.
		const before = server.requests.length;
		await say(page, `call ${callName} {}\n${read({ from: ledger.indexOf('row 075000'), length: 32 })}\nThe middle: {last}`);
		await pressOnceStill(page.getByRole('group', { name: 'Approval' }).getByRole('button', { name: 'Allow once', exact: true }));
		await expect(said(page).assistant.last()).toContainText('"text":"row 075000: pears, a Größe, 梨 🍐"');
		// What the model was sent is small, and says how to read on; the tool for that comes with it.
		const sent = server.requests.slice(before).map(({ body }) => body as Sent | undefined).filter((body) => body?.tools !== undefined) as Sent[];
		expect(sent.map(({ tools }) => tools.map((tool) => tool.function.name))).toEqual([[callName], ['read_result', callName], ['read_result', callName]]);
		expect(JSON.stringify(sent[1]).length).toBeLessThan(100_000);
		expect(sent[1]!.messages.at(-1)!.content).toContain(`the result has ${ledger.length.toLocaleString('en')} characters. It is kept whole under the name “${name}”.`);

		await say(page, `${read({ from: ledger.length - 50 })}\nThe end: {last}`);
		await expect(said(page).assistant.last()).toContainText('row 149999: pears, a Größe, 梨 🍐"}');
		await say(page, `${read({ find: 'ROW 123456' })}\nFound: {last}`);
		await expect(said(page).assistant.last()).toContainText(`"at":${ledger.indexOf('row 123456')}`);

		expect(await longest()).toBeLessThan(1);

		expect((await save(page)).equals(Buffer.from(ledger))).toBe(true);
		expect(await page.evaluate(() => document.documentElement.outerHTML.length)).toBeLessThan(2_000_000);
		const [exported] = await Promise.all([page.waitForEvent('download'), inSessionMenu(page, 'Download as Markdown')]);
		expect(await readFile(await exported.path(), 'utf8')).toContain(`File: \`orchard ledger.txt\` (\`text/plain\`, \`${hash}\`)`);

		await page.reload();
		await say(page, `${read({ from: ledger.length - 50 })}\nAfter all: {last}`);
		await expect(said(page).assistant.last()).toContainText('After all: {"characters_in_result"');
		await expect(said(page).assistant.last()).toContainText('row 149999');
		expect((await save(page)).equals(Buffer.from(ledger))).toBe(true);
		expect(await rowsOf(page, 'attachments')).toMatchObject([{ id: hash, mediaType: 'text/plain', bytes: Buffer.byteLength(ledger) }]);
		expect(await rowsOf(page, 'attachmentUses')).toMatchObject([{ attachmentId: hash }]);

		// Another chat has no part in it, nor is it told of the tool.
		await newChat(page);
		await switchTools(page, 'Date and time');
		await say(page, `${read({})}\nElsewhere: {last}`);
		await expect(said(page).assistant.last()).toContainText('Elsewhere: There is no such tool. There are: current_time.');
	} finally {
		await orchard.close();
	}
});

test('[R1] an image in a result is shown to the user, as what its content says, and the model is told of it', async ({ page, server }) => {
	const orchard = await startToolServer({ token });
	try {
		const callName = await begin(page, { model: server.url, address: orchard.url, tool: 'basket' });
		await say(page, `call ${callName} {}\nIt says: {last}`);
		await pressOnceStill(page.getByRole('group', { name: 'Approval' }).getByRole('button', { name: 'Allow once', exact: true }));
		await expect(said(page).assistant.last()).toContainText('[An image, image/png, 70 B, which Snug shows to the user and does not pass on]');
		await page.reload();
		await page.getByRole('group', { name: 'Called basket of Orchard' }).locator('summary').click();
		const image = page.getByRole('list', { name: 'Files' }).getByRole('img', { name: 'orchard basket 1.png' });
		await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1);
		await expectAccessible(page, 'a result with an image');
		// No text is kept, so there is nothing to be read.
		expect((server.requests.at(-1)!.body as Sent).tools.map((tool) => tool.function.name)).toEqual([callName]);
	} finally {
		await orchard.close();
	}
});
