/** A document of the index, as its key names it. */
export type Key =
	| { kind: 'message'; messageId: string }
	| { kind: 'title'; sessionId: string }
	| { kind: 'label'; sessionId: string; messageId: string }
	| { kind: 'note'; sessionId: string; name: string };

export function messageKey(id: string): string {
	return `m/${id}`;
}

/** Returns the prefix of the keys of a session's own words: its title's, labels' and notes', but not its messages'. */
export function sessionPrefix(sessionId: string): string {
	return `s/${sessionId}/`;
}

export function titleKey(sessionId: string): string {
	return `${sessionPrefix(sessionId)}title`;
}

export function labelKey(sessionId: string, messageId: string): string {
	return `${sessionPrefix(sessionId)}label/${messageId}`;
}

/** A note's name may hold anything, a slash too; ids hold none. */
export function noteKey(sessionId: string, name: string): string {
	return `${sessionPrefix(sessionId)}note/${name}`;
}

/** Throws for what none of the functions above has made. */
export function parseKey(key: string): Key {
	if (key.startsWith('m/')) return { kind: 'message', messageId: key.slice(2) };
	const [, sessionId = '', kind, rest = ''] = /^s\/([^/]*)\/(title|label|note)(?:\/(.*))?$/s.exec(key) ?? [];
	if (kind === 'title') return { kind, sessionId };
	if (kind === 'label') return { kind, sessionId, messageId: rest };
	if (kind === 'note') return { kind, sessionId, name: rest };
	throw new Error(`no key of the index: ${key}`);
}
