import { AppError } from '../../shared/app-error';
import type { Clock } from '../../shared/clock';
import type { Egress } from '../../shared/egress';
import { plainName } from '../../shared/file-name';
import { shorten } from '../../shared/shorten';
import type { ToolServers } from '../../storage/tool-servers';
import type { ServerTool, ToolServer } from '../../storage/tables/tool-servers';
import type { Tool, ToolResult } from '../../tools/tool';
import type { Reach } from '../providers/server-reach';
import { toolServerAddress } from './address';
import { openConnection, type Connection } from './connection';
import { toFile, toResult, toWords } from './result';
import { labelOf, lineOf, makeServerTool, type CallTool } from './server-tool';
import { readTools, slug } from './tool-list';

/** A tool server as the user names it. */
export interface NamedServer {
	address: string;
	token?: string;
	name?: string;
}

/** Something that servers have for users, by its server, and by a name that users can type. */
export interface Offered {
	serverId: string;
	/** The server with its host. */
	from: string;
	key: string;
	/** The name, or for a resource the address, by which its server knows it. */
	id: string;
	label: string;
	detail: string;
}

/** A prompt of a server, and what it asks for. */
export interface OfferedPrompt extends Offered {
	takes: { name: string; required: boolean }[];
}

interface OpenedServer {
	connection: Connection;
	token: string | undefined;
	tools: readonly ServerTool[];
}

interface Ports {
	stored: ToolServers;
	reach: Reach;
	newId: () => string;
	clock: Clock;
	egress?: Egress;
}

/** Milliseconds after which a connection is made anew, so that what a server has changed of its tools is seen. */
const freshFor = 5 * 60_000;

/** The most prompts, or resources, of one server that are offered. */
const maxOffered = 100;

/** The longest name of a server. */
const maxName = 60;

/** The tool servers of this device: adding and asking them, and their tools as models call them. */
export class ServerConnections {
	private readonly opened = new Map<string, { at: number; server: Promise<OpenedServer> }>();

	constructor(private readonly ports: Ports) {}

	/** Asks a server for its tools and keeps it, all of them off. Throws AppErrors; then nothing is kept. */
	async add({ address, token, name }: NamedServer): Promise<ToolServer> {
		const url = toolServerAddress(address);
		try {
			return await this.addAt(url, token, name);
		} catch (failure) {
			if (new URL(url).pathname !== '/' || !isElsewhere(failure)) throw failure;
			// The failure at the address that the user gave says more, unless the longer one proves to be right.
			return this.addAt(`${url}mcp`, token, name).catch((second: unknown) => {
				throw isElsewhere(second) ? failure : second;
			});
		}
	}

	private async addAt(url: string, token: string | undefined, name: string | undefined): Promise<ToolServer> {
		const { stored, newId, clock } = this.ports;
		const before = (await stored.list()).find((server) => server.url === url);
		const given = token?.trim() || undefined;
		if (given && !canBeSent.test(given)) throw new AppError('key-unfit', 'This token has characters that no token can have. Copy it again.');
		const key = given ?? (before && (await stored.tokenOf(before.id)));
		const server = before ?? { id: newId(), name: nameOf(name, url), url, createdAt: clock(), tools: [] };
		const { connection, told } = await this.ask(server, key);
		connection.close();
		await stored.put(told, given);
		this.close(told.id);
		return told;
	}

	/** Asks a server for its tools once more. Throws AppErrors. */
	async refresh(id: string): Promise<void> {
		this.close(id);
		await this.open(id);
	}

	async remove(id: string): Promise<void> {
		this.close(id);
		await this.ports.stored.remove(id);
	}

	/** Returns the tools with these names, of servers that are here. Nothing is asked of any. */
	async tools(callNames: readonly string[]): Promise<Tool[]> {
		const servers = await this.ports.stored.list();
		return servers.flatMap((server) => server.tools.filter(({ callName }) => callNames.includes(callName)).map((tool) => makeServerTool(server, tool, this.call)));
	}

	/** Lists the prompts of all servers, and why some can't be asked. */
	prompts(): Promise<{ found: OfferedPrompt[]; failures: AppError[] }> {
		return this.offers(async (connection, server) =>
			(await connection.prompts()).slice(0, maxOffered).map(({ name, title, description, arguments: takes = [] }) => ({
				...offered(server, { id: name, name, title, detail: description }),
				takes: takes.slice(0, maxOffered).filter(({ name }) => canBeTyped(name)).map(({ name, required = false }) => ({ name, required }))
			}))
		);
	}

	/** Returns the words of a prompt. Throws AppErrors. */
	async wordsOf({ serverId, id }: Offered, values: Record<string, string>): Promise<string> {
		const { connection, token } = await this.open(serverId);
		return toWords(await connection.prompt(id, values), token);
	}

