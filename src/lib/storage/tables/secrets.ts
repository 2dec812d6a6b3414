import { unchecked, type TableDefinition } from './definition';

/** The API key of a server, under the server's id. */
export interface Secret {
	id: string;
	apiKey: string;
}

/** Is in no backup, export, snapshot, raw data or quarantine, and has no schema, so that no broken row of it is ever copied. */
export const secrets = {
	schema: unchecked<Secret>(),
	key: 'id',
	indexes: { 5: '' },
	scope: 'device',
	secrets: 'never'
} as const satisfies TableDefinition<Secret>;
