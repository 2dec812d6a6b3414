import * as v from 'valibot';
import type { Database } from './database';
import type { Assert, Same } from './tables/definition';
import { count, id, text, time } from './tables/fields';
import type { Secret, SignIn } from './tables/secrets';
import type { ToolServer } from './tables/tool-servers';

const tool = v.object({
	name: text,
	callName: v.pipe(text, v.regex(/^mcp_[a-z0-9_]{1,60}$/)),
	title: v.exactOptional(text),
	description: text,
	inputSchema: text,
	changed: v.exactOptional(v.literal(true))
});

const toolServer = v.object({
	id,
	name: text,
	url: text,
	createdAt: time,
	tools: v.array(tool),
	leftOut: v.exactOptional(count),
	hasResources: v.exactOptional(v.literal(true)),
	signIn: v.exactOptional(v.picklist(['needed', 'done']))
});

const signIn = v.object({
	issuer: text,
	tokenUrl: text,
	revokeUrl: v.exactOptional(text),
	clientId: text,
	clientSecret: v.exactOptional(text),
	clientMethod: text,
	resource: v.exactOptional(text),
	refreshToken: v.exactOptional(text),
	expiresAt: v.exactOptional(v.number())
});

type _ToolServerAgrees = Assert<Same<v.InferOutput<typeof toolServer>, ToolServer>>;
type _SignInAgrees = Assert<Same<v.InferOutput<typeof signIn>, SignIn>>;

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

	/** The token of a server, to be sent to that server only, and how it was got. */
	async secretOf(id: string): Promise<Secret | undefined> {
		const row = await this.db.secrets.get(id);
		if (typeof row?.apiKey !== 'string') return undefined;
		return { id, apiKey: row.apiKey, ...(v.is(signIn, row.signIn) && { signIn: row.signIn }) };
	}

	/** Keeps a server, and its token where one is given; a token that was there before stays otherwise. */
	async put(server: ToolServer, secret?: Omit<Secret, 'id'>): Promise<void> {
		const { toolServers, secrets } = this.db;
		await this.db.transaction('rw', toolServers, secrets, async () => {
			await toolServers.put(server);
			if (secret) await secrets.put({ ...secret, id: server.id });
		});
	}

	/** Keeps what was got by signing in for a server, or forgets the token where that is nothing; one that is gone stays gone. */
	async setSignIn(id: string, secret: Omit<Secret, 'id'> | undefined): Promise<void> {
		const { toolServers, secrets } = this.db;
		await this.db.transaction('rw', toolServers, secrets, async () => {
			const server = await this.get(id);
			if (!server) return;
			await toolServers.put({ ...server, signIn: secret ? 'done' : 'needed' });
			if (secret) await secrets.put({ ...secret, id });
			else await secrets.delete(id);
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
