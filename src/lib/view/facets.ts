import { facets as read } from '../app/session-facets';
import { Live } from './live.svelte';

/** The workspaces and surfaces that there are to filter by. */
export const facets = new Live(read);

/** Returns the workspace that a typed name stands for: one that is there, where they differ in spaces around it and in case alone, or else a new one. */
export function workspaceNamed(typed: string): string {
	const name = typed.trim();
	const isSame = (workspace: string) => workspace.toLowerCase() === name.toLowerCase();
	const there = facets.current?.workspaces ?? [];
	return there.includes(name) ? name : (there.find(isSame) ?? name);
}
