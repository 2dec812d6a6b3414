import type { CallToolResult, CompleteRequest, GetPromptResult, Prompt, ReadResourceResult, Resource, ResourceTemplateType, Tool as ListedTool } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/app-error';
import { ConnectionFailure, send, type Egress } from '../../shared/egress';
import { JsonCounter } from '../../shared/json-counter';
import { lazy } from '../../shared/lazy';
import { SecretRedactor } from '../../shared/redact-secret';
import { waitFor } from '../../shared/wait-for';
import { readyZod, toToolServerError, type ServerAccess } from './failure';

/** A connection to a tool server. What it throws are AppErrors, or the signal's reason; it is of no use after that: `isOver`. */
export interface Connection {
	/** The server's own name and words about itself are not read: it is known by its address. */
	tools: readonly ListedTool[];
	/** Calls a tool by the server's name for it. */
	call(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult>;
	/** Lists what a server has written for users to say; none where it has no such thing. */
	prompts(): Promise<Prompt[]>;
	prompt(name: string, values: Record<string, string>): Promise<GetPromptResult>;
	/** Tells whether it has something to be read, by what it says. */
	readonly hasResources: boolean;
	/** Lists what can be read of a server; none where it has no such thing. */
	resources(): Promise<Resource[]>;
	/** Lists what can be read of a server once something is put into its address; none where it has no such thing. */
	templates(): Promise<ResourceTemplateType[]>;
	resource(uri: string): Promise<ReadResourceResult>;
	/** Lists what a server proposes for an argument; nothing where it does not do that. */
	complete(ref: CompleteRequest['params']['ref'], argument: { name: string; value: string }, given: Record<string, string>): Promise<unknown[]>;
	readonly isOver: boolean;
	close(): void;
}

/** Milliseconds that each step of connecting may take, and a call: the tool's own limit is shorter. */
const connectMs = 15_000;
const callMs = 4 * 60_000;

/** The most prompts, resources or proposals of one server that are looked at. */
const maxListed = 100;

/** The most pages of a list that are read. */
const maxPages = 20;

/** The most values of JSON in an answer, of which a list counts twice: the SDK makes some objects of each that does not fit, and one sentence of all. */
const maxValues = 100_000;

/** The most requests of its own that a server is answered on one connection, each by a request: it has none to make but to ask whether someone is there. */
const maxAnswers = 50;

/** Connects to a tool server and has it list its tools. Throws AppErrors. */
export async function openConnection(access: ServerAccess, egress: Egress = {}): Promise<Connection> {
	await readyZod();
	const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
	const network = new Network(access, egress);
	const client = new Client(
		{ name: 'Snug', version: '1' },
		{
			// A server may have patterns that take for ever, and what it says of its own results need not hold here.
			jsonSchemaValidator: { getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }) },
			versionNegotiation: { mode: 'auto', probe: { timeoutMs: connectMs } },
			inputRequired: { autoFulfill: false },
			listMaxPages: maxPages
		}
	);
	let isOver = false;
	const close = () => {
		isOver = true;
		void client.close().catch(() => undefined);
	};
	/** Ends the connection at the first thing that goes wrong, but for an error that the server tells in the protocol's own way. */
	const guarded = async <T>(work: Promise<T>, signal?: AbortSignal): Promise<T> => {
		try {
			return await work;
		} catch (error) {
			if (!isOfProtocol(error)) close();
			signal?.throwIfAborted();
			throw await toToolServerError(error, network.failure, access);
		}
	};
	const transport = new StreamableHTTPClientTransport(new URL(access.url), { fetch: network.fetch, reconnectionOptions });
	const sendOn = transport.send.bind(transport);
	let answers = 0;
	transport.send = async (message, options) => {
		if (Array.isArray(message) || 'method' in message || ++answers <= maxAnswers) return sendOn(message, options);
		client.onerror?.(new AppError('server-asks', `The tool server at ${new URL(access.url).host} asks for more than Snug answers, so the connection to it was ended.`));
		close();
	};
	await guarded(client.connect(transport, { timeout: connectMs }));
	/** Rejects once anything came that was not asked for, or can't be read: nobody would wait for it in vain. */
	const astray = new Promise<never>((_, reject) => (client.onerror = reject));
	void astray.catch(() => undefined);
	const ask = <T>(work: Promise<T>, signal?: AbortSignal) => guarded(Promise.race([work, astray]), signal);
	const brief = { timeout: connectMs };
	const has = client.getServerCapabilities() ?? {};
	const { tools } = has.tools ? await ask(client.listTools(undefined, brief)) : { tools: [] };
	const redactor = new SecretRedactor(access.token);
	const holdsToken = (said: string) => redactor.redactJson(said) !== said;
	/** Leaves out what has the token in it: users see, type and send what these say. */
	const listed = <T>(all: T[]) => all.slice(0, maxListed).filter((one) => !holdsToken(JSON.stringify(one)));
	// As the tools, for as long as the connection is used.
	const prompts = lazy(async () => (has.prompts ? listed((await ask(client.listPrompts(undefined, brief))).prompts) : []));
	const resources = lazy(async () => (has.resources ? listed((await ask(client.listResources(undefined, brief))).resources) : []));
	const templates = lazy(async () => {
		try {
			return has.resources ? listed((await ask(client.listResourceTemplates(undefined, brief))).resourceTemplates) : [];
		} catch (error) {
			// One that has resources need not know what templates are.
			if (error instanceof AppError && error.code === 'server-said') return [];
			throw error;
		}
	});
	return {
		tools,
		call: (name, input, signal) => ask(client.callTool({ name, arguments: input }, { signal, timeout: callMs }), signal),
		prompts,
		prompt: (name, values) => ask(client.getPrompt({ name, arguments: values }, brief)),
		hasResources: has.resources !== undefined,
		resources,
		templates,
		complete: async (ref, argument, given) => (has.completions ? listed((await ask(client.complete({ ref, argument, context: { arguments: given } }, brief))).completion.values) : []),
		resource: (uri) => ask(client.readResource({ uri }, brief)),
		get isOver() {
			return isOver;
		},
		close
	};
}

