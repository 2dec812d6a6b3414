import type { AuthorizationServerMetadata, OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/app-error';
import { ConnectionFailure, send, textOf, type Egress } from '../../shared/egress';
import { isLoopback } from '../../shared/server-address';
import { shorten } from '../../shared/shorten';
import type { Secret, SignIn } from '../../storage/tables/secrets';
import type { Reach } from '../providers/server-reach';
import { canBeSent, readyZod, toUnreachable } from './failure';

/** The place where one signs in for a tool server, by what that server says. Nothing else was asked yet. */
export interface SignInPlace {
	/** The address of the tool server. */
	url: string;
	issuer: string;
	/** The host that the user is to know. */
	host: string;
	/** The resource that a token is for. */
	resource?: string;
	scope?: string;
}

/** Snug, as the sign-in server knows it. */
export interface SignInClient {
	/** The page of this app to which the user comes back. */
	redirectUrl: string;
	/** The id that the user got for Snug there, where that server gives none by itself. */
	clientId?: string | undefined;
}

/** A sign-in that has begun: the page on which the user goes on, and what is made of the answer that comes back. */
export interface BegunSignIn<T = Omit<Secret, 'id'>> {
	page: string;
	state: string;
	finish(answer: URLSearchParams): Promise<T>;
}

interface Ports {
	reach: Reach;
	egress?: Egress | undefined;
	now: () => number;
}

/** Asks a tool server where one signs in; undefined where it names no place. Throws an AppError where what it names is not to be trusted. */
export async function findSignIn(url: string, { reach, egress }: Ports): Promise<SignInPlace | undefined> {
	await readyZod();
	const { checkResourceAllowed, discoverAuthorizationServerMetadata, discoverOAuthProtectedResourceMetadata, extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
	const { host, origin } = new URL(url);
	const network = new Network(origin, `tool server at ${host}`, reach, egress);
	const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
	const asked = await network.told(() => network.fetch(url, { method: 'POST', headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }, body }));
	if (asked.status !== 401) return undefined;
	const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(asked);
	const told = await network.optional(() => discoverOAuthProtectedResourceMetadata(url, { ...(resourceMetadataUrl && { resourceMetadataUrl }) }, network.fetch));
	// A server of before says at its own address how one signs in, or not at all.
	const issuer = told ? told.authorization_servers?.[0] : (await network.optional(() => discoverAuthorizationServerMetadata(`${origin}/`, { fetchFn: network.fetch })))?.issuer;
	if (issuer === undefined) return undefined;
	if (told && !checkResourceAllowed({ requestedResource: url, configuredResource: told.resource })) {
		throw new AppError('sign-in-foreign', `The tool server at ${host} has one sign in for another server, ${shorten(told.resource, 100)}. Snug does not: what you would allow there is not for this one.`);
	}
	if (!isSafe(new URL(url)) || !URL.canParse(issuer) || !isSafe(new URL(issuer)) || issuer.length > maxAddress) {
		throw new AppError('sign-in-insecure', `Signing in for the tool server at ${host} would not be encrypted, so Snug does not do it. Both that server and its sign-in server need an https:// address.`);
	}
	const scopes = scope ?? told?.scopes_supported?.join(' ');
	return { url, issuer, host: new URL(issuer).host, ...(told && { resource: told.resource }), ...(scopes && scopes.length <= maxAddress && { scope: scopes }) };
}

/** Asks the sign-in server how one signs in, and makes Snug known there. Throws AppErrors. */
export async function beginSignIn({ issuer, host, resource, scope }: SignInPlace, { redirectUrl, clientId }: SignInClient, { reach, egress, now }: Ports): Promise<BegunSignIn> {
	await readyZod();
	const { discoverAuthorizationServerMetadata, exchangeAuthorization, registerClient, selectClientAuthMethod, startAuthorization } = await import('@modelcontextprotocol/client');
	const network = new Network(new URL(issuer).origin, `sign-in server at ${host}`, reach, egress);
	const metadata = await network.told(() => discoverAuthorizationServerMetadata(issuer, { fetchFn: network.fetch }));
	if (!metadata) throw new AppError('sign-in-untold', `The sign-in server at ${host} does not say how one signs in. If it is yours, have it say so at /.well-known/oauth-authorization-server, to this page too (CORS, ${reach.origin}).`);
	checkMetadata(metadata, issuer);
	const scopes = scope && metadata.scopes_supported?.includes('offline_access') && !scope.split(' ').includes('offline_access') ? `${scope} offline_access` : scope;
	const client = await network.told(async (): Promise<OAuthClientInformationMixed> => {
		if (clientId) return { client_id: clientId };
		if (!metadata.registration_endpoint) throw new AppError('sign-in-client', `${host} does not let apps register themselves. Make Snug known there, as a public client that comes back to the address below, and enter the client ID.`);
		const about = {
			client_name: 'Snug',
			redirect_uris: [redirectUrl],
			grant_types: ['authorization_code', 'refresh_token'],
			response_types: ['code'],
			token_endpoint_auth_method: 'none',
			application_type: isLoopback(new URL(redirectUrl)) ? ('native' as const) : ('web' as const)
		};
		return registerClient(issuer, { metadata, clientMetadata: about, ...(scopes && { scope: scopes }), fetchFn: network.fetch });
	});
	const state = randomState();
	const { authorizationUrl, codeVerifier } = await network.told(() =>
		startAuthorization(issuer, { metadata, clientInformation: client, redirectUrl, state, ...(scopes && { scope: scopes }), ...(resource && { resource }) })
	);
	return {
		page: authorizationUrl.href,
		state,
		finish: async (answer) => {
			if (answer.get('state') !== state) throw new AppError('sign-in-astray', `What came back from ${host} does not belong to this sign-in, so nothing of it was used. Begin again.`);
			const iss = answer.get('iss') ?? undefined;
			if (iss !== undefined && iss !== metadata.issuer) throw mixedUp(host);
			const code = answer.get('code');
			if (!code) throw notGiven(host, answer.get('error') ?? '');
			const tokens = await network.told(() =>
				exchangeAuthorization(issuer, { metadata, clientInformation: client, authorizationCode: code, codeVerifier, redirectUri: redirectUrl, ...(resource && { resource }), ...(iss !== undefined && { iss }), fetchFn: network.fetch })
			);
			const revokeUrl = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
			return toSecret(tokens, host, now(), {
				issuer,
				tokenUrl: metadata.token_endpoint,
				...(typeof revokeUrl === 'string' && isAt(revokeUrl, issuer) && { revokeUrl }),
				clientId: client.client_id,
				...(client.client_secret && { clientSecret: client.client_secret }),
				clientMethod: selectClientAuthMethod(client, metadata.token_endpoint_auth_methods_supported ?? []),
				...(resource && { resource })
			});
		}
	};
}

/** Gets another token in the place of one that has expired; undefined where the user is to sign in again. Throws AppErrors. */
export async function renewSignIn(signIn: SignIn, { reach, egress, now }: Ports): Promise<Omit<Secret, 'id'> | undefined> {
	const { issuer, tokenUrl, clientId, clientSecret, clientMethod, resource, refreshToken } = signIn;
	if (!refreshToken) return undefined;
	await readyZod();
	const { OAuthError, refreshAuthorization } = await import('@modelcontextprotocol/client');
	const { host, origin } = new URL(issuer);
	const network = new Network(origin, `sign-in server at ${host}`, reach, egress);
	const metadata = { issuer, token_endpoint: tokenUrl, authorization_endpoint: tokenUrl, response_types_supported: ['code'] };
	const clientInformation = { client_id: clientId, token_endpoint_auth_method: clientMethod, ...(clientSecret && { client_secret: clientSecret }), redirect_uris: [] };
	const tokens = await network.told(async () => {
		try {
			return await refreshAuthorization(issuer, { metadata, clientInformation, refreshToken, ...(resource && { resource }), fetchFn: network.fetch });
		} catch (error) {
			if (error instanceof OAuthError && ['invalid_grant', 'invalid_client', 'unauthorized_client'].includes(error.code)) return undefined;
			throw error;
		}
	});
	return tokens && toSecret(tokens, host, now(), signIn);
}

/** Has a token count no more where it was got, as far as that can be: nobody waits for it, and its failure changes nothing. */
export async function revokeSignIn({ apiKey, signIn }: Omit<Secret, 'id'>, egress: Egress | undefined): Promise<void> {
	if (!signIn?.revokeUrl || !isAt(signIn.revokeUrl, signIn.issuer)) return;
	const { revokeUrl, refreshToken, clientId, clientSecret } = signIn;
	const body = new URLSearchParams({ token: refreshToken ?? apiKey, client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) });
	await send('sign-in', revokeUrl, { method: 'POST', body }, egress).then(
		({ body }) => body?.cancel(),
		() => undefined
	);
}

