import { windowLimits } from '../../conversation/context-limits';
import { AppError } from '../../shared/app-error';
import { ConnectionFailure } from '../../shared/egress';
import { SecretRedactor } from '../../shared/redact-secret';
import { isLocalNetwork } from '../../shared/server-address';
import { ServerBusy } from '../../shared/server-busy';
import { shorten } from '../../shared/shorten';
import type { Provider } from '../../storage/tables/providers';
import { ContextFull } from './context-full';
import { UnfitAnswer } from './server-fetch';
import { howToAllow } from './server-kinds';
import { overloaded, statusIn, type SaidError, type ServerProtocol } from './server-protocol';
import type { Reach } from './server-reach';
import { isCutOff, needsPermission, obstacleTo, offlineError } from './unreachable';

/** The most seconds that are said to be a moment, and the most that are counted down. */
const [aMoment, longestWait] = [60, 3600];

/** A server as its failures name it; also one that is not saved yet. */
export interface Server extends Pick<Provider, 'name' | 'baseUrl'> {
	apiKey?: string;
}

/** Circumstances of a failure. */
interface Circumstances {
	protocol: ServerProtocol;
	reach: Reach;
	/** The place where the API key is entered, in words. */
	keyPlace?: string;
	/** Set where the server has answered: an error of the SDK's then means that it could not read that. */
	hasAnswered?: boolean;
}

/**
 * Says what a failed request to `server` means for the user, for listing and for streaming alike. Takes what
 * `serverFetch` throws, bare or wrapped by the SDK, and the errors inside a stream. Throws what is no failure of the
 * server, as it is: an abort, or a bug. No message holds the API key.
 */
export async function toServerError(
	error: unknown,
	server: Server,
	{ protocol, reach, keyPlace, hasAnswered = false }: Circumstances
): Promise<AppError> {
	if (error instanceof AppError) return error;
	const url = new URL(server.baseUrl);
	const who = server.name || url.host;
	const place: Place = { who, apiKey: server.apiKey, keyPlace, protocol };
	const known = findCause(error);
	if (known instanceof UnfitAnswer) return toAnswerError(known, place);
	if (known?.kind === 'unreachable') return toUnreachableError(url, who, reach, error);
	if (known?.kind === 'slow') {
		const message = `${who} did not answer in time. It may be loading the model or be overloaded; try again.`;
		return new AppError('server-slow', message, { retryable: true, cause: error });
	}
	if (known?.kind === 'broke-off') {
		if (isCutOff(url, reach)) return offlineError(error);
		const message = `${who} broke off in the middle of its answer. Try again.`;
		return new AppError('server-broke-off', message, { retryable: true, cause: error });
	}
	if (known?.kind === 'too-large') {
		const message = `${who} sent more than an answer can be, so Snug stopped reading.`;
		return new AppError('server-too-much', message, { cause: error });
	}
	if (known?.kind === 'redirected') {
		const message = `${named(who, url)} redirects to another address. Snug does not send your words there; enter the server’s own address.`;
		return new AppError('server-redirects', message, { cause: error });
	}
	const inStream = answerInStream(error);
	if (inStream) return toAnswerError(inStream, place);
	if (isUnreadable(error) || (hasAnswered && isPlain(error))) return nonsense(place);
	throw error;
}

/** A server's name and its host, or that alone where it is the name. */
function named(who: string, { host }: URL): string {
	return who === host ? host : `${who} at ${host}`;
}

/** The connection's own failure, which the SDK may have wrapped more than once. */
function findCause(error: unknown): ConnectionFailure | UnfitAnswer | undefined {
	for (let next = error; next instanceof Error; next = next.cause) {
		if (next instanceof ConnectionFailure || next instanceof UnfitAnswer) return next;
	}
	return undefined;
}

