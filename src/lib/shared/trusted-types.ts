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
