import type { Message } from '../conversation/message';

/**
 * The messages of a session as one tree again, whatever is wrong with their parents and depths: a missing parent is
 * replaced by a marker that says so, a second root and what follows itself hang below the first root, and each depth is
 * its parent's plus one. Words, ids and times stay. Messages that were valid are the same objects.
 */
export function repairMessages(messages: Message[], reason: string): Message[] {
	if (messages.length === 0) return [];
	const inOrder = messages.toSorted((a, b) => a.depth - b.depth || (a.id < b.id ? -1 : 1));
	const all = new Map(inOrder.map((message) => [message.id, message]));
	const parents = new Map<string, string | null>(inOrder.map(({ id, parentId }) => [id, parentId]));
	const placeholder = (id: string, parentId: string | null, child: Message) => {
		const { sessionId, createdAt } = child;
		all.set(id, { id, sessionId, parentId, depth: 0, role: 'assistant', parts: [{ type: 'unreadable', reason }], createdAt });
		parents.set(id, parentId);
	};

	let root = inOrder.find(({ parentId }) => parentId === null)?.id;
	for (const message of inOrder) {
		const { id, parentId, depth } = message;
		if (parentId === null) parents.set(id, id === root ? null : root!);
		else if (!all.has(parentId)) {
			const above = inOrder.filter((other) => other.depth === depth - 2);
			placeholder(parentId, root === undefined ? null : ((above.findLast((other) => other.id < id) ?? above[0])?.id ?? root), message);
			root ??= parentId;
		}
	}
	if (root === undefined) parents.set((root = inOrder[0]!.id), null);

	const children = new Map<string, string[]>();
	for (const [id, parentId] of parents) {
		if (parentId === null) continue;
		const siblings = children.get(parentId);
		if (siblings) siblings.push(id);
		else children.set(parentId, [id]);
	}
	const depths = new Map<string, number>();
	const place = (start: string, at: number) => {
		const waiting: [string, number][] = [[start, at]];
		for (let next = waiting.pop(); next; next = waiting.pop()) {
			const [id, depth] = next;
			if (depths.has(id)) continue;
			depths.set(id, depth);
			for (const child of children.get(id) ?? []) waiting.push([child, depth + 1]);
		}
	};
	place(root, 0);
	// What is left follows itself.
	for (const id of all.keys()) {
		if (depths.has(id)) continue;
		parents.set(id, root);
		place(id, 1);
	}
	return [...all.values()].map((message) => {
		const [parentId, depth] = [parents.get(message.id)!, depths.get(message.id)!];
		return message.parentId === parentId && message.depth === depth ? message : { ...message, parentId, depth };
	});
}
