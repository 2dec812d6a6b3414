/** Beginning of the names under which models call the tools of tool servers; no tool of Snug's begins so. */
export const serverToolPrefix = 'mcp';

/** Tells whether a name is one that tools of servers have. */
export function isServerTool(callName: string): boolean {
	return callName.startsWith(`${serverToolPrefix}_`);
}

/** Returns a tool's name as it is read where nothing more is known of it: of a server's tool the words. */
export function readableToolName(callName: string): string {
	return (isServerTool(callName) && wordsOfServerTool(callName)) || callName;
}

/** Returns the words of such a name: those of the server and of the tool, without the digest. */
export function wordsOfServerTool(callName: string): string {
	return callName.slice(serverToolPrefix.length).replace(/_[0-9a-f]{8}$/, '').replaceAll('_', ' ').trim();
}
