import { expect, test } from './app';

test.use({ weights: 'none', serviceWorkers: 'allow' });

test('[P10] the browser finds nothing that keeps Snug from being installed', async ({ page, context }) => {
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	await page.reload();
	const devtools = await context.newCDPSession(page);
	const { errors, data } = await devtools.send('Page.getAppManifest');
	expect(errors).toEqual([]);
	const manifest = JSON.parse(data!) as { icons: { purpose: string; src: string }[] };
	expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable');
	for (const { src } of manifest.icons) expect((await page.request.get(src)).status(), src).toBe(200);

	const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
	// A headless profile is off the record as far as installing goes; everything else must hold.
	expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
});

test('[P10] the settings say how to install, also on iOS, where no prompt exists', async ({ browser, app }) => {
	const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
	const context = await browser.newContext({ baseURL: app.url, userAgent: iphone });
	const page = await context.newPage();
	await page.goto('./settings');
	await expect(page.getByText('tap Share, then “Add to Home Screen”')).toBeVisible();
	await context.close();
});

test('[P10] where the browser offers to install, a button does it', async ({ page }) => {
	await page.goto('./settings');
	await expect(page.getByRole('heading', { name: 'Install' })).toBeVisible();
	// The browser decides when it makes its offer; here the test makes one.
	await page.evaluate(() => {
		const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
			prompt: () => Promise.resolve(void (document.title = 'asked')),
			userChoice: Promise.resolve({ outcome: 'accepted' })
		});
		dispatchEvent(offer);
	});
	await page.getByRole('button', { name: 'Install Snug' }).click();
	await expect(page).toHaveTitle('asked');
	await expect(page.getByRole('button', { name: 'Install Snug' })).toBeHidden();
});
