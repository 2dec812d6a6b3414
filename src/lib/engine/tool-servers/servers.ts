import { AppError } from '../../shared/app-error';
import type { Clock } from '../../shared/clock';
import type { Egress } from '../../shared/egress';
import { plainName } from '../../shared/file-name';
import { shorten } from '../../shared/shorten';
import type { ToolServers } from '../../storage/tool-servers';
import type { Secret } from '../../storage/tables/secrets';
import type { ServerTool, ToolServer } from '../../storage/tables/tool-servers';
import type { Tool } from '../../tools/tool';
import type { Reach } from '../providers/server-reach';
import { toolServerAddress } from './address';
import { openConnection, type Connection } from './connection';
import { canBeSent } from './failure';
import { toFile, toResult, toWords } from './result';
import { canBeTyped, labelOf, lineOf, makeServerTool, type CallTool } from './server-tool';
import { beginSignIn, findSignIn, renewSignIn, revokeSignIn, type BegunSignIn, type SignInClient, type SignInPlace } from './sign-in';
import { readTools, slug } from './tool-list';
import { fill, variablesOf } from './uri-template';

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
	/** The name, or for a resource the address or its template, by which its server knows it. */
	id: string;
	label: string;
	detail: string;
	/** Its arguments; a resource at an address of its own has none. */
	takes: { name: string; required: boolean }[];
}

/** An argument that is being written: of which prompt or resource, by its key, and what was written of it and before it. */
export interface BegunArgument {
	kind: 'prompt' | 'resource';
	key: string;
	name: string;
	value: string;
	given: Record<string, string>;
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
	/** Does something while no other tab does something of that name. */
	alone: <T>(name: string, work: () => Promise<T>) => Promise<T>;
	/** Tells whether a token may be renewed here: that ends the one before, which a page that stores nothing would leave to the others. */
	renews: () => boolean;
	egress?: Egress;
}

/** Milliseconds after which a connection is made anew, so that what a server has changed of its tools is seen. */
const freshFor = 5 * 60_000;

/** The most arguments that a prompt is asked for with. */
const maxTaken = 100;

