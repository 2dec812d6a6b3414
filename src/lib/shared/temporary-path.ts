/** Returns where a temporary chat is drawn from, a new chat's path or a chat's, if that is what this path below the base of the app names. */
export function pathInTemporary(path: string): string | undefined {
	const found = /^\/temporary(\/s\/[^/]+|)\/?$/.exec(path);
	return found ? found[1] || '/' : undefined;
}
