import { error } from '@sveltejs/kit';
import { base } from '$app/paths';

// Every address without a page of its own: hosts answer it with the shell.
export const prerender = false;

/** Leaves the kit's page to the error page, which shows it in the dev server. */
export function load({ url }: { url: URL }) {
	if (import.meta.env.DEV && url.pathname === `${base}/kit`) error(404);
}
