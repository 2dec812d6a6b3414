import { base } from '$app/paths';
import { pathInTemporary } from './lib/shared/temporary-path';

/** The part of the Trusted Types API that is used; TypeScript's library has none of it yet. */
interface TrustedTypes {
	createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): unknown;
}

// The page's policy forbids to make a script of an address, unless this lets it pass: the app's own files, for its workers, and
// blobs, for those of the engine.
(window as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('default', {
	createScriptURL(address) {
		const { origin, protocol } = new URL(address, location.href);
		if (origin === location.origin && /^(https?|blob):$/.test(protocol)) return address;
		throw new TypeError(`no script comes from ${origin}`);
	}
});

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
