import type { AppError } from '../../shared/app-error';
import type { ConnectionFailure } from '../../shared/egress';
import type { System } from '../providers/server-kinds';

/** The page that asks, as far as browsers have rules for it. */
export interface Page {
	/** Its origin, such as `https://snug.example`. */
	origin: string;
	/** True where the browser takes it for secure (https://, or this computer). */
	isSecure: boolean;
	/** True in Safari and in all browsers of iPhones and iPads, which have rules of their own. */
	isWebKit: boolean;
	/** The system that it runs on, where that is known. */
	system?: System | undefined;
}

/** The server that is asked. */
export interface Patient {
	url: URL;
	/** Things that it is asked for. */
	has: 'models' | 'tools';
	/** Set where it belongs to someone else, who decides what pages it lets in: its name. */
	service?: string | undefined;
	/** True where a key, or a token, is sent to it. */
	hasKey: boolean;
	/** Names of the headers that requests to it can have. */
	headers: readonly string[];
}

/** The end of one request: an HTTP status, or why nothing came. */
export type Outcome = number | ConnectionFailure['kind'];

/** A request that has one header more than the one before; the first has none. */
export interface Rung {
	header?: string;
	outcome: Outcome;
}

/** All that was found out of a server. */
export interface Facts {
	page: Page;
	patient: Patient;
	/** The browser's permission to reach into its network; undefined where the browser has none, or it needs none. */
	permission: PermissionState | undefined;
	/** Tells whether anything is there; undefined where that could not be asked. */
	isThere: boolean | undefined;
	/** Requests as they were tried, up to the first that the browser let fail. */
	rungs: readonly Rung[];
	/** The failure of connecting to it as always; undefined where it could. */
	failure: AppError | undefined;
	/** Another address at which it could be. */
	foundAt?: string | undefined;
	/** True where it keeps sessions, and does not let the page read in which one it is. */
	hidesSession?: boolean;
}

/** Codes of failures that say that nothing came back. */
export const unreached: ReadonlySet<string> = new Set(['server-insecure', 'server-denied', 'server-blocked', 'server-down', 'server-slow', 'offline']);
