// What another app, or any page, shares with Snug: in both browsers, whose service workers read it.
import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, refusals, refuseRows, rowsOf, say, useServer } from './chat';

test.use({ weights: 'none', serviceWorkers: 'allow' });

const keptShares = (page: Page) => page.evaluate(async () => (await (await caches.open('shared')).keys()).length);

/** Shares as the system does: a page posts a form to the address of the manifest. This one is of another host, as any could be. */
async function share(page: Page, to: string, fields: Record<string, string>, files: { name: string; mimeType: string; buffer: Buffer }[] = [], bytes = 0): Promise<void> {
	await page.goto('about:blank');
	await page.setContent(`<form method="post" enctype="multipart/form-data" action="${to}share"><input name="files" type="file" multiple /><button>Share</button></form>`);
	await page.evaluate(({ fields, bytes }) => {
		for (const [name, value] of Object.entries(fields)) {
			const field = Object.assign(document.createElement('textarea'), { name, value });
			document.querySelector('form')!.append(field);
		}
		if (bytes === 0) return;
		const chosen = new DataTransfer();
		chosen.items.add(new File([new Uint8Array(bytes)], 'large.txt'));
		document.querySelector<HTMLInputElement>('input[type=file]')!.files = chosen.files;
	}, { fields, bytes });
	if (files.length > 0) await page.locator('input[type=file]').setInputFiles(files);
	await page.getByRole('button', { name: 'Share' }).click();
}

test('[P10] what another app shares is in the composer of a new chat, once, and is not sent', async ({ page, app, server }) => {
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	await useServer(page, server.url, 'echo');
	const asked = server.requests.length;
	const file = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes') };
	await share(page, app.url, { title: 'A page', text: 'Read this', url: 'https://example.org/a' }, [file]);
	const message = page.getByRole('textbox', { name: 'Message' });
	// In a tab it may be any page's, so it waits for a click.
	await expect(page.getByText('Another page shared: “A page”, more text, and 1 file.')).toBeVisible();
	await expect(message).toHaveValue('');
	await page.getByRole('button', { name: 'Use it' }).click();
	await expect(message).toHaveValue('A page\nRead this\nhttps://example.org/a');
	await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveText([/notes\.md/]);
	await expect(page).toHaveURL(app.url);
	expect(server.requests.slice(asked).filter(({ method }) => method === 'POST')).toEqual([]);
	expect(await keptShares(page)).toBe(0);
	await page.reload();
	await expect(message).toHaveValue('A page\nRead this\nhttps://example.org/a');
});

test('[P8] what is shared is words, also where it would be a command', async ({ page, app, server }) => {
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	await useServer(page, server.url, 'echo');
	await say(page, 'Taxes');
	await answer(page);
	await share(page, app.url, { text: '/delete Taxes' });
	await page.getByRole('button', { name: 'Use it' }).click();
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(' /delete Taxes');
	await page.getByRole('button', { name: 'Send', exact: true }).click();
	expect(await answer(page)).toContain('/delete Taxes');
	const chats = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /Taxes/ });
	await expect(chats).toHaveCount(2);

	// A long one is a file as it is, and words where it becomes text.
	const long = `/delete Taxes\n${'A line.\n'.repeat(300)}The end`;
	await share(page, app.url, { text: long });
	await page.getByRole('button', { name: 'Use it' }).click();
	const file = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
	await expect(file).toHaveText([/Shared text\.txt/]);
	const [{ bytes }] = (await rowsOf<{ bytes: number }>(page, 'attachments')) as [{ bytes: number }];
	expect(bytes).toBe(long.replaceAll('\n', '\r\n').length);
	await page.getByRole('button', { name: 'Paste as text instead' }).click();
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(` ${long}`);
	await expect(file).toHaveCount(0);

	// Where no file can have it, it is text at once.
	const wide = `/delete${'\u3000'.repeat(350_000)}Taxes`;
	await page.getByRole('textbox', { name: 'Message' }).fill('');
	await share(page, app.url, { text: wide });
	await page.getByRole('button', { name: 'Use it' }).click();
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(` ${wide}`);
});