/** The most that is proposed for an argument, and the longest of it, in UTF-16 units. */
const maxProposals = 20;
const maxProposal = 120;

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
		const key = given ?? (before && (await stored.secretOf(before.id))?.apiKey);
		const server = before ?? { id: newId(), name: nameOf(name, url), url, createdAt: clock(), tools: [] };
		const told = given ? await this.toldBy(withoutSignIn(server), key) : await this.toldBy(server, key).catch((failure: unknown) => this.orNeedsSignIn(server, failure));
		await stored.put(told, given ? { apiKey: given } : undefined);
		this.close(told.id);
		return told;
	}

	/** Returns a server with what it tells now, by a connection that is for nothing else. */
	private async toldBy(server: ToolServer, token: string | undefined): Promise<ToolServer> {
		const { connection, told } = await this.ask(server, token);
		connection.close();
		return told;
	}

	/** Returns a server for which the user is to sign in, where it says where. Throws the failure otherwise. */
	private async orNeedsSignIn(server: ToolServer, failure: unknown): Promise<ToolServer> {
		if (!isUnauthorised(failure) || !(await findSignIn(server.url, this.signInPorts))) throw failure;
		return { ...server, signIn: 'needed' };
	}

	/** Asks a tool server where one signs in for it. Throws AppErrors. */
	async findSignIn({ url }: ToolServer): Promise<SignInPlace> {
		const place = await findSignIn(url, this.signInPorts);
		if (!place) throw new AppError('sign-in-untold', `The tool server at ${new URL(url).host} does not ask for a sign-in, or does not say where. If it asks for a token, remove it, and add it with that.`);
		return place;
	}

	/** Begins a sign-in at a place that the user has seen. Throws AppErrors; `finish` too. */
	async beginSignIn({ id }: ToolServer, place: SignInPlace, client: SignInClient): Promise<BegunSignIn<ToolServer | undefined>> {
		const { stored } = this.ports;
		const { finish, ...begun } = await beginSignIn(place, client, this.signInPorts);
		return {
			...begun,
			finish: async (answer) => {
				await stored.setSignIn(id, await finish(answer));
				await this.refresh(id);
				return stored.get(id);
			}
		};
	}

	/** Forgets what was got by signing in, here and, as far as that can be, where it was got. */
	async signOut({ id }: ToolServer): Promise<void> {
		const { stored, egress } = this.ports;
		this.close(id);
		const secret = await stored.secretOf(id);
		await stored.setSignIn(id, undefined);
		if (secret) void revokeSignIn(secret, egress);
	}

	private get signInPorts() {
		const { reach, egress, clock } = this.ports;
		return { reach, egress, now: clock };
	}

	/** Asks a server for its tools once more. Throws AppErrors. */
	async refresh(id: string): Promise<void> {
		this.close(id);
		await this.open(id);
	}

	/** Forgets a server, and what was got by signing in as `signOut` does. */
	async remove(id: string): Promise<void> {
		const { stored, egress } = this.ports;
		this.close(id);
		const secret = await stored.secretOf(id);
		await stored.remove(id);
		if (secret) void revokeSignIn(secret, egress);
	}

	/** Returns the tools with these names, of servers that are here. Nothing is asked of any. */
	async tools(callNames: readonly string[]): Promise<Tool[]> {
		const servers = await this.ports.stored.list();
		return servers.flatMap((server) => server.tools.filter(({ callName }) => callNames.includes(callName)).map((tool) => makeServerTool(server, tool, this.call)));
	}

	/** Lists the prompts of all servers, and why some can't be asked. */
	prompts(): Promise<{ found: Offered[]; failures: AppError[] }> {
		return this.offers(promptsOf);
	}

	/** Returns the words of a prompt. Throws AppErrors. */
	async wordsOf({ serverId, id }: Offered, values: Record<string, string>): Promise<string> {
		return this.using(serverId, async ({ connection, token }) => toWords(await connection.prompt(id, values), token));
	}

	/** Lists the resources of all servers, and why some can't be asked. */
	resources(): Promise<{ found: Offered[]; failures: AppError[] }> {
		return this.offers(resourcesOf);
	}

	/** Returns a resource as a file. Throws AppErrors. */
	async fileOf({ serverId, id, label, takes }: Offered, values: Record<string, string>): Promise<File> {
		return this.using(serverId, async ({ connection, token }) => {
			const address = takes.length > 0 ? await fill(id, values) : id;
			const words = Object.values(values).join(' ');
			return toFile(await connection.resource(address), words ? `${label} ${shorten(words, 60)}` : label, token);
		});
	}

	/** Lists what a server proposes for an argument that is being written, best first: what can be typed only, and nothing where it can't be asked. No other server is. */
	async proposals({ kind, key, name, value, given }: BegunArgument): Promise<string[]> {
		const isNamed = (server: ToolServer) => key.startsWith(keyOf(server, ''));
		const { found } = await this.offers(kind === 'prompt' ? promptsOf : resourcesOf, isNamed);
		const [of, ...others] = found.filter((one) => one.key === key && one.takes.some((take) => take.name === name));
		if (!of || others.length > 0) return [];
		const known = Object.fromEntries(Object.entries(given).filter(([other]) => other !== name && of.takes.some((take) => take.name === other)));
		const ref = kind === 'prompt' ? { type: 'ref/prompt' as const, name: of.id } : { type: 'ref/resource' as const, uri: of.id };
		try {
			const values = await this.using(of.serverId, ({ connection }) => connection.complete(ref, { name, value }, known));
			return [...new Set(values.filter(isProposable))].slice(0, maxProposals);
		} catch (error) {
			if (error instanceof AppError) return [];
			throw error;
		}
	}

	private async offers(list: typeof promptsOf, isAsked: (server: ToolServer) => boolean = () => true): Promise<{ found: Offered[]; failures: AppError[] }> {
		const found: Offered[] = [];
		const failures: AppError[] = [];
		const asked = (await this.ports.stored.list()).filter(isAsked).map(async (server) => {
			try {
				return await this.using(server.id, ({ connection }) => list(connection, server));
			} catch (error) {
				if (!(error instanceof AppError)) throw error;
				failures.push(error);
				return [];
			}
		});
		for (const some of await Promise.all(asked)) found.push(...some);
		return { found, failures };
	}

	private readonly call: CallTool = ({ id }, { name, callName }, input, signal) =>
		this.using(id, async ({ connection, token, tools }) => {
			signal.throwIfAborted();
			if (!tools.some((tool) => tool.callName === callName)) {
				throw new AppError('tool-changed', 'The tool server has changed this tool, or has it no more. Nothing was called. The user can look at it in the settings and switch it on again.');
			}
			return toResult(await connection.call(name, input, signal), token);
		});

	/** Does something with a server: once more where it knows nothing of an earlier connection any more, and so has done nothing. */
	private async using<T>(id: string, work: (server: OpenedServer) => Promise<T>): Promise<T> {
		const wasOpen = this.opened.has(id);
		try {
			return await work(await this.open(id));
		} catch (error) {
			// A server that was started anew knows no session of before; one whose token has expired meanwhile lets nobody in.
			const isForgotten = error instanceof AppError && ['server-not-found', 'server-refused', 'server-unauthorised'].includes(error.code);
			if (!wasOpen || !isForgotten) throw error;
			return work(await this.open(id));
		}
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
		const { stored, clock } = this.ports;
		const secret = await stored.secretOf(server.id);
		const hasExpired = secret?.signIn?.expiresAt !== undefined && secret.signIn.expiresAt <= clock();
		const fresh = hasExpired ? await this.renew(server, secret) : secret;
		try {
			return await this.openBy(server, fresh);
		} catch (failure) {
			if (!isUnauthorised(failure)) throw failure;
			const renewed = fresh?.signIn && fresh === secret ? await this.renew(server, fresh) : undefined;
			if (renewed) return this.openBy(server, renewed);
			const { signIn } = server.signIn ? ({ signIn: 'needed' } as const) : await this.orNeedsSignIn(server, failure);
			await stored.change(server.id, (row) => ({ ...row, ...(signIn && { signIn }) }));
			throw toBeSignedIn(server);
		}
	}

	private async openBy(server: ToolServer, secret: Secret | undefined): Promise<OpenedServer> {
		const token = secret?.apiKey;
		const { connection, told } = await this.ask(server, token);
		await this.ports.stored.change(server.id, () => ({ ...withoutSignIn(told), ...(secret?.signIn && { signIn: 'done' }) }));
		return { connection, token, tools: told.tools };
	}

	/** Gets another token in the place of one that counts no more; undefined where the user is to sign in again. */
	private renew({ id, url }: ToolServer, { apiKey }: Secret): Promise<Secret | undefined> {
		const { stored, alone, renews } = this.ports;
		return alone(`tool-server:${id}`, async () => {
			const now = await stored.secretOf(id);
			// Another tab has done it meanwhile.
			if (!now?.signIn || now.apiKey !== apiKey) return now;
			if (!renews()) throw new AppError('sign-in-temporary', `The sign-in for the tool server at ${new URL(url).host} has run out. A temporary chat does not renew it: open Snug as usual, where it is renewed, then begin another one.`);
			const renewed = await renewSignIn(now.signIn, this.signInPorts);
			if (renewed) await stored.setSignIn(id, renewed);
			return renewed && { ...renewed, id };
		});
	}

	/** Connects to a server and has it tell its tools. */
	private async ask(server: ToolServer, token: string | undefined): Promise<{ connection: Connection; told: ToolServer }> {
		const { reach, egress } = this.ports;
		const connection = await openConnection({ url: server.url, token, reach }, egress);
		const { leftOut: _, hasResources: __, ...rest } = server;
		return { connection, told: { ...rest, ...(await readTools(connection.tools, server, token)), ...(connection.hasResources && { hasResources: true }) } };
	}

	private close(id: string): void {
		const known = this.opened.get(id);
		this.opened.delete(id);
		void known?.server.then(({ connection }) => connection.close(), () => undefined);
	}
}

