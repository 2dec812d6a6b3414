import { AppError } from './app-error';
import { plainName } from './file-name';
import { shorten } from './shorten';

/** The longest path and name, in UTF-16 units, and the most names of a path. */
const [maxPath, maxName, maxNames] = [1000, 255, 32];

/**
 * Returns the names that a path in a folder is made of. Throws an AppError (`path-unfit`), which a model reads, where a path leads out of the
 * folder, into the workings of Git, or has what can't be shown.
 */
export function namesOf(path: string): string[] {
	const names = path.split('/');
	const fault = path.length > maxPath || names.length > maxNames ? 'it is too long' : names.map(faultOf).find((one) => one !== undefined);
	if (fault !== undefined) throw unfit(path, fault);
	return names;
}

function unfit(path: string, fault: string): AppError {
	return new AppError('path-unfit', `“${shorten(plainName(path), 100)}” can’t be a path here: ${fault}. Paths look like “notes/pears.md”, from the folder that is open. Nothing was done.`);
}

/** Returns a name without what some disks pass over, since it can't be seen. */
const withoutUnseen = (name: string) => name.replace(/\p{DI}/gu, '');

/** Does as `namesOf`, for a file that a model writes. A folder with a file HEAD may be taken for the workings of Git, which runs what they say. */
export function writableNamesOf(path: string): string[] {
	const names = namesOf(path);
	if (/^head[. ]*(:.*)?$/i.test(withoutUnseen(names.at(-1)!))) throw unfit(path, 'a file “HEAD” is for Git alone');
	return names;
}

/** Tells whether tools see what has this name. */
export function isSeen(name: string): boolean {
	return faultOf(name) === undefined;
}

function faultOf(name: string): string | undefined {
	if (name === '') return 'a name in it is empty';
	if (name === '.' || name === '..') return `“${name}” may not be in it`;
	if (name.includes('\\')) return 'its names are divided by “/”';
	if (name.length > maxName) return 'a name in it is too long';
	// What is written there is run by Git. Windows calls it by other names too.
	if (/^(\.git|git~\d+)[. ]*(:.*)?$/i.test(withoutUnseen(name))) return 'what is in “.git” is for Git alone';
	// One with a quotation mark could go on as a sentence of a card's.
	if (plainName(name) !== name || /[“”\p{Cs}]/u.test(name)) return 'a name in it has a character that can’t be shown, or a quotation mark';
	return undefined;
}