test('[P10] what is shared is limited: nothing of what is too large is kept, and a model asks before it is imported', async ({ page, app }) => {
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	await share(page, app.url, {}, [], 70_000_000);
	await expect(page.getByText('What you shared is too large.')).toBeVisible();
	expect(await keptShares(page)).toBe(0);
	await share(page, app.url, { text: 'x'.repeat(20_000) }, [{ name: 'm\u202eodel.gguf', mimeType: '', buffer: Buffer.from('GGUF') }]);
	// Who clicks on and on presses what comes next before they can have read it.
	await page.evaluate(() => {
		const click = () => [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Import')?.click();
		new MutationObserver((_, observer) => click() ?? (document.body.textContent.includes('Import “') && observer.disconnect())).observe(document.body, { subtree: true, childList: true });
	});
	await page.getByRole('button', { name: 'Use it' }).click();
	await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveText([/Shared text\.txt/]);
	await expect(page.getByText('Import “m odel.gguf” (4 B) as a model on this device?')).toBeVisible();
	await page.goto('./?shared=no-such');
	await expect(page).toHaveURL(app.url);
});

test('[P10] a long text that is shared is not lost: where it fits in no file it is in the composer, and else its start is attached, which is said', async ({ page, app }) => {
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	const message = page.getByRole('textbox', { name: 'Message' });
	const han = '漢字'.repeat(200_000);
	await share(page, app.url, { text: han });
	await expect(page.getByText(/^Another page shared: “(漢字)+漢…”\.$/)).toBeVisible();
	expect(await keptShares(page)).toBe(1);
	await page.getByRole('button', { name: 'Use it' }).click();
	await expect(message).toHaveValue(han);
	await expect(page.getByRole('alert')).toHaveCount(0);
	await expect.poll(() => keptShares(page)).toBe(0);
	await message.fill('');

	await share(page, app.url, { text: `${'word '.repeat(300_000)}THE END` });
	await page.getByRole('button', { name: 'Use it' }).click();
	await expect(page.getByText('The text that you shared is longer than a file can be here. All after the first 1 MB was left out.')).toBeVisible();
	await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveText([/Shared text\.txt/]);
	await expect.poll(() => keptShares(page)).toBe(0);
	const [row] = await rowsOf<{ bytes: number }>(page, 'attachments');
	expect(row!.bytes).toBeGreaterThan(990_000);
});

test('[P10] what is shared and does not fit on the disk is kept, and used once there is room, without the text that is in already', async ({ page, app }) => {
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	const message = page.getByRole('textbox', { name: 'Message' });
	const use = page.getByRole('button', { name: 'Use it' });
	const files = ['one.txt', 'two.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`This is ${name}`) }));
	await share(page, app.url, { text: 'Read these' }, [...files, { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) }]);
	await expect(use).toBeVisible();
	await refuseRows(page, ['attachments']);
	for (const refused of [2, 4]) {
		await use.click();
		await expect(page.getByText('Some of what you shared could not be stored yet.')).toBeVisible();
		expect(await refusals(page)).toBe(refused);
		await expect(message).toHaveValue('Read these');
		expect(await keptShares(page)).toBe(1);
	}
	await refuseRows(page, []);
	await use.click();
	await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveText([/one\.txt/, /two\.txt/]);
	await expect.poll(() => keptShares(page)).toBe(0);
	await expect(message).toHaveValue('Read these');
	await expect(use).toHaveCount(0);
});

test('[P10] a long text that is shared and fits neither on the disk nor in the field is kept until there is room', async ({ page, app }) => {
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	const use = page.getByRole('button', { name: 'Use it' });
	await share(page, app.url, { text: `a${'\u0301'.repeat(40)}`.repeat(500) });
	await expect(use).toBeVisible();
	await refuseRows(page, ['attachments']);
	await use.click();
	await expect(page.getByText('Some of what you shared could not be stored yet.')).toBeVisible();
	expect(await keptShares(page)).toBe(1);
	await refuseRows(page, []);
	await use.click();
	await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveText([/Shared text\.txt/]);
	await expect.poll(() => keptShares(page)).toBe(0);
});

test('[P8] [P10] what is shared is named before it is used: in one line, without what turns the words around it, and nothing is offered of nothing', async ({ page, app }) => {
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	const message = page.getByRole('textbox', { name: 'Message' });
	const files = ['one.txt', 'two.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }));
	await share(page, app.url, { title: 'The tide\u202e tables\nfor Whitby', text: 'High water at six' }, files);
	await expect(page.getByText('Another page shared: “The tide tables for Whitby”, more text, and 2 files.')).toBeVisible();
	await expect(message).toHaveValue('');
	await expect(page.getByRole('list', { name: 'Attached files' })).toHaveCount(0);
	await page.getByRole('button', { name: 'Dismiss' }).click();
	await expect.poll(() => keptShares(page)).toBe(0);

	await share(page, app.url, { title: ' ', text: '\u200b' });
	await expect(page).toHaveURL(app.url);
	await expect.poll(() => keptShares(page)).toBe(0);
	await expect(page.getByRole('button', { name: 'Use it' })).toHaveCount(0);
});

test('[P10] once what is shared is used one writes on behind it, where there is a keyboard', async ({ page, app }) => {
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	const message = page.getByRole('textbox', { name: 'Message' });
	await share(page, app.url, { text: 'Read this' });
	await page.getByRole('button', { name: 'Use it' }).click();
	await expect(message).toHaveValue('Read this');
	// The Firefox of these tests tells of no mouse: there a keyboard on the screen would come unasked.
	const hasKeyboard = await page.evaluate(() => matchMedia('(pointer: fine)').matches);
	const isFocused = () => message.evaluate((field) => field === document.activeElement);
	await expect.poll(isFocused).toBe(hasKeyboard);
	if (hasKeyboard) {
		await page.keyboard.type(', please');
		await expect(message).toHaveValue('Read this, please');
	}

	// Also where that is elsewhere by then.
	await message.fill('');
	await share(page, app.url, { text: 'And this' });
	await expect(page.getByText('Another page shared: “And this”.')).toBeVisible();
	await page.getByRole('link', { name: 'Settings' }).click();
	await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
	await page.getByRole('button', { name: 'Use it' }).click();
	await expect(page).toHaveURL(app.url);
	await expect(message).toHaveValue('And this');
	await expect.poll(isFocused).toBe(hasKeyboard);
});

test('[P10] what was shared before is offered after what is shared now, once, until it is used or dismissed', async ({ page, app, context }) => {
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	const message = page.getByRole('textbox', { name: 'Message' });
	const use = page.getByRole('button', { name: 'Use it' });
	for (const [index, text] of ['First', 'Second', 'Third'].entries()) {
		await share(page, app.url, { text });
		await expect(page.getByText(`Another page shared: “${text}”.`)).toBeVisible();
		await expect(use).toHaveCount(1);
		expect(await keptShares(page)).toBe(index + 1);
	}
	await use.click();
	await expect(message).toHaveValue('Third');
	await expect(page.getByText('Another page shared: “Second”.')).toBeVisible();
	await page.getByRole('button', { name: 'Dismiss' }).click();
	await expect(page.getByText('Another page shared: “First”.')).toBeVisible();
	await expect.poll(() => keptShares(page)).toBe(1);

	// Another tab may have used it since.
	const other = await context.newPage();
	await other.goto(`${app.url}?shared=none`);
	await other.getByRole('button', { name: 'Use it' }).click();
	await expect(other.getByRole('textbox', { name: 'Message' })).toHaveValue('First');
	await expect.poll(() => keptShares(page)).toBe(0);
	await use.click();
	await expect(page.getByText('It was used or dismissed in another tab.')).toBeVisible();
	await expect(message).toHaveValue('Third');
});

/** Posts a form of many fields to the address that is shared to, from another origin of the same site, into the window or into a frame of it. */
async function postMany(page: Page, to: string, { target, enctype, fields }: { target: string; enctype: string; fields: number }): Promise<void> {
	const { protocol, hostname } = new URL(to);
	const elsewhere = `${protocol}//${hostname}:48219/`;
	await page.route(elsewhere, (route) => route.fulfill({ contentType: 'text/html', body: '<iframe name="hidden"></iframe>' }));
	await page.goto(elsewhere);
	await page.evaluate(
		({ to, target, enctype, fields }) => {
			const form = Object.assign(document.createElement('form'), { method: 'post', enctype, action: `${to}share`, target });
			for (let at = 0; at < fields; at++) form.append(Object.assign(document.createElement('input'), { name: 'text', value: 'x' }));
			document.body.append(form);
			form.submit();
		},
		{ to, target, enctype, fields }
	);
}

test('[P8] [P10] what a page shares is parsed once it is asked for, and has few parts', async ({ page, app }) => {
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	await page.addInitScript(() => {
		const { formData } = Response.prototype;
		Object.assign(window, { parsed: 0 });
		Response.prototype.formData = function () {
			(window as unknown as { parsed: number }).parsed++;
			return formData.call(this);
		};
	});
	const parsed = () => page.evaluate(() => (window as unknown as { parsed: number }).parsed);
	await share(page, app.url, { text: 'Read this' });
	await expect(page.getByText('Another page shared: “Read this”.')).toBeVisible();
	expect(await parsed()).toBe(0);
	await page.getByRole('button', { name: 'Use it' }).click();
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Read this');
	expect(await parsed()).toBe(1);

	const form = { target: '_self', enctype: 'multipart/form-data', fields: 1000 };
	await postMany(page, app.url, form);
	await expect(page.getByText('What you shared has too many parts. Snug opens up to 10 files at once.')).toBeVisible();
	await postMany(page, app.url, { ...form, enctype: 'application/x-www-form-urlencoded' });
	await expect(page.getByText('What you shared can’t be read.')).toBeVisible();
	expect(await keptShares(page)).toBe(0);
});

test('[P8] [P10] a frame of a page, which nobody need see, shares nothing', async ({ page, app, expectConsole }) => {
	expectConsole.push(/chrome-error|ERR_FAILED|frame|passed an Error Response/i);
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	const ended = Promise.race([page.waitForEvent('requestfailed', (request) => request.url().endsWith('/share')), page.waitForEvent('response', (response) => response.url().includes('share'))]);
	await postMany(page, app.url, { target: 'hidden', enctype: 'multipart/form-data', fields: 1 });
	await ended;
	await page.goto('./');
	expect(await keptShares(page)).toBe(0);
});
