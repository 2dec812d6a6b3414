/// <reference types="@sveltejs/kit" />
/// <reference no-default-lib="true" />
/// <reference lib="esnext" />
/// <reference lib="webworker" />

// The whole shell is precached, so that the app starts with no network; model weights never are. Navigations are
// answered with one page, and everything that is answered from here carries the app's headers, which not every host sends.
import { base, build, files, prerendered, version } from '$service-worker';
import { clientsClaim } from 'workbox-core';
import { addPlugins, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { headersFor } from './headers.js';
import { whenNothingAnswers } from './lib/locks/answering';

declare const self: ServiceWorkerGlobalScope;

// Before all other listeners: what is not of the form that shared/egress.ts gives its requests is not sent.
self.addEventListener('fetch', (event) => {
	if (isExpected(event.request)) return;
	event.stopImmediatePropagation();
	event.respondWith(Response.error());
});

/**
 * Says whether a request is one that the app would send. All that can be known here is its form: a file of this host; or, by
 * script, an address elsewhere that is told neither who asks nor what page it is. What carries words or a key must stay where it
 * was sent. So a library's own requests end here, and those of anything in a page that its policy should let through.
 */
function isExpected({ url, method, headers, redirect, destination, mode, credentials, referrerPolicy }: Request): boolean {
	const sendsWords = !['GET', 'HEAD'].includes(method) || ['authorization', 'x-api-key', 'x-goog-api-key'].some((name) => headers.has(name));
	if (sendsWords && redirect !== 'manual') return false;
	if (new URL(url).origin === self.location.origin) return true;
	return ['GET', 'POST'].includes(method) && destination === '' && mode === 'cors' && credentials === 'omit' && referrerPolicy === 'no-referrer';
}

/** Installing, which takes seconds of the disk and of a processor, waits so long for answers: browsers give it minutes in all. */
const maxWaitMs = 60_000;
let waitedEnough: Promise<void> | undefined;

addPlugins([
	{
		requestWillFetch: async ({ request, event }) => {
			if (event?.type === 'install') {
				waitedEnough ??= new Promise((resolve) => setTimeout(resolve, maxWaitMs));
				await Promise.race([whenNothingAnswers(navigator.locks), waitedEnough]);
			}
			return request;
		}
	},
	{
		handlerWillRespond: async ({ request, response }) => {
			const headers = new Headers(response.headers);
			for (const [name, value] of Object.entries(headersFor(new URL(request.url).pathname))) headers.set(name, value);
			return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
		}
	}
]);

const weights = `${base}/weights/`;
/** Address that other apps share to (the manifest's `share_target`); what they do is below it until a page takes it: view/received.ts. */
const shareAddress = `${base}/share`;
/** The most that is taken at once, in bytes, and in parts of a form: a page parses them all. */
const maxShared = 64 * 2 ** 20;
const maxParts = 300;
const shell = prerendered.find((path) => path.endsWith('/shell/'))!;

// What a worker imports only when it is needed is not in `build`: vocabularies of megabytes, for models on the network.
precacheAndRoute([
	...build.map((url) => ({ url, revision: null })),
	...[...files.filter((url) => !url.startsWith(weights)), shell].map((url) => ({ url, revision: version }))
]);
// The page on which users come back from a sign-in has what came in its address.
const comesBack = `${base}/oauth.html`;
registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname === comesBack, createHandlerBoundToURL(comesBack));
registerRoute(new NavigationRoute(createHandlerBoundToURL(shell), { denylist: [new RegExp(`^${weights}`)] }));
// Without a network there is no offer of weights, which is an answer too.
registerRoute(
	({ url, sameOrigin }) => sameOrigin && url.pathname === `${weights}manifest.json`,
	({ request }) => fetch(request).catch(() => Response.json(null))
);
registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname === shareAddress, ({ request }) => receiveInTurn(request), 'POST');
clientsClaim();

self.addEventListener('message', ({ data, ports }) => {
	if (data?.type === 'SKIP_WAITING') void self.skipWaiting();
	// A page under an embedder policy can't tell a server without CORS headers from one that is down; this worker can.
	if (data?.type === 'IS_THERE') void isThere(data.url).then((answer) => ports[0]?.postMessage(answer));
});

/** Asks for nothing but a sign of life: browsers follow redirects of such a request in any case, and `HEAD` changes nothing where they lead. */
async function isThere(url: string): Promise<boolean> {
	try {
		if (!/^https?:$/.test(new URL(url).protocol)) return false;
		await fetch(url, { method: 'HEAD', mode: 'no-cors', credentials: 'omit', referrerPolicy: 'no-referrer', signal: AbortSignal.timeout(5000) });
		return true;
	} catch {
		return false;
	}
}

let receiving: Promise<unknown> = Promise.resolve();

/** Receives one body at a time, in a window: a frame, which nobody need see, shares nothing. */
async function receiveInTurn(request: Request): Promise<Response> {
	if (request.mode !== 'navigate' || request.destination !== 'document') return Response.error();
	const received = receiving.then(() => receive(request));
	receiving = received.catch(() => undefined);
	return received;
}

/** Keeps what another app shares, unread, and opens a new chat, which takes it. Any page can send something here, so it is limited, and little is kept. */
async function receive(request: Request): Promise<Response> {
	const opens = (name: string) => Response.redirect(`${base}/?shared=${name}`, 303);
	const [, boundary] = /^multipart\/form-data; *boundary="?([^";]+)/.exec(request.headers.get('content-type') ?? '') ?? [];
	if (boundary === undefined) {
		await request.body?.cancel().catch(() => undefined);
		return opens('unreadable');
	}
	const body = await readWithin(request, maxShared, boundary);
	if (typeof body === 'string') return opens(body);
	const id = crypto.randomUUID();
	const cache = await caches.open('shared');
	await cache.put(`${shareAddress}/${id}`, new Response(body, { headers: { 'content-type': request.headers.get('content-type') ?? '' } }));
	for (const older of (await cache.keys()).slice(0, -3)) await cache.delete(older);
	return opens(id);
}

/** Reads a form to its end, unless it has more than `max` bytes, or too many parts: then no more of it is kept, and the result says which. */
async function readWithin(request: Request, max: number, boundary: string): Promise<Blob | 'too-large' | 'too-many'> {
	const pieces: Uint8Array<ArrayBuffer>[] = [];
	// Firefox has no stream of a request.
	const body = request.body ?? (await request.blob()).stream();
	const reader = body.getReader();
	const latin1 = new TextDecoder('latin1');
	let parts = 0;
	let end = '';
	for (let left = max; ; ) {
		const { done, value } = await reader.read();
		if (done) break;
		left -= value.length;
		const pieced = (end + latin1.decode(value)).split(boundary);
		parts += pieced.length - 1;
		end = pieced.at(-1)!.slice(1 - boundary.length);
		// The last boundary ends the form.
		const reason = left < 0 ? 'too-large' : parts > maxParts + 1 ? 'too-many' : undefined;
		if (reason) {
			await reader.cancel().catch(() => undefined);
			return reason;
		}
		pieces.push(value);
	}
	return new Blob(pieces);
}
