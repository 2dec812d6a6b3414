import { on } from 'svelte/events';

/** Has the frame that a browser or a system draws around the page follow the theme that the user has chosen. */
export function followTheme(): void {
	const { theme } = document.documentElement.dataset;
	const isChosen = theme === 'light' || theme === 'dark';
	// In the order of app.html.
	for (const [index, meta] of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]').entries()) {
		const own = index === 0 ? 'light' : 'dark';
		meta.media = isChosen ? (own === theme ? 'all' : 'not all') : `(prefers-color-scheme: ${own})`;
	}
}

followTheme();
on(window, 'storage', followTheme);
