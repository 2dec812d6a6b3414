import { AppError } from '../../shared/app-error';
import { textOf, type Egress } from '../../shared/egress';
import { SecretRedactor } from '../../shared/redact-secret';
import { unseenCharacters } from '../../shared/unseen-characters';
import { toWords, traitsOf } from '../../conversation/model-traits';
import type { ModelList } from './provider';
import { toServerError, type Reach, type Server } from './server-failure';
import { serverFetch, UnfitAnswer } from './server-fetch';

/** The way to reach a server, and until when. */
interface Access extends Egress {
	reach: Reach;
	signal?: AbortSignal;
}

/**
 * Lists what `server` offers. Where the base URL has no models but the one with `/v1` has, the answer's `baseUrl` is the
 * latter. Throws an AppError that says what is wrong with the server, or the signal's abort as it is.
 */
export async function listModels(server: Server, access: Access): Promise<Required<ModelList>> {
	try {
		return await listAt(server, access);
	} catch (failure) {
		if (!isElsewhere(failure) || server.baseUrl.endsWith('/v1')) throw failure;
		try {
			return await listAt({ ...server, baseUrl: `${server.baseUrl}/v1` }, access);
		} catch (second) {
			// The failure at the address that the user gave says more, unless the one with /v1 proves to be right.
			throw isElsewhere(second) && second.code !== 'server-blocked' ? failure : second;
		}
	}
}

/** Tells whether a failure could come from asking at the wrong path; servers often send CORS headers at the right one only. */
function isElsewhere(failure: unknown): failure is AppError {
	const codes = ['server-not-found', 'server-html', 'server-nonsense', 'server-blocked', 'server-redirects'];
	return failure instanceof AppError && codes.includes(failure.code);
}

async function listAt(server: Server, { reach, signal, ...egress }: Access): Promise<Required<ModelList>> {
	try {
		const response = await serverFetch('model-list', egress)(`${server.baseUrl}/models`, {
			headers: server.apiKey ? { authorization: `Bearer ${server.apiKey}` } : {},
			...(signal ? { signal } : {})
		});
		return { baseUrl: server.baseUrl, ...readModels(await textOf(response), server.apiKey) };
	} catch (error) {
		// Models are listed only where the address and the key are entered, and the sentence shows below these.
		throw await toServerError(error, server, reach, 'above');
	}
}

/** The most entries of a list that are read, and the longest id: the largest catalogue there is has a few thousand. */
const maxModels = 10_000;
const maxId = 256;

/** Characters that an id must have to be told from others on the screen, and what it may not have: it would be another for who reads it. */
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u;
const unseen = new RegExp(`^\\s|\\s$|[\\p{Cc}\\p{Cs}\\p{Default_Ignorable_Code_Point}${unseenCharacters}]`, 'u');

const alphabetical = new Intl.Collator('en').compare;

/** The ids in `{ data: [{ id }] }`, each once and sorted, without what can be none, and their traits. Throws UnfitAnswer for anything else. */
function readModels(text: string, apiKey: string | undefined): Required<Pick<ModelList, 'models' | 'traits'>> {
	let data: unknown;
	try {
		({ data } = JSON.parse(text) as { data: unknown });
	} catch {
		throw new UnfitAnswer(200, text);
	}
	if (!Array.isArray(data)) throw new UnfitAnswer(200, text);
	const redactor = new SecretRedactor(apiKey);
	const entries = data.slice(0, maxModels).map((entry: unknown) => ({ id: typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined, entry }));
	const ids = entries.map(({ id }) => id);
	if (ids.length > 0 && ids.every((id) => id === undefined)) throw new UnfitAnswer(200, text);
	const fit = ids.filter((id) => typeof id === 'string').filter((id) => id.length <= maxId && seen.test(id) && !unseen.test(id) && redactor.redact(id) === id);
	const models = [...new Set(fit)].sort(alphabetical);
	const known = new Set(models);
	const traits = entries.flatMap(({ id, entry }) => {
		const words = typeof id === 'string' && known.has(id) ? toWords(traitsOf(entry)) : undefined;
		return words === undefined ? [] : [[id, words] as const];
	});
	return { models, traits: Object.fromEntries(traits) as Record<string, string> };
}
