import { unchecked, type TableDefinition } from './definition';

/** A tool as its server last described it. */
export interface ServerTool {
	/** The server's name for it. */
	name: string;
	/** The name under which models call it: it has a digest of all that the server says of it, so that what has changed is another tool. */
	callName: string;
	title?: string;
	description: string;
	/** The schema of its input, as JSON. */
	inputSchema: string;
	/** The server says something else of it than before, and the user has not switched it on since. */
	changed?: true;
}

/** A server of tools that the user has added. Its token is in `secrets`. */
export interface ToolServer {
	id: string;
	name: string;
	url: string;
	createdAt: number;
	tools: ServerTool[];
	/** The number of tools that it has beside these. */
	leftOut?: number;
	/** It has something to be read, by what it says. */
	hasResources?: true;
	/** The user signs in for it (OAuth), and has done so or is to. */
	signIn?: 'needed' | 'done';
}

/**
 * Is in no file: an address may be a secret, and what a file says of tools is nothing that a server has said. `ToolServers` checks its rows, which
 * nothing else reads, so that the first load has no schema of it.
 */
export const toolServers = {
	schema: unchecked<ToolServer>(),
	key: 'id',
	indexes: { 15: '' },
	scope: 'device',
	secrets: 'never'
} as const satisfies TableDefinition<ToolServer>;
