import { findDefaultWeights } from '../../scripts/weights.mjs';
import { expect, test } from './app';
import { answer, say } from './chat';

test('[P1] SmolLM2, offline, knows the capital of France', async ({ page, app }) => {
	const weights = await findDefaultWeights();
	test.skip(weights === null, 'The default weights could not be had on this machine, so there is no model to ask.');
	test.setTimeout(180_000);

	await page.goto('./');
	await page.getByRole('button', { name: 'Change where answers come from' }).click();
	await page.getByRole('button', { name: 'Fetch and use' }).click();
	await expect(page.getByText('ready offline')).toBeVisible({ timeout: 60_000 });
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');

	await app.kill();
	await page.reload();
	await say(page, 'What is the capital of France?');
	expect(await answer(page, { timeout: 120_000 })).toContain('Paris');
});