/** Nothing came back at all. */
async function toUnreachableError(url: URL, who: string, reach: Reach, cause: unknown): Promise<AppError> {
	const { origin } = reach;
	const obstacle = await obstacleTo(url, reach);
	if (obstacle === 'insecure') {
		const message = `The browser lets a page from https:// reach only encrypted servers, and ${who} is at ${url.origin}. Give it an https:// address, or run Snug on this computer.`;
		return new AppError('server-insecure', message, { cause });
	}
	if (obstacle === 'offline') return offlineError(cause);
	if (obstacle === 'permission') {
		const message = `The browser does not let this page reach ${named(who, url)}. Allow it to reach your local network in the browser’s settings for this site, then try again.`;
		return new AppError('server-denied', message, { retryable: true, cause });
	}
	if (obstacle === 'blocked') {
		const message = `${who} is running, but does not allow requests from this page. ${howToAllow(url, origin)}, then try again.`;
		return new AppError('server-blocked', message, { retryable: true, cause });
	}
	const check = isLocalNetwork(url) ? 'Start it or check the address' : 'Check the address and your connection';
	const permission = needsPermission(url, origin) ? ', and if the browser asks, let this page reach your local network' : '';
	const message = `Can’t reach ${named(who, url)}. ${check}${permission}, then try again.`;
	return new AppError('server-down', message, { retryable: true, cause });
}