	/** Lists the resources of all servers, and why some can't be asked. */
	resources(): Promise<{ found: Offered[]; failures: AppError[] }> {
		return this.offers(async (connection, server) =>
			(await connection.resources()).slice(0, maxOffered).map(({ uri, name, title, description }) => offered(server, { id: uri, name, title, detail: description ?? uri }))
		);
	}

	/** Returns a resource as a file. Throws AppErrors. */
	async fileOf({ serverId, id, label }: Offered): Promise<File> {
		const { connection, token } = await this.open(serverId);
		return toFile(await connection.resource(id), label, token);
	}

	private async offers<T extends Offered>(list: (connection: Connection, server: ToolServer) => Promise<T[]>): Promise<{ found: T[]; failures: AppError[] }> {
		const found: T[] = [];
		const failures: AppError[] = [];
		const asked = (await this.ports.stored.list()).map(async (server) => {
			try {
				return await list((await this.open(server.id)).connection, server);
			} catch (error) {
				if (!(error instanceof AppError)) throw error;
				failures.push(error);
				return [];
			}
		});
		for (const some of await Promise.all(asked)) found.push(...some);
		return { found, failures };
	}

	private readonly call: CallTool = async ({ id }, tool, input, signal) => {
		const wasOpen = this.opened.has(id);
		try {
			return await this.callOnce(id, tool, input, signal);
		} catch (error) {
			// A server that was started anew knows no session of before, and has not run the call then.
			const isForgotten = error instanceof AppError && ['server-not-found', 'server-refused'].includes(error.code);
			if (!wasOpen || !isForgotten) throw error;
			return this.callOnce(id, tool, input, signal);
		}
	};

	private async callOnce(id: string, { name, callName }: ServerTool, input: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult> {
		const { connection, token, tools } = await this.open(id);
		signal.throwIfAborted();
		if (!tools.some((tool) => tool.callName === callName)) {
			throw new AppError('tool-changed', 'The tool server has changed this tool, or has it no more. Nothing was called. The user can look at it in the settings and switch it on again.');
		}
		return toResult(await connection.call(name, input, signal), token);
	}

	private async open(id: string): Promise<OpenedServer> {
		const { clock, stored } = this.ports;
		const server = await stored.get(id);
		if (!server) throw new AppError('server-absent', 'This tool server was removed. Nothing was sent.');
		const known = this.opened.get(id);
		const earlier = await known?.server.catch(() => undefined);
		if (known && earlier && !earlier.connection.isOver && clock() - known.at < freshFor) return earlier;
		if (this.opened.get(id) === known) this.close(id);
		const opening = this.opened.get(id) ?? { at: clock(), server: this.openAnew(server) };
		this.opened.set(id, opening);
		return opening.server;
	}

	private async openAnew(server: ToolServer): Promise<OpenedServer> {
		const { stored } = this.ports;
		const token = await stored.tokenOf(server.id);
		const { connection, told } = await this.ask(server, token);
		await stored.change(server.id, () => told);
		return { connection, token, tools: told.tools };
	}

	/** Connects to a server and has it tell its tools. */
	private async ask(server: ToolServer, token: string | undefined): Promise<{ connection: Connection; told: ToolServer }> {
		const { reach, egress } = this.ports;
		const connection = await openConnection({ url: server.url, token, reach }, egress);
		const { leftOut: _, ...rest } = server;
		return { connection, told: { ...rest, ...(await readTools(connection.tools, server, token)) } };
	}

	private close(id: string): void {
		const known = this.opened.get(id);
		this.opened.delete(id);
		void known?.server.then(({ connection }) => connection.close(), () => undefined);
	}
}

/** Describes something that a server offers, each in one line. */
function offered(server: ToolServer, { id, name, title, detail }: { id: string; name: string; title?: string | undefined; detail?: string | undefined }): Offered {
	return { serverId: server.id, from: labelOf(server), key: `${slug(server.name, 20)}:${slug(name, 40)}`, id, label: lineOf(title || name, 80), detail: lineOf(detail ?? '', 160) };
}

/** Tells whether a failure could come from asking at the wrong path; servers often send CORS headers at the right one only. */
function isElsewhere(failure: unknown): boolean {
	return failure instanceof AppError && ['server-not-found', 'server-nonsense', 'server-refused', 'server-blocked', 'server-redirects'].includes(failure.code);
}

/** Tells whether what a prompt asks for has a name that can stand in the message field, where users write `name=value`. */
function canBeTyped(name: string): boolean {
	return /^[^\s="“”]{1,60}$/.test(name) && plainName(name) === name;
}

/** The characters of a header's value (RFC 9110, field-value). */
const canBeSent = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Returns the name of a server that is new: the user's, or its host. */
function nameOf(name: string | undefined, url: string): string {
	return shorten(plainName(name ?? ''), maxName) || new URL(url).host;
}
