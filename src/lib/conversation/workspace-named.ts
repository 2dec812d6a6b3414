/** Returns the workspace that a typed name stands for: one that is there, where they differ in spaces around it and in case alone, or else a new one. */
export function workspaceNamed(typed: string, there: readonly string[]): string {
	const name = typed.trim();
	const isSame = (workspace: string) => workspace.toLowerCase() === name.toLowerCase();
	return there.includes(name) ? name : (there.find(isSame) ?? name);
}