/** Tells whether a server says that a model takes no tools. */
function refusesTools(message: string): boolean {
	return /\b(tools?|function calling)\b/i.test(message) && /\bunsupported|(not|n't) (support|enabled)|no endpoints found|requires --/i.test(message);
}

/** Tells whether a server names a parameter that the model settings have. */
function namesParameter(message: string): boolean {
	return /\b(temperature|top[_-]?p|max_?(completion_|output_)?tokens|reasoning([_ .]?effort)?|stop_?sequences|seed)\b|["'`]stop["'`]/i.test(message);
}

/** A server that answered, as the sentence about it needs it. */
interface Place {
	who: string;
	apiKey: string | undefined;
	keyPlace: string | undefined;
	protocol: ServerProtocol;
}

/** Returns an error without a cause: what the server said may hold the API key, and reaches scripts of the page with the error. */
function toAnswerError(answer: UnfitAnswer, place: Place): AppError {
	const { who, apiKey, keyPlace, protocol } = place;
	const said = readError(answer.body, place);
	const status = answer.status < 400 ? answer.status : (said.status ?? answer.status);
	const words = said.message ? `: “${said.message}”` : '';
	const there = keyPlace ? ` ${keyPlace}` : '';
	const failure = (code: string, message: string, retryable = false) => new AppError(code, message, { retryable });

	if (status < 400) {
		if (!isWebPage(answer)) return nonsense(place);
		return failure('server-html', `${who} answered with a web page. Check the address: it usually ends in ${protocol.version}.`);
	}
	if (status === 403) {
		const reason = apiKey ? `The API key may not be allowed to do this: check it${there}` : `It may ask for an API key${keyPlace ? `, which you enter ${keyPlace},` : ''} or not allow this page`;
		return failure('server-unauthorised', `${who} refuses this (403)${words}. ${reason}.`);
	}
	if (status === 401) {
		const key = apiKey ? `did not accept the API key (${status})${words}. Check it` : `asks for an API key (${status})${words}. Enter the key`;
		return failure('server-unauthorised', `${who} ${key}${there}.`);
	}
	if (refusesTools(said.message)) {
		return failure('tools-refused', `This model can’t use tools (${status})${words}. Switch the tools of this chat off, or choose another model.`);
	}
	if (status === 404) {
		return failure('server-not-found', `${who} has no such model or address (404)${words}. Choose another model, or check the address.`);
	}
	if (said.noCredit) {
		return failure('server-refused', `${who} refused the request (${status})${words}. Add credit to your account there, or choose another model.`);
	}
	if (status === 429 || status === overloaded) {
		const seconds = said.retryAfter ?? secondsIn(answer.headers) ?? 0;
		const message = `${who} ${status === 429 ? 'is busy' : 'is overloaded'}. Try again ${seconds > aMoment ? 'later' : 'in a moment'}.`;
		return seconds > 0 && seconds <= longestWait ? new ServerBusy(message, Date.now() + seconds * 1000) : failure('server-busy', message, true);
	}
	if (protocol.contextFull.test(`${said.code} ${said.message}`)) {
		const window = windowIn(said.message, protocol);
		const limit = window === undefined ? 'Too long for this model.' : `Too long: this model takes ${window.toLocaleString('en')} tokens.`;
		return new ContextFull(limit, window ?? 'less');
	}
	if (status === 408) return failure('server-slow', `${who} gave up waiting (408). Try again.`, true);
	if (status >= 500) return failure('server-error', `${who} had an error (${status})${words}. Try again in a moment.`, true);
	if (namesParameter(said.message)) {
		return failure('parameter-refused', `${who} refused the request (${status})${words}. Change that in the model settings, or choose another model.`);
	}
	return failure('server-refused', `${who} refused the request (${status})${words}. Choose another model, or check the server.`);
}

function nonsense({ who, protocol }: Place): AppError {
	const message = `${who} answered in a way that Snug does not understand. Check that the address is that of ${protocol.server}.`;
	return new AppError('server-nonsense', message);
}

/** The window in tokens that a server names when a prompt is too long for it. */
function windowIn(message: string, protocol: ServerProtocol): number | undefined {
	const window = Number(protocol.window.exec(message)?.[1]?.replaceAll(',', ''));
	return window >= windowLimits.min && window <= windowLimits.max ? window : undefined;
}

function isWebPage({ headers, body }: UnfitAnswer): boolean {
	return headers.get('content-type')?.includes('text/html') || /^\s*<(!doctype|html)/i.test(body);
}

/** Seconds from a Retry-After header, which holds seconds or a date (RFC 9110 §10.2.3). */
function secondsIn(headers: Headers): number | undefined {
	const header = headers.get('retry-after');
	if (!header) return undefined;
	return /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
}

/** An error that came as an event of the stream, or that the SDK made of one: with a message, and a status as its code or beside it. */
function answerInStream(error: unknown): UnfitAnswer | undefined {
	if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
	// An error of the SDK's has a status only where it made it of an event.
	const { statusCode, code, responseBody } = error as { statusCode?: unknown; code?: unknown; responseBody?: unknown };
	const status = statusIn(statusCode);
	if (!(error instanceof Error)) return new UnfitAnswer(status ?? statusIn(code) ?? 500, JSON.stringify({ error: saidIn(error) }));
	return status !== undefined && typeof responseBody === 'string' ? new UnfitAnswer(status, responseBody) : undefined;
}

/** The server's own error, of which the SDK may have made another one with the parts that it knows. */
function saidIn(error: object): object {
	return 'data' in error && typeof error.data === 'object' && error.data !== null ? { ...error.data, ...error } : error;
}

/** The SDK's errors for bytes that are not the protocol. */
function isUnreadable(error: unknown): boolean {
	const names = ['JSONParseError', 'TypeValidationError', 'InvalidResponseDataError', 'EmptyResponseBodyError', 'APICallError'];
	// A RangeError is what parsing ends with that is nested too deep.
	return error instanceof RangeError || (error instanceof Error && names.some((name) => error.name === `AI_${name}`));
}

/** Tells whether an error is of no class of its own: SDKs throw such ones where an event is not what they took for certain. */
function isPlain(error: unknown): boolean {
	return error instanceof TypeError || (error instanceof Error && error.constructor === Error);
}

/** The server's own words and what else it says of an error; the words are empty where it says nothing, or a web page. */
function readError(body: string, { apiKey, protocol }: Place): SaidError {
	const content = parseJson(body);
	const said = protocol.errorIn(content ?? (body.includes('<') ? '' : body));
	return { ...said, message: plain(said.message, apiKey) };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const longest = 200;

/** One line of at most 200 characters, without control characters, the key, or the full stop at its end. */
function plain(text: string, apiKey: string | undefined): string {
	const key = apiKey?.trim() ?? '';
	const redactor = new SecretRedactor(key);
	// A short key counts here, too: it is the whole of it that would be shown. One of three characters is a placeholder.
	const withoutKey = (said: string) => (key.length > 3 ? redactor.redact(said).replaceAll(key, '…') : said);
	// Before, since a line changes the blanks in a key; and after, since it may join the parts of one.
	const line = withoutKey(withoutKey(text).replace(/[\s\p{C}]+/gu, ' ').trim().replace(/\.$/, ''));
	return shorten(line, longest);
}