/** Lists the prompts of a server. */
async function promptsOf(connection: Connection, server: ToolServer): Promise<Offered[]> {
	return (await connection.prompts()).map(({ name, title, description, arguments: takes = [] }) => ({
		...offered(server, { id: name, name, title, detail: description }),
		takes: takes.slice(0, maxTaken).filter(({ name }) => canBeTyped(name)).map(({ name, required = false }) => ({ name, required }))
	}));
}

/** Lists the resources of a server, those that need to be told something after the others. */
async function resourcesOf(connection: Connection, server: ToolServer): Promise<Offered[]> {
	const plain = (await connection.resources()).map(({ uri, name, title, description }) => ({ ...offered(server, { id: uri, name, title, detail: description ?? uri }), takes: [] }));
	const filled = (await connection.templates()).map(async ({ uriTemplate: id, name, title, description }) => {
		const takes = await variablesOf(id);
		return takes ? [{ ...offered(server, { id, name, title, detail: description ?? id }), takes }] : [];
	});
	return [...plain, ...(await Promise.all(filled)).flat()];
}

/** Describes something that a server offers, each in one line. */
function offered(server: ToolServer, { id, name, title, detail }: { id: string; name: string; title?: string | undefined; detail?: string | undefined }): Omit<Offered, 'takes'> {
	return { serverId: server.id, from: labelOf(server), key: keyOf(server, slug(name, 40)), id, label: lineOf(title || name, 80), detail: lineOf(detail ?? '', 160) };
}

/** Returns the name by which users type something of a server. */
function keyOf(server: ToolServer, name: string): string {
	return `${slug(server.name, 20)}:${name}`;
}

/** Tells whether what a server proposes can be typed as a value, and is what it seems to be. */
function isProposable(value: unknown): value is string {
	return typeof value === 'string' && value !== '' && value.length <= maxProposal && !value.includes('"') && lineOf(value, maxProposal) === value;
}

/** Tells whether a failure could come from asking at the wrong path; servers often send CORS headers at the right one only. */
function isElsewhere(failure: unknown): boolean {
	return failure instanceof AppError && ['server-not-found', 'server-nonsense', 'server-refused', 'server-blocked', 'server-redirects'].includes(failure.code);
}

/** Tells whether a server asked for a token, or another one. */
function isUnauthorised(failure: unknown): boolean {
	return failure instanceof AppError && failure.code === 'server-unauthorised';
}

function toBeSignedIn({ url }: ToolServer): AppError {
	return new AppError('server-sign-in', `The tool server at ${new URL(url).host} asks the user to sign in. “Sign in” is beside it in the settings, under “Tool servers”.`);
}

function withoutSignIn({ signIn: _, ...server }: ToolServer): ToolServer {
	return server;
}

/** Returns the name of a server that is new: the user's, or its host. */
function nameOf(name: string | undefined, url: string): string {
	return shorten(plainName(name ?? ''), maxName) || new URL(url).host;
}
