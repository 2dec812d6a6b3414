import { base } from '$app/paths';
import { toolServers } from '../app/tool-servers';
import type { SignInPlace } from '../engine/tool-servers/sign-in';
import { AppError } from '../shared/app-error';
import type { ToolServer } from '../storage/tables/tool-servers';
import { sayTools } from './tool-servers';

/** Names by which the page on which users come back (static/oauth.html) and this one tell each other. */
const names = { state: 'sign-in', channel: 'snug-sign-in', lock: 'sign-in:' };

/** The most that is read of what comes back, in characters. */
const maxAnswer = 8000;

/** Returns the address of the page on which users come back, by which sign-in servers know Snug. */
export function signInAddress(): string {
	return new URL(`${base}/oauth.html`, location.href).href;
}

/** Asks a tool server where one signs in for it. Rejects with an AppError where that can't be. */
export function findSignIn(server: ToolServer): Promise<SignInPlace> {
	return toolServers.findSignIn(server);
}

/**
 * Has the user sign in at a place that they have seen, in a window of its own; to be called by their click, or the browser opens none. Rejects with an
 * AppError where that came to nothing.
 */
export async function signIn(server: ToolServer, place: SignInPlace, clientId: string, signal: AbortSignal): Promise<void> {
	const popup = window.open('', '_blank', 'popup,width=520,height=720');
	if (!popup) throw new AppError('sign-in-blocked', 'The browser did not open the window to sign in. Allow this page to open windows (pop-ups), then try again.');
	const close = () => popup.close();
	signal.addEventListener('abort', close, { once: true });
	try {
		const { page, state, finish } = await toolServers.beginSignIn(server, place, { redirectUrl: signInAddress(), clientId: clientId.trim() });
		if (signal.aborted) throw cancelled();
		if (popup.closed) throw new AppError('sign-in-closed', 'The window to sign in was closed before you could. Begin again.');
		const answer = answerTo(state, signal);
		popup.sessionStorage.setItem(names.state, state);
		// Where no header parts the two, what is shown there could lead this page elsewhere.
		popup.opener = null;
		popup.location.replace(page);
		const signedIn = await finish(await answer);
		if (signedIn && server.tools.length === 0) sayTools(signedIn);
	} catch (error) {
		close();
		throw error;
	}
}

/** Returns what comes back to the sign-in of this name. As long as this waits, the page on which users come back knows by a lock that somebody does. */
function answerTo(state: string, signal: AbortSignal): Promise<URLSearchParams> {
	const channel = new BroadcastChannel(names.channel);
	const answer = new Promise<URLSearchParams>((resolve, reject) => {
		channel.onmessage = ({ data }: MessageEvent<{ state?: unknown; answer?: unknown } | null>) => {
			if (data?.state === state && typeof data.answer === 'string') resolve(new URLSearchParams(data.answer.slice(0, maxAnswer)));
		};
		signal.addEventListener('abort', () => reject(cancelled()), { once: true });
	});
	return navigator.locks.request(names.lock + state, () => answer).finally(() => channel.close());
}

function cancelled(): AppError {
	return new AppError('sign-in-cancelled', 'The sign-in was cancelled.');
}