/** The longest address, token, or list of scopes, in characters. */
const maxAddress = 2000;
const maxToken = 16_000;

/** Throws where a sign-in server says of itself what is not to be trusted. */
function checkMetadata(metadata: AuthorizationServerMetadata, issuer: string): void {
	const { host } = new URL(issuer);
	const { authorization_endpoint: page, token_endpoint: tokens, registration_endpoint: registration } = metadata;
	const elsewhere = [page, tokens, registration].find((address) => address !== undefined && !isAt(address, issuer));
	if (elsewhere !== undefined) {
		const there = (URL.canParse(elsewhere) && new URL(elsewhere).host) || shorten(elsewhere, 60);
		throw new AppError('sign-in-elsewhere', `The sign-in server at ${host} sends what is secret to another one, ${there}. Snug does not follow it.`);
	}
	if (!metadata.response_types_supported.includes('code') || !metadata.code_challenge_methods_supported?.includes('S256')) {
		throw new AppError('sign-in-unsupported', `The sign-in server at ${host} has none of the ways that are safe in a browser (authorization code with PKCE, S256).`);
	}
}

/** Tells whether an address is within the origin of another. */
function isAt(address: string, issuer: string): boolean {
	return URL.canParse(address) && new URL(address).origin === new URL(issuer).origin && address.length <= maxAddress;
}

