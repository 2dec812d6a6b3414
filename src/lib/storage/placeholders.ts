import type { Message } from '../conversation/message';
import { rebuildTree, type Tree } from '../conversation/tree';
import { faultOf, readable } from './row-checks';
import type { MessageKey } from './tables/messages';

/** Makes the message that stands in for a row that could not be read; `parentId` is what it most likely follows [R6]. None where its ids are not those of messages. */
export function placeholderFor(row: unknown, [sessionId, depth, id]: MessageKey, parentId: string | null, reason: string): Message | undefined {
	const { role = 'assistant', createdAt = timeOf(id) } = readable('messages', row);
	const made: Message = { id, sessionId, parentId, depth, role, parts: [{ type: 'unreadable', reason }], createdAt };
	return faultOf('messages', made) === undefined ? made : undefined;
}

/** Tells whether a key can be that of a message at all: only then something can stand in its place. */
export function isMessageKey(key: unknown): key is MessageKey {
	if (!Array.isArray(key) || key.length !== 3) return false;
	const [sessionId, depth, id] = key as unknown[];
	return typeof sessionId === 'string' && Number.isInteger(depth) && (depth as number) >= 0 && typeof id === 'string' && id !== '';
}

/** The parent that a broken row names, if it can be read and its depth allows it; undefined if it can't. */
export function readableParent(row: unknown, depth: number): string | null | undefined {
	const { parentId } = readable('messages', row);
	return depth === 0 ? null : (parentId ?? undefined);
}

/** Of the ids one depth above, the one that a message most likely follows: the only one, or the newest older one. */
export function likelyParent(id: string, above: string[]): string | undefined {
	return above.toSorted().findLast((other) => other < id) ?? above[0];
}

/**
 * A tree row rebuilt from all messages of the session, with what can be read of a broken one. `deleted` are the first
 * messages of branches in the trash.
 */
export function rebuiltTree(sessionId: string, row: unknown, messages: Message[], deleted: string[]): Tree | undefined {
	const { labels = {}, mainTip = null, removed = deleted } = readable('trees', row);
	return rebuildTree(messages, { sessionId, tips: [], labels, mainTip, removed });
}

/** Returns the time of a UUIDv7, in epoch milliseconds; 0 for any other id. */
function timeOf(id: string): number {
	return /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id) ? parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : 0;
}
