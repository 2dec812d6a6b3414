/**
 * Refuses to start inside of another page's frame, where clicks meant for that page could land on Snug's buttons. Hosts forbid
 * framing by a header, but not every host can send one.
 */
export function init(): Promise<void> | undefined {
	if (window.top === window) return undefined;
	document.body.textContent = 'Snug does not work inside of another page. Open it in a tab of its own.';
	return new Promise(() => undefined);
}
