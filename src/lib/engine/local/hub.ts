import { AppError } from '../../shared/app-error';
import { ConnectionFailure, send, textOf, type Egress } from '../../shared/egress';
import { isRepositoryId, maxRepositories, readFound, readRepositoryReply, type FoundRepository, type HubFile, type HubRepository } from './hub-reply';
import type { ModelAddress } from './on-device';

const origin = 'https://huggingface.co';

interface Question extends Egress {
	signal?: AbortSignal | undefined;
}

/**
 * Finds repositories of GGUF files at Hugging Face, those that are downloaded most first. Throws AppErrors (`hub-unreachable`,
 * `hub-busy`, `hub-failed`, `hub-nonsense`) or the signal's reason, as all that asks there does.
 */
export async function searchHub(words: string, question?: Question): Promise<FoundRepository[]> {
	const asked = { search: words, filter: 'gguf', sort: 'downloads', direction: '-1', limit: String(maxRepositories) };
	const expand = ['downloads', 'gated', 'tags'].map((field) => ['expand[]', field]);
	const found = readFound(await ask(`models?${new URLSearchParams([...Object.entries(asked), ...expand])}`, question));
	if (!found) throw nonsense();
	return found;
}

/** Reads what a repository has, by its id. Throws AppErrors as `searchHub` does, and `hub-missing`. */
export async function readHubRepository(id: string, question?: Question): Promise<HubRepository> {
	if (!isRepositoryId(id)) throw new AppError('hub-missing', 'This is no name of a repository. One looks like owner/name.');
	const repository = readRepositoryReply(await ask(`models/${id}?blobs=true`, question), id);
	if (!repository) throw nonsense();
	return repository;
}

/** Returns the way to a file of a repository, in the state in which it was listed, with what it must be. */
export function addressOf({ id, commit }: Pick<HubRepository, 'id' | 'commit'>, { path, name, bytes, sha256 }: HubFile): ModelAddress {
	return { url: `${origin}/${id}/resolve/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`, name, bytes, sha256 };
}

async function ask(path: string, { signal, ...egress }: Question = {}): Promise<unknown> {
	try {
		const response = await send('model-search', `${origin}/api/${path}`, signal ? { signal } : {}, egress);
		if (!response.ok) {
			await response.body?.cancel();
			throw refused(response.status);
		}
		return JSON.parse(await textOf(response));
	} catch (error) {
		if (error instanceof SyntaxError) throw nonsense(error);
		throw error instanceof ConnectionFailure ? unanswered(error) : error;
	}
}

function refused(status: number): AppError {
	if ([401, 403, 404, 410].includes(status)) return new AppError('hub-missing', 'There is no such repository at Hugging Face, or it is not public.');
	if (status === 429) {
		return new AppError('hub-busy', 'Hugging Face takes no more questions from here for now. Try again in a few minutes.', { retryable: true });
	}
	return new AppError('hub-failed', `Hugging Face could not answer (status ${status}). Try again later.`, { retryable: true });
}

function unanswered(failure: ConnectionFailure): AppError {
	if (failure.kind === 'too-large' || failure.kind === 'redirected') return nonsense(failure);
	const what = failure.kind === 'unreachable' ? 'could not be reached' : 'did not answer in time';
	return new AppError('hub-unreachable', `huggingface.co ${what}. Check the connection, and try again.`, { retryable: true, cause: failure });
}

function nonsense(cause?: unknown): AppError {
	const message = 'What Hugging Face answered could not be read. Try again later, or download a GGUF file there and import it.';
	return new AppError('hub-nonsense', message, cause === undefined ? {} : { cause });
}
