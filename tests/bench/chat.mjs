// The ways in which measures choose a model and have an answer.

/** @typedef {import('playwright').Page} Page */

/**
 * Has answers come from a server's model: in the chat that is open, or in new ones.
 * @param {Page} page @param {string} baseUrl @param {string} model
 */
export async function chooseModel(page, baseUrl, model) {
	await page.waitForFunction(() => 'snug' in window);
	await page.evaluate(
		async ({ baseUrl, model }) => {
			const { models, providers } = /** @type {any} */ (window).snug;
			const { id: providerId } = await providers.connect({ baseUrl });
			const sessionId = /\/s\/([^/]+)$/.exec(location.pathname)?.[1];
			await models.choose({ providerId, model }, { sessionId });
		},
		{ baseUrl, model }
	);
	await page.getByText(`${model} at `).filter({ visible: true }).first().waitFor();
}

/** Sends a question that was not asked before, and resolves once it is in the transcript. @param {Page} page @param {string} question */
export async function send(page, question) {
	await page.getByRole('textbox', { name: 'Message' }).fill(question);
	await page.getByRole('button', { name: 'Send' }).click();
	await page.getByRole('article', { name: 'You' }).filter({ hasText: question }).waitFor();
}

/** Resolves once the last message is a whole and long answer, and nothing went wrong. @param {Page} page */
export async function answered(page) {
	await page.waitForFunction(
		() => {
			const last = [...document.querySelectorAll('[role=log] article')].at(-1);
			return last?.getAttribute('aria-label') === 'Assistant' && last.getAttribute('aria-busy') === 'false' && /** @type {HTMLElement} */ (last).innerText.length > 1000 && !document.querySelector('button[aria-label="Stop"]');
		},
		undefined,
		{ polling: 250, timeout: 120_000 }
	);
}
