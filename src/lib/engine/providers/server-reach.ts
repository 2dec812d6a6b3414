import type { Reach } from './server-failure';

const timeoutMs = 6000;

/** Returns what this page can reach. The service worker asks whether one is there, since the page's embedder policy forbids it. */
export function pageReach(): Reach {
	return { origin: location.origin, isThere: askServiceWorker };
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
