import { browser } from '$app/environment';
import { base } from '$app/paths';
import type { Reroute } from '@sveltejs/kit';
import { pathInTemporary } from './lib/shared/temporary-path';

/** Draws a temporary chat as any other. Throws where the page is not of the kind that the address asks for: the router then loads another page in full, if it was not kept from that before. */
export const reroute: Reroute = ({ url: { pathname } }) => {
	const path = pathInTemporary(pathname.slice(base.length));
	if (browser && (path !== undefined) !== 'temporary' in document.documentElement.dataset) throw new Error(pathname);
	return path && base + path;
};
