import { base, type resolve } from '$app/paths';
import { isTemporary } from '../shared/is-temporary';

/** The address of a new temporary chat; the page that it names is always loaded in full (src/hooks.ts). */
export const temporaryPath = `${base}/temporary` as ReturnType<typeof resolve>;

/** The address of a chat of this page. */
export function chatPath(id: string): ReturnType<typeof resolve> {
	return `${isTemporary() ? temporaryPath : base}/s/${id}` as ReturnType<typeof resolve>;
}