/** Tells whether what is sent to an address is encrypted, or stays on this machine. */
function isSafe(url: URL): boolean {
	return !url.username && !url.password && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)));
}

function randomState(): string {
	return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function mixedUp(host: string): AppError {
	return new AppError('sign-in-foreign', `What came back says that it is not from ${host}, so nothing of it was used.`);
}

/** Says why nothing was given. What comes back could be from anybody, so none of its words are shown. */
function notGiven(host: string, error: string): AppError {
	if (error === 'access_denied') return new AppError('sign-in-denied', `Access to ${host} was denied. You are not signed in.`);
	return new AppError('sign-in-refused', `${host} ended the sign-in with an error. Try again, or ask whoever runs it.`);
}

interface Tokens {
	access_token: string;
	token_type: string;
	expires_in?: number | undefined;
	refresh_token?: string | undefined;
}

function toSecret({ access_token: token, token_type: type, expires_in: seconds, refresh_token: refreshToken }: Tokens, host: string, now: number, signIn: SignIn): Omit<Secret, 'id'> {
	const isFit = (text: string) => text !== '' && text.length <= maxToken && canBeSent.test(text);
	if (type.toLowerCase() !== 'bearer' || !isFit(token) || (refreshToken !== undefined && !isFit(refreshToken))) throw nonsense(`sign-in server at ${host}`);
	const { refreshToken: _, expiresAt: __, ...rest } = signIn;
	const expiresAt = seconds !== undefined && Number.isFinite(seconds) ? now + Math.max(0, seconds) * 1000 : undefined;
	return { apiKey: token, signIn: { ...rest, ...(refreshToken !== undefined && { refreshToken }), ...(expiresAt !== undefined && { expiresAt }) } };
}

function nonsense(who: string): AppError {
	return new AppError('sign-in-nonsense', `The ${who} answered in a way that Snug does not understand. Nothing was signed in.`);
}

/** The way of the SDK to one origin, and to no other. */
class Network {
	private failure: unknown;

	constructor(
		private readonly origin: string,
		private readonly who: string,
		private readonly reach: Reach,
		private readonly egress: Egress | undefined
	) {}

	readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
		const to = new URL(url);
		try {
			if (to.origin !== this.origin) throw new AppError('sign-in-elsewhere', `The ${this.who} names another one, ${to.host}, to be asked about signing in. Snug does not follow it.`);
			const response = await send('sign-in', to, init, this.egress);
			const { status, statusText, headers } = response;
			const text = await textOf(response);
			return new Response(text === '' ? null : text, { status, statusText, headers });
		} catch (error) {
			this.failure = error;
			// The SDK takes a TypeError for a request that the browser did not let through, and tries one with fewer headers.
			if (error instanceof ConnectionFailure && error.kind === 'unreachable') throw new TypeError('unreachable', { cause: error });
			throw error;
		}
	};

	/** Says what is wrong with what is not as it should be, as an AppError. What was answered may have secrets in it, so none of it is told. */
	async told<T>(work: () => Promise<T>): Promise<T> {
		this.failure = undefined;
		try {
			return await work();
		} catch (error) {
			throw await this.explain(error);
		}
	}

	/** Does as `told`, but takes what the server does not have for nothing. */
	async optional<T>(work: () => Promise<T>): Promise<T | undefined> {
		this.failure = undefined;
		return work().catch(async (error: unknown) => {
			if (error instanceof AppError || this.failure instanceof AppError) throw await this.explain(error);
			return undefined;
		});
	}

	private async explain(error: unknown): Promise<AppError> {
		if (error instanceof AppError) return error;
		const { failure, who, origin } = this;
		if (failure instanceof AppError) return failure;
		const { IssuerMismatchError, OAuthError, RegistrationRejectedError } = await import('@modelcontextprotocol/client');
		const { host } = new URL(origin);
		if (error instanceof IssuerMismatchError) return new AppError('sign-in-foreign', `The ${who} says that it is another one. Snug does not trust it.`);
		if (error instanceof RegistrationRejectedError) return new AppError('sign-in-client', `${host} did not make Snug known. If you have a client ID for it there, enter it; it comes back to the address below.`);
		if (error instanceof OAuthError) return notGiven(host, error.code);
		if (!(failure instanceof ConnectionFailure)) return nonsense(who);
		if (failure.kind === 'unreachable') return toUnreachable(new URL(origin), `the ${who}`, this.reach);
		if (failure.kind === 'redirected') return new AppError('sign-in-redirects', `The ${who} redirects to another address. Snug does not follow it.`);
		return new AppError('sign-in-slow', `The ${who} did not answer as it should in time. Try again.`, { retryable: true });
	}
}
