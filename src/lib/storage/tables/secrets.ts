import { unchecked, type TableDefinition } from './definition';

/** The API key of a server, under the server's id; of a tool server the token that it was given, or that was got by signing in. */
export interface Secret {
	id: string;
	apiKey: string;
	signIn?: SignIn;
}

/** The origin of a token that was got by signing in (OAuth), and what another is got with. */
export interface SignIn {
	/** The server where the user signed in, and its address for tokens. */
	issuer: string;
	tokenUrl: string;
	/** Its address for taking a token back. */
	revokeUrl?: string;
	/** Snug as that server knows it, and the way in which it is told so. */
	clientId: string;
	clientSecret?: string;
	clientMethod: string;
	/** The resource that the token is for, as the tool server names it. */
	resource?: string;
	refreshToken?: string;
	/** Milliseconds. */
	expiresAt?: number;
}

/** Is in no backup, export, snapshot, raw data or quarantine, and has no schema, so that no broken row of it is ever copied. */
export const secrets = {
	schema: unchecked<Secret>(),
	key: 'id',
	indexes: { 5: '' },
	scope: 'device',
	secrets: 'never'
} as const satisfies TableDefinition<Secret>;
