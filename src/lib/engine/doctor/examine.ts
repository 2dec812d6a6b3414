import { AppError } from '../../shared/app-error';
import { ConnectionFailure, type Egress } from '../../shared/egress';
import type { AnswerProvider } from '../providers/provider';
import type { Server } from '../providers/server-failure';
import type { Reach } from '../providers/server-reach';
import { needsPermission } from '../providers/unreachable';
import { openConnection } from '../tool-servers/connection';
import { toToolServerError, type ServerAccess } from '../tool-servers/failure';
import { climb } from './climb';
import { unreached, type Facts, type Page } from './facts';
import { hidesItsSession, toolHeaders, toolRequest } from './tool-requests';

/** Things that an examination needs from around. */
interface Ports {
	page: Page;
	reach: Reach;
	egress?: Egress;
}

/** Milliseconds for which silence is waited out. */
const silenceMs = 6000;

/** Finds out all that can be found out of a model server: lists its models as always, and tries the headers of requests one after another. */
export async function examineModelServer(server: Server, provider: AnswerProvider, ports: Ports): Promise<Facts> {
	const { url, headers, usualPath } = provider.wordless!(server);
	const list = (baseUrl: string) => attempt(async () => (await provider.listModels({ ...server, baseUrl }, { silenceMs })).baseUrl ?? baseUrl);
	const [rungs, { failure, result }] = await Promise.all([climb({ url, headers }, ports.egress), list(server.baseUrl)]);
	const { origin } = new URL(server.baseUrl);
	const elsewhere = failure && isElsewhere(failure) ? (await list(`${origin}${usualPath}`)).result : result;
	const { servers, label } = provider;
	return toFacts(ports, {
		patient: {
			url: new URL(server.baseUrl),
			has: 'models',
			hasKey: server.apiKey !== undefined,
			headers: Object.keys(headers),
			...(servers?.baseUrl === server.baseUrl && { service: label })
		},
		rungs,
		failure,
		...(elsewhere !== undefined && elsewhere !== server.baseUrl && { foundAt: elsewhere })
	});
}

/** Finds out all that can be found out of a tool server: connects as always, and where that fails tries the headers of requests one after another. */
export async function examineToolServer({ url, token }: Pick<ServerAccess, 'url' | 'token'>, ports: Ports): Promise<Facts> {
	const { reach, egress } = ports;
	const connect = (at: string) =>
		attempt(async () => {
			(await openConnection({ url: at, token, reach }, egress)).close();
			return at;
		});
	let rungs = await climb(toolRequest(url, token, false), egress);
	const isSilent = rungs.some(({ outcome }) => outcome === 'slow');
	const { failure } = isSilent ? { failure: await toToolServerError(undefined, new ConnectionFailure('slow'), { url, token, reach }) } : await connect(url);
	if (failure && !isSilent && unreached.has(failure.code)) rungs = await climb(toolRequest(url, token, true), egress);
	const { origin, pathname } = new URL(url);
	const foundAt = failure && isElsewhere(failure) && pathname !== '/mcp' ? (await connect(`${origin}/mcp`)).result : undefined;
	const isRefused = failure !== undefined && ['server-refused', 'server-not-found'].includes(failure.code);
	const hidesSession = isRefused && foundAt === undefined && (await hidesItsSession(url, token, egress));
	return toFacts(ports, {
		patient: { url: new URL(url), has: 'tools', hasKey: token !== undefined, headers: [...(token !== undefined ? ['authorization'] : []), ...toolHeaders] },
		rungs,
		failure,
		...(foundAt !== undefined && { foundAt }),
		...(hidesSession && { hidesSession })
	});
}

/** Adds what the browser tells. Asked last: it may have asked the user meanwhile. */
async function toFacts({ page, reach }: Ports, found: Omit<Facts, 'page' | 'permission' | 'isThere'>): Promise<Facts> {
	const { url } = found.patient;
	const isAsked = needsPermission(url, page.origin);
	return { ...found, page, permission: isAsked ? await reach.permissionFor?.(url) : undefined, isThere: await reach.isThere(url.href) };
}

async function attempt<T>(work: () => Promise<T>): Promise<{ result?: T; failure: AppError | undefined }> {
	try {
		return { result: await work(), failure: undefined };
	} catch (failure) {
		if (failure instanceof AppError) return { failure };
		throw failure;
	}
}

/** Tells whether a failure could come from asking at the wrong path. */
function isElsewhere({ code }: AppError): boolean {
	return ['server-not-found', 'server-html', 'server-nonsense', 'server-refused', 'server-redirects', 'server-blocked'].includes(code);
}
