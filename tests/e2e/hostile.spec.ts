import { expect, test } from './app';
import { answer, ask, said, say, useServer } from './chat';

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
	await useServer(page, server.url, 'echo');
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
	expectConsole.push(/Content Security Policy/);
	await page.goto('./');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
	const ran = await page.evaluate(() => {
		const script = document.createElement('script');
		script.textContent = 'window.harmed = true';
		document.body.append(script);
		const handler = document.createElement('div');
		handler.setAttribute('onclick', 'window.harmed = true');
		document.body.append(handler);
		handler.click();
		return 'harmed' in window;
	});
	expect(ran).toBe(false);
});

test('[P8] code that its grammar takes for ever for stays plain, and the page goes on', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const code = `a${'&'.repeat(997)}`;
	await say(page, `\`\`\`cpp\n${code}\n\`\`\`\n\n\`\`\`cpp\nint a = 1;\n\`\`\``);
	await answer(page);
	const blocks = said(page).assistant.locator('pre code');
	await expect(blocks.nth(1).locator('span')).not.toHaveCount(0);
	await expect(blocks.first()).toHaveText(code);
	await expect(blocks.first().locator('span')).toHaveCount(0);
	await page.reload();
	await expect(blocks.first()).toHaveText(code);
	await ask(page, 'And now?');
});
