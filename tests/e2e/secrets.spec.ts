import { expect, test } from './app';
import { answer, openModelDialog, say } from './chat';
import { allThatIsKept } from './kept';

test.use({ weights: 'none' });

const key = 'sk-canary-Zq7Wm3Xv9Lp2Rt5Yk8Nd';
const forms = [key, btoa(key), encodeURIComponent(`Bearer ${key}`), key.slice(3)];

test('[P8] the key of a server is nowhere but in its table, whatever the server does with it', async ({ page, server, expectConsole }) => {
	test.slow();
	expectConsole.push(/Failed to load resource/, /net::ERR_/);
	const logged: string[] = [];
	page.on('console', (message) => logged.push(message.text()));
	const shown: string[] = [];
	const look = async () => shown.push(await page.locator('html').innerText(), await page.locator('html').innerHTML());

	await page.goto('./');
	await page.getByRole('button', { name: 'a server' }).click();
	const dialog = page.getByRole('dialog', { name: 'Model' });
	await dialog.getByRole('textbox', { name: 'Address' }).fill(server.url);
	await dialog.getByRole('textbox', { name: /API key/ }).fill(key);
	await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
	const choose = async (model: string) => {
		await dialog.getByRole('searchbox', { name: 'Filter models' }).fill(model);
		await dialog.getByRole('button', { name: model, exact: true }).click();
		await expect(dialog).toBeHidden();
	};
	await choose('tells-key');
	await say(page, 'What is my key?');
	await answer(page);
	await look();
	for (const model of ['tells-key-in-error', '401', 'html', 'error-event', 'redirects', 'nonsense']) {
		await openModelDialog(page);
		await dialog.getByRole('radio', { name: /A server/ }).check();
		await dialog.getByRole('button', { name: 'Choose a model' }).click();
		await look();
		await choose(model);
		await say(page, `And now, ${model}?`);
		await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
		await look();
	}
	expect(server.requests.at(-1)!.headers.authorization).toBe(`Bearer ${key}`);
	const kept = await allThatIsKept(page);
	expect(Object.keys(kept).length).toBeGreaterThan(20);
	expect(kept['snug.backup']).toContain('What is my key?');
	await page.goto('./repair');
	await expect(page.getByRole('heading', { name: 'Result' })).toBeVisible();
	await look();
	const all = { ...kept, console: logged.join('\n'), screens: shown.join('\n') };
	for (const [place, text] of Object.entries(all)) {
		for (const form of forms) expect(text.includes(form), `${form} in ${place}`).toBe(false);
	}
});
