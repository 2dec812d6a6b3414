/** Tells whether the page is that of a temporary chat, of which nothing is stored. */
export function isTemporary(): boolean {
	return 'temporary' in document.documentElement.dataset;
}
