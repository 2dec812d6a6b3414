import { storedToolServers } from '../app/stored-tool-servers';
import { toolServers } from '../app/tool-servers';
import { labelOf, titleOf } from '../engine/tool-servers/server-tool';
import type { NamedServer } from '../engine/tool-servers/servers';
import type { ToolServer } from '../storage/tables/tool-servers';
import { Live } from './live.svelte';
import { notify, offerBack } from './notices.svelte';

/** The name of a tool of a server on screen. */
export interface ServerToolName {
	title: string;
	/** The server's name; absent where none of the servers here has that tool. */
	server?: string;
}

/** The tool servers that the user has added. */
export class AddedToolServers {
	private readonly live = new Live(() => storedToolServers.list());

	get all(): readonly ToolServer[] {
		return this.live.current ?? [];
	}

	/** The name of a tool as its server has it; undefined where none of them has such a tool. */
	nameOf(callName: string): ServerToolName | undefined {
		for (const { name: server, tools } of this.all) {
			const tool = tools.find((tool) => tool.callName === callName);
			if (tool) return { title: titleOf(tool), server };
		}
		return undefined;
	}
}

/** Names those of these tools that servers have, each with its server. */
export async function toolsOfServers(callNames: readonly string[]): Promise<string[]> {
	const servers = await storedToolServers.list();
	return servers.flatMap((server) => server.tools.flatMap((tool) => (callNames.includes(tool.callName) ? [`“${titleOf(tool)}” of ${labelOf(server)}`] : [])));
}

/** Asks a server for its tools and keeps it, all of them off, also where the user is to sign in first. Rejects with an AppError where that can't be. */
export async function addToolServer(named: NamedServer): Promise<ToolServer> {
	const server = await toolServers.add(named);
	if (server.signIn !== 'needed') sayTools(server);
	return server;
}

/** Says how many tools a server has that is new. */
export function sayTools({ tools, ...server }: ToolServer): void {
	const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
	notify({ text: `${labelOf(server)} has ${count}. ${tools.length === 1 ? 'It is' : 'They are'} off until you switch ${tools.length === 1 ? 'it' : 'them'} on.`, milliseconds: 8000 });
}

/** Asks a server for its tools once more. Rejects with an AppError where that can't be. */
export function refreshToolServer({ id }: ToolServer): Promise<void> {
	return toolServers.refresh(id);
}

/** Forgets what was got by signing in for a server. */
export function signOut(server: ToolServer): Promise<void> {
	return toolServers.signOut(server);
}

/** Forgets a server and its token. */
export async function removeToolServer(server: ToolServer): Promise<void> {
	const secret = await storedToolServers.secretOf(server.id);
	await toolServers.remove(server.id);
	// What was got by signing in counts no more.
	offerBack(`${labelOf(server)} was removed.`, () => (secret?.signIn ? storedToolServers.put({ ...server, signIn: 'needed' }) : storedToolServers.put(server, secret)));
}

/** Notes that the user has looked at a tool that its server changed. */
export function acceptChange(server: ToolServer, callName: string): Promise<void> {
	return storedToolServers.change(server.id, (row) => ({
		...row,
		tools: row.tools.map(({ changed, ...tool }) => (changed && tool.callName !== callName ? { ...tool, changed } : tool))
	}));
}
