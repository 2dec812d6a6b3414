import * as v from 'valibot';
import type { Database } from './database';
import type { Assert, Same } from './tables/definition';
import { count, id, text, time } from './tables/fields';
import type { ToolServer } from './tables/tool-servers';

const tool = v.object({
	name: text,
	callName: v.pipe(text, v.regex(/^mcp_[a-z0-9_]{1,60}$/)),
	title: v.exactOptional(text),
	description: text,
	inputSchema: text,
	changed: v.exactOptional(v.literal(true))
});

const toolServer = v.object({ id, name: text, url: text, createdAt: time, tools: v.array(tool), leftOut: v.exactOptional(count) });

type _ToolServerAgrees = Assert<Same<v.InferOutput<typeof toolServer>, ToolServer>>;

/** The servers of tools that the user has added, and the tokens that they ask for. A row that is none is as if it were not there. */
export class ToolServers {
	constructor(private readonly db: Database) {}

	/** Lists them, oldest first. */
	async list(): Promise<ToolServer[]> {
		return (await this.db.toolServers.toArray()).filter(isToolServer).sort((a, b) => a.createdAt - b.createdAt);
	}

	async get(id: string): Promise<ToolServer | undefined> {
		const row = await this.db.toolServers.get(id);
		return isToolServer(row) ? row : undefined;
	}

	/** The token of a server, to be sent to that server only. */
	async tokenOf(id: string): Promise<string | undefined> {
		const token: unknown = (await this.db.secrets.get(id))?.apiKey;
		return typeof token === 'string' ? token : undefined;
	}

	/** Keeps a server, and its token where one is given; a token that was there before stays otherwise. */
	async put(server: ToolServer, token?: string): Promise<void> {
		const { toolServers, secrets } = this.db;
		await this.db.transaction('rw', toolServers, secrets, async () => {
			await toolServers.put(server);
			if (token !== undefined) await secrets.put({ id: server.id, apiKey: token });
		});
	}

	/** Changes a server as it is by then; one that is gone stays gone. */
	async change(id: string, next: (server: ToolServer) => ToolServer): Promise<void> {
		const { toolServers } = this.db;
		await this.db.transaction('rw', toolServers, async () => {
			const before = await this.get(id);
			if (before) await toolServers.put(next(before));
		});
	}

	async remove(id: string): Promise<void> {
		const { toolServers, secrets } = this.db;
		await this.db.transaction('rw', toolServers, secrets, async () => {
			await toolServers.delete(id);
			await secrets.delete(id);
		});
	}
}

function isToolServer(row: unknown): row is ToolServer {
	return v.is(toolServer, row);
}
