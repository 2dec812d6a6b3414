import { isLoopback } from '../../shared/server-address';

/** The page's reach to servers. */
export interface Reach {
	/** The page's own origin, such as `https://snug.example`. */
	origin: string;
	/** Tells whether the browser says that it has no network. */
	isOffline?(): boolean;
	/** Tells whether anything answers at `url`, asked so that CORS does not matter; undefined where that can't be told. */
	isThere(url: string): Promise<boolean | undefined>;
	/** Tells whether the page may reach into the network, or the computer, that `url` is in; undefined where the browser has no such permission. */
	permissionFor?(url: URL): Promise<PermissionState | undefined>;
}

const timeoutMs = 6000;

/** Returns what this page can reach. The service worker asks whether one is there, since the page's embedder policy forbids it. */
export function pageReach(): Reach {
	return { origin: location.origin, isOffline: () => !navigator.onLine, isThere: askServiceWorker, permissionFor };
}

async function askServiceWorker(url: string): Promise<boolean | undefined> {
	const controller = navigator.serviceWorker?.controller;
	if (!controller) return undefined;
	const { port1, port2 } = new MessageChannel();
	return new Promise((resolve) => {
		const timer = setTimeout(() => resolve(undefined), timeoutMs);
		port1.onmessage = ({ data }) => {
			clearTimeout(timer);
			resolve(data as boolean);
		};
		controller.postMessage({ type: 'IS_THERE', url }, [port2]);
	});
}

async function permissionFor(url: URL): Promise<PermissionState | undefined> {
	// Browsers have called it by the second name at first.
	for (const name of [isLoopback(url) ? 'loopback-network' : 'local-network', 'local-network-access']) {
		try {
			return (await navigator.permissions.query({ name: name as PermissionName })).state;
		} catch {
			continue;
		}
	}
	return undefined;
}
