import type { FileChange } from '../storage/tables/file-changes';

/** A file that was changed, with the changes that can be undone, the oldest first. */
export interface ChangedFile {
	path: string;
	changes: FileChange[];
}

/** Returns the files that changes were made in, by path. */
export function changedFiles(changes: readonly FileChange[]): ChangedFile[] {
	const byPath = new Map<string, FileChange[]>();
	for (const change of changes) byPath.set(change.path, [...(byPath.get(change.path) ?? []), ...(change.state === 'done' ? [change] : [])]);
	return [...byPath].map(([path, changes]) => ({ path, changes })).sort((a, b) => (a.path < b.path ? -1 : 1));
}
