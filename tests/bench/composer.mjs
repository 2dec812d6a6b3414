// When the composer is usable: the textbox "Message" is there, seen and enabled, and a character typed into it shows; and when the app
// is, whose own composer has it then. The page itself takes the time, in the task that makes it so, since a question from outside comes late.

/**
 * Opens `url` in a new page and waits until its composer is usable.
 * @param {import('playwright').BrowserContext} context
 * @param {string} url
 * @param {(page: import('playwright').Page) => void} [beforehand] sees the page before it goes anywhere
 * @returns {Promise<{ page: import('playwright').Page, took: number, app: number, at: number }>} took and app: milliseconds from the start of
 *   the navigation to a usable composer, and to the app's own; at: the latter moment in epoch milliseconds
 */
export async function openComposer(context, url, beforehand) {
	const page = await context.newPage();
	beforehand?.(page);
	await page.addInitScript(watchComposer);
	await page.goto(url, { waitUntil: 'commit' });
	const [took, app] = await page.evaluate(() => {
		const late = new Promise((_resolve, reject) => {
			setTimeout(() => reject(new Error('the composer did not become usable')), 30_000);
		});
		const { composerUsable, appUsable } = /** @type {any} */ (window);
		return Promise.race([Promise.all([composerUsable, appUsable]), late]);
	});
	return { page, took, app, at: (await page.evaluate(() => performance.timeOrigin)) + app };
}

/** Runs in the page, before its own scripts. */
function watchComposer() {
	const usable = (/** @type {() => boolean} */ isThere) =>
		new Promise((resolve) => {
			const look = () => {
				/** @type {HTMLTextAreaElement | null} */
				const field = document.querySelector('textarea[aria-label="Message"]');
				if (!isThere() || !field || field.disabled || !field.checkVisibility()) return;
				// The browser's own editing command: to the page it is typing.
				field.focus();
				if (field.value === '') document.execCommand('insertText', false, 'x');
				/** @type {HTMLButtonElement | null} */
				const send = document.querySelector('button[aria-label="Send"]');
				// The button is enabled by the text, so the page has heard it.
				if (field.value !== 'x' || send?.disabled) return;
				observer.disconnect();
				// The first task after the frame that shows it.
				requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
			};
			const observer = new MutationObserver(look);
			observer.observe(document, { subtree: true, childList: true, attributes: true });
			document.addEventListener('readystatechange', look);
		});
	Object.assign(window, {
		composerUsable: usable(() => true),
		// The page comes with a composer, which the app's own takes the place of.
		appUsable: usable(() => document.readyState !== 'loading' && document.getElementById('waking') === null)
	});
}
