import { dev } from '$app/environment';
import { base } from '$app/paths';
import { app } from '../app';
import { notify } from './notices.svelte';
import { isTemporary } from '../shared/is-temporary';
import { isQuiet, whenQuiet } from './under-way';
import { writeUnwritten } from './unwritten';

let refusal = $state<string | undefined>();

/** The ability to start without a network here. */
export const offline = {
	/** Reason why there is no service worker, as a sentence, if there is none. */
	get refusal() {
		return refusal;
	}
};

const betweenChecks = 60 * 60_000;

/** Follows what goes on around the page, once that can be used: what the system does with the installed app, and updates. */
export async function followSystem(): Promise<void> {
	// As `isInstalled`, which is in a file that comes with a chat.
	if (matchMedia('(display-mode: standalone), (display-mode: window-controls-overlay)').matches) (await import('./installed-app')).followInstalledApp();
	if (!dev) await followUpdates();
}

/**
 * Registers the service worker and follows its updates: a new version waits, a quiet notice offers it, and once it is
 * accepted in any tab, every tab reloads into it, none of them while an answer is being written anywhere.
 */
async function followUpdates(): Promise<void> {
	if (!('serviceWorker' in navigator)) return;
	// The first worker of all takes over a page that is as new as itself.
	let controlled = navigator.serviceWorker.controller !== null;
	navigator.serviceWorker.addEventListener('controllerchange', () => {
		if (controlled) void reloadWhenQuiet();
		controlled = true;
	});
	let registration: ServiceWorkerRegistration | undefined;
	try {
		await navigator.serviceWorker.register(`${base}/service-worker.js`, { type: 'module', scope: `${base}/` });
		registration = await navigator.serviceWorker.getRegistration();
	} catch (error) {
		refusal = refusalOf(error);
		return;
	}
	if (registration) followRegistration(registration);
}

/** Offers each new version that waits, and asks for one now and then. */
function followRegistration(registration: ServiceWorkerRegistration): void {
	let offered = false;
	/** Offers the version that waits. The first of all waits for none. */
	const offer = () => {
		if (offered || !registration.waiting || !registration.active) return;
		offered = true;
		notify({ text: 'A new version of Snug is ready.', action: { label: 'Update', run: () => accept(registration) } });
	};
	const follow = () => registration.installing?.addEventListener('statechange', offer);
	registration.addEventListener('updatefound', follow);
	follow();
	offer();

	let checked = Date.now();
	document.addEventListener('visibilitychange', () => {
		if (document.visibilityState !== 'visible' || Date.now() - checked < betweenChecks) return;
		checked = Date.now();
		void registration.update().catch(() => undefined);
	});
}

async function accept(registration: ServiceWorkerRegistration): Promise<void> {
	if ((await app.answering()).length > 0) {
		const done = notify({ text: 'Snug updates when the answer is finished.' });
		await app.whenNothingAnswers();
		done();
	}
	registration.waiting?.postMessage({ type: 'SKIP_WAITING' });
}

async function reloadWhenQuiet(): Promise<void> {
	for (let isWritten = !isTemporary(); isWritten; ) {
		await whenQuiet(app.whenNothingAnswers);
		isWritten = await writeUnwritten();
		// Each of these takes a while, in which work may begin; last is asked what answers at once.
		if (isWritten && (await app.answering()).length === 0 && isQuiet()) return location.reload();
	}
	notify({
		text: 'Snug was updated. Copy the text that is not stored yet, then reload.',
		action: { label: 'Reload', run: () => location.reload() }
	});
}

/** A host that does not answer and a browser that forbids it look much alike; the name of the error tells. */
function refusalOf(error: unknown): string {
	const forbidden = error instanceof DOMException && error.name === 'SecurityError';
	if (forbidden) return 'Snug can’t start offline here, unless you allow site data for this address.';
	return 'Snug can’t start offline yet: a part of it did not load. Reload when the connection is good.';
}
