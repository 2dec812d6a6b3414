import { AppError } from '../shared/app-error';
import { isLoadFailure } from '../shared/to-app-error';

/**
 * Explains a failed read or write to the user. A full disk and a refused database are expected; anything else is a
 * bug and comes back as it is. Dexie hides the browser's error, or why the database was refused, in `inner`.
 */
export function toStorageError(error: unknown): unknown {
	const errors = chainOf(error);
	const told = errors.find((inner) => inner instanceof AppError);
	if (told) return told;
	const names = errors.map(({ name }) => name);
	if (full.test(errors.join())) {
		return new AppError(
			'disk-full',
			'There is no space left for Snug in this browser, so nothing was saved. Free some disk space, or delete a model or old chats, then try again.',
			{ retryable: true, cause: error }
		);
	}
	if (names.some((name) => refused.includes(name))) {
		return new AppError(
			'storage-refused',
			'This browser does not let Snug store anything. Leave private browsing, or allow site data for this address, then reload.',
			{ retryable: true, cause: error }
		);
	}
	return error;
}

/**
 * Does what nobody waits for. Where the store refuses it, as after another version has taken the database over, or a part of the app does not
 * arrive, as when the page is left meanwhile, a later start does it.
 */
export async function inBackground(work: () => Promise<unknown>): Promise<void> {
	try {
		await work();
	} catch (error) {
		if (!(toStorageError(error) instanceof AppError) && !isLoadFailure(error)) throw error;
	}
}

/** Waits for it, and throws what `toStorageError` says of its failure. */
export async function withStorageErrors<T>(work: PromiseLike<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		throw toStorageError(error);
	}
}

/** The second is what Firefox says of the write after one that found no room: that one may only remove something. It says the same where it refuses to open a database. */
const full = /QuotaExceededError|^(?![^]*OpenFailed)[^]*not allow mutations/;

const refused = ['OpenFailedError', 'MissingAPIError', 'DatabaseClosedError', 'InvalidStateError', 'SecurityError', 'UnknownError'];

function chainOf(error: unknown): (Error | DOMException)[] {
	const errors: (Error | DOMException)[] = [];
	for (let next = error; next instanceof Error || next instanceof DOMException; next = (next as { inner?: unknown }).inner) {
		errors.push(next);
	}
	return errors;
}
