/**
 * The API key of a server, under the server's id. No list of what leaves the browser has this table: it is in no backup, export,
 * snapshot, raw data or quarantine, and it has no schema, so that no broken row of it is ever copied.
 */
export interface Secret {
	id: string;
	apiKey: string;
}

/** The tables that no file may hold. */
export const secretTables: readonly string[] = ['secrets'];
