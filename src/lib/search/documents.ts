import type { Message, Part } from '../conversation/message';
import { partText } from '../conversation/part-text';
import type { Session } from '../conversation/session';
import type { Tree } from '../conversation/tree';
import type { ScratchpadEntry } from '../storage/tables/scratchpad';
import type { Document } from './index/document';
import { labelKey, messageKey, noteKey, titleKey } from './index/keys';

/** Returns the document of a message, or undefined if it has none: system messages, ones that were redacted or put into quarantine, empty ones. */
export function messageDocument(message: Message): Document | undefined {
	const { id, sessionId, role, model, depth, createdAt, parts } = message;
	const text = searchedText(message);
	if (role === 'system' || text.trim() === '') return undefined;
	return {
		key: messageKey(id),
		sessionId,
		kind: 'message',
		role,
		...(model !== undefined && { model }),
		depth,
		createdAt,
		hasCode: parts.some((part) => part.type === 'text' && hasCode(part.text)),
		text
	};
}

/** Returns the text of a message that is searched: what it says, the names of its files, and what tools were called with and gave back. */
export function searchedText({ parts }: Pick<Message, 'parts'>): string {
	return parts
		.map(textOf)
		.filter((words) => words !== '')
		.join('\n\n');
}

/**
 * Returns the documents of a session itself: a title that a user gave it, the labels of its messages, its notes with their names. The title that
 * Snug gives is the beginning of a question, which is found as a message.
 */
export function sessionDocuments(session: Session, tree: Tree | undefined, notes: ScratchpadEntry[]): Document[] {
	const { id, title, titledBy, createdAt, updatedAt } = session;
	const documentOf = (kind: 'title' | 'label' | 'note', key: string, text: string, time: number): Document[] =>
		text.trim() === '' ? [] : [{ key, sessionId: id, kind, depth: 0, createdAt: time, hasCode: hasCode(text), text }];
	return [
		...(titledBy === 'user' ? documentOf('title', titleKey(id), title, createdAt) : []),
		...Object.entries(tree?.labels ?? {}).flatMap(([messageId, label]) => documentOf('label', labelKey(id, messageId), label, updatedAt)),
		...notes.flatMap((note) => documentOf('note', noteKey(id, note.name), `${note.name}\n\n${note.content}`, note.updatedAt))
	];
}

/** A fence that begins a line, also one in a list or a quotation. */
const fence = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:```|~~~)/m;
const inlineCode = /(?<!`)`([^`\n]+)`/g;

/** Length of inline code from which it is more than a name, in UTF-16 units. */
const minInlineLength = 24;

/** Tells if a Markdown text has a fenced block of code, or inline code of at least 24 units. */
export function hasCode(text: string): boolean {
	if (!text.includes('`') && !text.includes('~~~')) return false;
	if (fence.test(text)) return true;
	for (const [, code] of text.matchAll(inlineCode)) if (code!.length >= minInlineLength) return true;
	return false;
}

function textOf(part: Part): string {
	switch (part.type) {
		case 'text':
		case 'file':
			return partText(part);
		case 'tool-call':
			return `${part.toolName} ${plainText(part.input)}`;
		case 'tool-result':
			return `${part.toolName} ${plainText(part.output)}`;
		case 'reasoning':
		case 'redacted':
		case 'unreadable':
			return '';
		default:
			return part satisfies never;
	}
}

/**
 * Writes a value as lines of its texts, each with its name. JSON would not do: a line that begins in it with `\n` and a word
 * reads as a word that begins with n.
 */
function plainText(value: unknown): string {
	const lines: string[] = [];
	// Its own stack, since a value may be nested deeper than calls can be.
	const open: [name: string, value: unknown][] = [['', value]];
	for (let next = open.pop(); next; next = open.pop()) {
		const [name, inner] = next;
		if (typeof inner !== 'object' || inner === null) {
			lines.push(name + (inner === undefined ? '' : String(inner)));
			continue;
		}
		if (name !== '') lines.push(name);
		const entries = Object.entries(inner as object) as [string, unknown][];
		for (const [key, of] of entries.reverse()) open.push([Array.isArray(inner) ? '' : `${key}: `, of]);
	}
	return lines.join('\n');
}
