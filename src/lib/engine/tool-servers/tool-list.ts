import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { exceeds } from '../../shared/extent';
import { plainName } from '../../shared/file-name';
import { SecretRedactor } from '../../shared/redact-secret';
import { serverToolPrefix } from '../../shared/server-tool-name';
import { sha256Of } from '../../shared/sha256';
import { shorten } from '../../shared/shorten';
import type { ServerTool, ToolServer } from '../../storage/tables/tool-servers';

/** Limits of what a server says of its tools: their number, and in UTF-16 units each name, description and schema. */
const most = { tools: 200, name: 200, description: 8000, schema: 32_000 };

/** The most that a schema is nested, and has in it. */
const maxExtent = { levels: 32, values: 5000 };

/**
 * Returns the tools of a list that can be offered, as they are stored, and the number of others. A tool of which the server says something else than
 * in `before` is marked.
 */
export async function readTools(
	listed: readonly ListedTool[],
	{ id, name, tools: before }: Pick<ToolServer, 'id' | 'name' | 'tools'>,
	token: string | undefined
): Promise<Pick<ToolServer, 'tools' | 'leftOut'>> {
	const redactor = new SecretRedactor(token);
	const tools = new Map<string, ServerTool>();
	for (const one of listed) {
		if (tools.size === most.tools) break;
		if (tools.has(one.name)) continue;
		const said = describe(one, redactor);
		if (!said) continue;
		const callName = await callNameOf(id, name, said);
		const earlier = before.find((tool) => tool.name === said.name);
		const changed = earlier && (earlier.callName !== callName || earlier.changed);
		tools.set(one.name, { ...said, callName, ...(changed && { changed: true }) });
	}
	const leftOut = listed.length - tools.size;
	return { tools: [...tools.values()], ...(leftOut > 0 && { leftOut }) };
}

/** Returns a tool as its server describes it; undefined where that is too much, can't be told apart, or has the token in it. */
function describe({ name, title, description = '', inputSchema }: ListedTool, redactor: SecretRedactor): Omit<ServerTool, 'callName'> | undefined {
	if (plainName(name) === '' || name.length > most.name || description.length > most.description || exceeds(inputSchema, maxExtent)) return undefined;
	const schema = JSON.stringify(inputSchema);
	if (schema.length > most.schema || [name, title ?? '', description, schema].some((text) => redactor.redact(text) !== text)) return undefined;
	const shown = plainName(title ?? '');
	return { name, ...(shown && { title: shorten(shown, 80) }), description, inputSchema: schema };
}

/**
 * Returns the name under which models call a tool: it begins as no tool of Snug's does, and ends in a digest of the server and of all that a model is told of
 * the tool. So what the user allowed holds for that server, and for what it said by then.
 */
async function callNameOf(serverId: string, serverName: string, { name, title, description, inputSchema }: Omit<ServerTool, 'callName'>): Promise<string> {
	const digest = await sha256Of(JSON.stringify([serverId, name, title, description, inputSchema]));
	return [serverToolPrefix, slug(serverName, 20), slug(name, 28), digest.slice(0, 8)].join('_');
}

/** Returns a text in small letters, digits and `_`, for a name. */
export function slug(text: string, length: number): string {
	const letters = text.toLowerCase().replace(/[^a-z0-9]+/g, '_').slice(0, length).replace(/^_+|_+$/g, '');
	return letters || 'x';
}
