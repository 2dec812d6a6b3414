import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { inRoot } from '../../scripts/paths.mjs';
import { expect, test } from './app';
import { answer, expectAccessible, rowsOf, said, say, useServer } from './chat';

test.use({ weights: 'none', serviceWorkers: 'allow' });

/** The text of each document as it is sent. */
const texts = {
	'report.pdf': '[Page 1]\nThe harbour opened in 1889.\nIts lighthouse is 31 metres high.\n\n[Page 2]\nCafé and naïve: größer.\n',
	'report.docx': 'Harbour report\nThe harbour opened in 1889.\nCafé & naïve:\tgrößer\nnext line\nName\tHeight\tLit\nLighthouse\t31 m\nAfter the table.\n',
	'report.xlsx': '[Sheet Boats & crews]\nName\tBuilt\tLength\nMöwe\t1931-05-02\t12.5\nStorm\t\t\tfar right\n=SUM(C2:C3)\tTRUE\ntwo lines\n\n[Sheet Times]\n2024-02-29 13:45\nMöwe\n'
};

const fixture = (name: string) => ({ name, mimeType: '', buffer: readFileSync(inRoot(`tests/fixtures/documents/${name}`)) });

async function choose(page: Page, ...names: string[]): Promise<void> {
	await page.locator('input[type=file]').setInputFiles(names.map(fixture));
}

/** The files that wait in the composer. */
function waiting(page: Page) {
	return page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
}

test('[P3] a document is kept as it is; a model is sent its text, which is shown, in a browser that is offline too', async ({ page, server, app }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	// The server of the model is on this device.
	await app.kill();
	for (const [name, text] of Object.entries(texts)) {
		await choose(page, name);
		await expect(waiting(page)).toHaveText([new RegExp(`${name}.*${text.length} characters`)]);
		await say(page, `About ${name}`);
		await expect(said(page).assistant.last()).toContainText(`About ${name}`);
		await answer(page);
		expect(server.requests.at(-1)!.body.messages.at(-1)).toEqual({ role: 'user', content: `File ${name}:\n\`\`\`\n${text}\`\`\`\n\nAbout ${name}` });
	}
	expect(await rowsOf(page, 'attachments')).toHaveLength(Object.keys(texts).length);

	await page.reload();
	for (const [name, text] of Object.entries(texts)) {
		await said(page).you.getByRole('button', { name }).click();
		const dialog = page.getByRole('dialog', { name });
		await expect(dialog).toContainText('What the model reads');
		await expect.poll(() => dialog.getByRole('region', { name: `Text of ${name}` }).textContent()).toContain(text);
		const download = page.waitForEvent('download');
		await dialog.getByRole('button', { name: 'Download' }).click();
		expect(readFileSync(await (await download).path())).toEqual(fixture(name).buffer);
		expect((await download).suggestedFilename()).toBe(name);
		await expectAccessible(page, `the text of ${name}`);
		await page.keyboard.press('Escape');
		await expect(dialog).toBeHidden();
	}
});

test('[P3] a document that can’t be read is refused in a sentence, and nothing of it is stored', async ({ page }) => {
	await page.goto('./');
	const problem = page.locator('form').getByRole('alert');
	for (const [name, sentence] of [
		['locked.pdf', '“locked.pdf” is protected by a password, so it can’t be read. Save a copy without the password and attach that.'],
		['scan.pdf', '“scan.pdf” has no text that can be read. If its pages are scans, attach them as images.']
	] as const) {
		await choose(page, name);
		await expect(problem).toHaveText(sentence);
		await expect(waiting(page)).toHaveCount(0);
	}
	await page.locator('input[type=file]').setInputFiles([{ name: 'broken.pdf', mimeType: '', buffer: Buffer.from('%PDF-1.7\n\xff broken') }]);
	await expect(problem).toHaveText('“broken.pdf” is a document that can’t be read. It may be damaged.');
	expect(await rowsOf(page, 'attachments')).toEqual([]);
});

test('[P3] the reading of a document can be cancelled; the next file is read', async ({ page }) => {
	await page.goto('./');
	// A reader that does not answer, as of a file that takes for ever.
	const headers = { 'Cross-Origin-Embedder-Policy': 'require-corp' };
	await page.route('**/workers/pdf-worker*', (route) => route.fulfill({ contentType: 'text/javascript', headers, body: '' }));
	await choose(page, 'report.pdf');
	await expect(page.getByText('Reading report.pdf…')).toBeVisible();
	await page.locator('input[type=file]').setInputFiles([{ name: 'notes.txt', mimeType: '', buffer: Buffer.from('Notes') }]);
	await page.getByRole('button', { name: 'Cancel' }).click();
	await expect(waiting(page)).toHaveText([/notes\.txt/]);
	await expect(page.locator('form').getByRole('alert')).toHaveCount(0);
});
