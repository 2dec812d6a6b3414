import { AppError } from '../shared/app-error';
import { shorten } from '../shared/shorten';

/** The largest file that is read, and that is changed, in bytes. */
export const [maxRead, maxChanged] = [10_000_000, 1_000_000];

/** The field of a file's path in an input's schema. */
export const pathOfFile = { type: 'string', minLength: 1, maxLength: 1000, description: 'The path of the file in the folder, such as “notes/pears.md”.' } as const;

/** Returns the text of a file. Throws an AppError where it is too large, or no text. */
export async function textOf(path: string, content: Blob, max = maxRead): Promise<string> {
	if (content.size > max) throw new AppError('file-too-large', `“${path}” has ${content.size} bytes, and ${max} is the most. Nothing was done.`);
	const bytes = await content.arrayBuffer().catch(() => undefined);
	if (!bytes) throw new AppError('file-unreadable', `“${path}” changed while it was read, or can’t be. Try again.`);
	const text = decoded(bytes);
	if (text === undefined) throw new AppError('file-binary', `“${path}” is binary, or not in UTF-8. Only text can be read and changed. Nothing was done.`);
	return text;
}

/** Returns what bytes say in UTF-8, with a mark of the order of bytes where they begin with one; undefined where they are no text. */
export function decoded(bytes: ArrayBuffer): string | undefined {
	try {
		const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
		return text.includes('\0') ? undefined : text;
	} catch {
		return undefined;
	}
}

/** Says that a file is not there, to a model. */
export function absentFile(path: string): string {
	return `There is no file “${shorten(path, 200)}” in the folder. Call files_list to see what is there.`;
}
