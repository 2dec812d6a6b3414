import { base, type resolve } from '$app/paths';

/** The address of a new temporary chat; the page that it names is always loaded in full (src/hooks.ts). */
export const temporaryPath = `${base}/temporary` as ReturnType<typeof resolve>;

/** Tells whether the page is that of a temporary chat, of which nothing is stored. */
export function isTemporary(): boolean {
	return 'temporary' in document.documentElement.dataset;
}

/** The address of a chat of this page. */
export function chatPath(id: string): ReturnType<typeof resolve> {
	return `${isTemporary() ? temporaryPath : base}/s/${id}` as ReturnType<typeof resolve>;
}
