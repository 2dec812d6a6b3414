/** Does `work` once the page has nothing more urgent to do. */
export function whenIdle(work: () => void): void {
	// Safari has no idle callbacks.
	if ('requestIdleCallback' in globalThis) requestIdleCallback(work);
	else setTimeout(work, 50);
}