const reconnectionOptions = { initialReconnectionDelay: 1000, maxReconnectionDelay: 10_000, reconnectionDelayGrowFactor: 2, maxRetries: 3 };

/** Tells whether an error is one that a server named by a number, as JSON-RPC has them: the connection is as good as before. */
function isOfProtocol(error: unknown): boolean {
	return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

/** The way of the SDK to the network, and the last failure there: the SDK tells it as words only. */
class Network {
	failure: ConnectionFailure | undefined;

	constructor(
		private readonly access: ServerAccess,
		private readonly egress: Egress
	) {}

	readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
		const headers = new Headers(init.headers);
		// A stream that is open for as long as the page is would wait for nothing that is used; one that goes on with an answer is.
		if (init.method === 'GET' && !headers.has('last-event-id')) return new Response(null, { status: 405 });
		// However soon a server wants to be asked for the rest of its answer.
		if (init.method === 'GET') await waitFor(reconnectionOptions.initialReconnectionDelay, init.signal);
		if (this.access.token) headers.set('authorization', `Bearer ${this.access.token}`);
		try {
			const response = await send('tool-server', url, { ...init, headers }, this.egress);
			const { status, statusText } = response;
			return new Response(this.watched(response.body), { status, statusText, headers: response.headers });
		} catch (error) {
			throw this.noted(error);
		}
	};

	private watched(body: Response['body']): ReadableStream<Uint8Array> | null {
		const reader = body?.getReader();
		if (!reader) return null;
		const counter = new JsonCounter();
		return new ReadableStream({
			pull: async (controller) => {
				const { done, value } = await reader.read().catch((error: unknown) => {
					throw this.noted(error);
				});
				if (done) return controller.close();
				for (const byte of value) counter.take(byte);
				if (counter.values > maxValues) {
					void reader.cancel().catch(() => undefined);
					throw this.noted(new ConnectionFailure('too-large'));
				}
				controller.enqueue(value);
			},
			cancel: (reason) => reader.cancel(reason)
		});
	}

	/** Notes a failure. The SDK takes a TypeError for a request that the browser did not let through, and tries one with fewer headers. */
	private noted(error: unknown): unknown {
		if (!(error instanceof ConnectionFailure)) return error;
		this.failure = error;
		return error.kind === 'unreachable' ? new TypeError('unreachable', { cause: error }) : error;
	}
}
