import { storedToolServers, toolServers } from '../app/tool-servers';
import { labelOf } from '../engine/tool-servers/server-tool';
import type { NamedServer } from '../engine/tool-servers/servers';
import type { ToolServer } from '../storage/tables/tool-servers';
import { Live } from './live.svelte';
import { notify, offerBack } from './notices.svelte';

/** The tool servers that the user has added. */
export class AddedToolServers {
	private readonly live = new Live(() => storedToolServers.list());

	get all(): readonly ToolServer[] {
		return this.live.current ?? [];
	}
}

/** Asks a server for its tools and keeps it, all of them off. Rejects with an AppError where that can't be. */
export async function addToolServer(named: NamedServer): Promise<void> {
	const { tools, ...server } = await toolServers.add(named);
	const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
	notify({ text: `${labelOf(server)} has ${count}. ${tools.length === 1 ? 'It is' : 'They are'} off until you switch ${tools.length === 1 ? 'it' : 'them'} on.`, milliseconds: 8000 });
}

/** Asks a server for its tools once more. Rejects with an AppError where that can't be. */
export function refreshToolServer({ id }: ToolServer): Promise<void> {
	return toolServers.refresh(id);
}

/** Forgets a server and its token. */
export async function removeToolServer(server: ToolServer): Promise<void> {
	const token = await storedToolServers.tokenOf(server.id);
	await toolServers.remove(server.id);
	offerBack(`${labelOf(server)} was removed.`, () => storedToolServers.put(server, token));
}

/** Notes that the user has looked at a tool that its server changed. */
export function acceptChange(server: ToolServer, callName: string): Promise<void> {
	return storedToolServers.change(server.id, (row) => ({
		...row,
		tools: row.tools.map(({ changed, ...tool }) => (changed && tool.callName !== callName ? { ...tool, changed } : tool))
	}));
}
