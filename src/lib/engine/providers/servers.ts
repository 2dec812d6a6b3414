import { AppError } from '../../shared/app-error';
import { textOf, type Egress } from '../../shared/egress';
import { SecretRedactor } from '../../shared/redact-secret';
import { unseenCharacters } from '../../shared/unseen-characters';
import { toWords } from '../../conversation/model-traits';
import type { ModelList } from './provider';
import { toServerError, type Server } from './server-failure';
import { serverFetch, UnfitAnswer } from './server-fetch';
import type { ServerProtocol } from './server-protocol';
import type { Reach } from './server-reach';

/** The way to reach a server and to talk to it, and until when. */
interface Access extends Egress {
	protocol: ServerProtocol;
	reach: Reach;
	signal?: AbortSignal;
}

/** Returns the headers of a request to a server that speaks `protocol`. */
export function headersFor({ key, headers }: ServerProtocol, apiKey: string | undefined): Record<string, string> {
	return { ...headers, ...(apiKey ? { [key.header]: `${key.prefix ?? ''}${apiKey}` } : {}) };
}

/**
 * Lists what `server` offers. Where the base URL has no models but the one that ends as the protocol's do has, the answer's
 * `baseUrl` is the latter. Throws an AppError that says what is wrong with the server, or the signal's abort as it is.
 */
export async function listModels(server: Server, access: Access): Promise<Required<ModelList>> {
	try {
		return await listAt(server, access);
	} catch (failure) {
		if (!isElsewhere(failure) || server.baseUrl.endsWith(access.protocol.version)) throw failure;
		try {
			return await listAt({ ...server, baseUrl: `${server.baseUrl}${access.protocol.version}` }, access);
		} catch (second) {
			// The failure at the address that the user gave says more, unless the longer one proves to be right.
			throw isElsewhere(second) && second.code !== 'server-blocked' ? failure : second;
		}
	}
}

/** Tells whether a failure could come from asking at the wrong path; servers often send CORS headers at the right one only. */
function isElsewhere(failure: unknown): failure is AppError {
	const codes = ['server-not-found', 'server-html', 'server-nonsense', 'server-blocked', 'server-redirects'];
	return failure instanceof AppError && codes.includes(failure.code);
}

async function listAt(server: Server, { protocol, reach, signal, ...egress }: Access): Promise<Required<ModelList>> {
	const get = (path: string) => serverFetch('model-list', egress)(`${server.baseUrl}${path}`, { headers: headersFor(protocol, server.apiKey), ...(signal ? { signal } : {}) });
	try {
		if (protocol.keyCheck !== undefined && server.apiKey) await get(protocol.keyCheck).then(textOf).catch(throwIfRefused);
		const response = await get(protocol.list);
		return { baseUrl: server.baseUrl, ...readModels(await textOf(response), protocol, server.apiKey) };
	} catch (error) {
		// Models are listed only where the address and the key are entered, and the sentence shows below these.
		throw await toServerError(error, server, { protocol, reach, keyPlace: 'above' });
	}
}

/** Passes over all but the refusal of a key: what can't be asked says nothing of it. */
function throwIfRefused(error: unknown): void {
	if (error instanceof UnfitAnswer && [401, 403].includes(error.status)) throw error;
}

/** The longest id of a model. */
const maxId = 256;

/** Characters that an id must have to be told from others on the screen, and what it may not have: it would be another for who reads it. */
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u;
const unseen = new RegExp(`^\\s|\\s$|[\\p{Cc}\\p{Cs}\\p{Default_Ignorable_Code_Point}${unseenCharacters}]`, 'u');

const alphabetical = new Intl.Collator('en').compare;

/** The ids in a list of models, each once and sorted, without what can be none, and their traits. Throws UnfitAnswer for anything else. */
function readModels(text: string, protocol: ServerProtocol, apiKey: string | undefined): Required<Pick<ModelList, 'models' | 'traits'>> {
	const entries = protocol.models(parsed(text));
	const isList = entries && (entries.length === 0 || entries.some(({ id }) => id !== undefined));
	if (!isList) throw new UnfitAnswer(200, text);
	const redactor = new SecretRedactor(apiKey);
	const isFit = (id: unknown): id is string => typeof id === 'string' && id.length <= maxId && seen.test(id) && !unseen.test(id) && redactor.redact(id) === id;
	const words = new Map<string, string | undefined>();
	for (const { id, traits } of entries) if (isFit(id)) words.set(id, toWords(traits) ?? words.get(id));
	const traits = [...words].filter(([, said]) => said !== undefined);
	return { models: [...words.keys()].sort(alphabetical), traits: Object.fromEntries(traits) as Record<string, string> };
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new UnfitAnswer(200, text);
	}
}
