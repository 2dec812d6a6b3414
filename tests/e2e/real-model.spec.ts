import { findDefaultWeights } from '../../scripts/weights.mjs';
import { expect, test } from './app';
import { answer, openModelDialog, say } from './chat';

test.use({ serviceWorkers: 'allow' });

test('[P1] SmolLM2, offline, knows the capital of France', async ({ page, app }) => {
	const weights = await findDefaultWeights();
	test.skip(weights === null, 'The default weights could not be had on this machine, so there is no model to ask.');
	test.setTimeout(600_000);

	await page.goto('./');
	await openModelDialog(page);
	await page.getByRole('button', { name: 'Download and use', exact: true }).click();
	await expect(page.getByText('ready offline')).toBeVisible({ timeout: 180_000 });
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');

	await app.kill();
	await page.reload();
	await say(page, 'What is the capital of France?');
	expect(await answer(page, { timeout: 400_000 })).toContain('Paris');
});
