import { AppError } from '../../shared/app-error';
import { isLocalNetwork, isLoopback } from '../../shared/server-address';
import type { Reach } from './server-reach';

/** A reason for which nothing comes back: a rule of the browser's, no network, the server's own, or there is none. */
export type Obstacle = 'insecure' | 'offline' | 'permission' | 'blocked' | 'down';

/**
 * Finds out why nothing came back from `url`. The browser does not say, so it is found out from around; where it can't be told,
 * nothing is there.
 */
export async function obstacleTo(url: URL, reach: Reach): Promise<Obstacle> {
	const { origin, isThere, permissionFor } = reach;
	const permission = await permissionFor?.(url);
	if (isMixed(url, origin) && !(permission && isKnownToBeLocal(url))) return 'insecure';
	if (isCutOff(url, reach)) return 'offline';
	if (permission === 'denied' && needsPermission(url, origin)) return 'permission';
	return (await isThere(url.href)) ? 'blocked' : 'down';
}

/** Tells whether a server is out of reach, since the browser has no network: one on this device or in its own network may be there all the same. */
export function isCutOff(url: URL, { isOffline }: Reach): boolean {
	return !isLocalNetwork(url) && Boolean(isOffline?.());
}

/** Returns the failure of a request that had no network. Its message is stored, and read when there is one again. */
export function offlineError(cause?: unknown): AppError {
	return new AppError('offline', 'You were offline. Try again once you are connected.', { retryable: true, cause });
}

/** Tells whether a page is encrypted and a server is not. */
export function isMixed(url: URL, origin: string): boolean {
	return origin.startsWith('https:') && url.protocol === 'http:' && !isLoopback(url);
}

/** Tells whether a server is nearer to the user than the page is: browsers ask before a page reaches into a network, or a computer. */
export function needsPermission(url: URL, origin: string): boolean {
	return distance(url) < distance(new URL(origin));
}

function distance(url: URL): number {
	return isLoopback(url) ? 0 : isLocalNetwork(url) ? 1 : 2;
}

/**
 * Tells whether a browser knows a host for one of the local network before it looks for it: by its number, or as `.local`. One that asks for
 * the permission lets a page from https:// reach it without encryption then.
 */
export function isKnownToBeLocal(url: URL): boolean {
	return isLocalNetwork(url) && /^[\d.]+$|^\[|\.local$/.test(url.hostname);
}
