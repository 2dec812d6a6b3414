import { base } from '$app/paths';
import { pathInTemporary } from './lib/shared/temporary-path';
import './lib/shared/trusted-types';

/**
 * Refuses to start inside of another page's frame, where clicks meant for that page could land on Snug's buttons. Hosts forbid
 * framing by a header, but not every host can send one. The page of a temporary chat gets its own ground before anything stores.
 */
export async function init(): Promise<void> {
	if (window.top !== window) {
		document.body.textContent = 'Snug does not work inside of another page. Open it in a tab of its own.';
		return new Promise(() => undefined);
	}
	if (pathInTemporary(location.pathname.slice(base.length))) await (await import('./lib/view/enter-temporary')).enterTemporary();
}
