import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdMaker } from '../shared/id';
import type { Message } from './message';
import { growTree, pathTo, type Tree } from './tree';

/** Each number picks the parent of the next message among those before it. */
const shapes = fc.array(fc.nat(), { maxLength: 40 });

/** The messages of a shape, all of one millisecond, and the tree row after each. */
function grow(shape: number[]): { messages: Message[]; trees: Tree[] } {
	const newId = createIdMaker(() => 1000);
	const messages: Message[] = [];
	const trees: Tree[] = [];
	for (const pick of [0, ...shape]) {
		const parent = messages[pick % messages.length];
		const message: Message = {
			id: newId(),
			sessionId: 's',
			parentId: parent?.id ?? null,
			depth: parent ? parent.depth + 1 : 0,
			role: 'user',
			parts: [],
			createdAt: 1000
		};
		messages.push(message);
		trees.push(growTree(trees.at(-1), message));
	}
	return { messages, trees };
}

function naivePath(id: string, messages: Message[]): string[] {
	const { parentId } = messages.find((message) => message.id === id)!;
	return parentId === null ? [id] : [...naivePath(parentId, messages), id];
}

describe('growTree', () => {
	it('has exactly the leaves as tips, at their depths, and the newest message as head', () => {
		fc.assert(
			fc.property(shapes, (shape) => {
				const { messages, trees } = grow(shape);
				for (const [index, { tips, headId }] of trees.entries()) {
					const present = messages.slice(0, index + 1);
					const leaves = present.filter(({ id }) => !present.some(({ parentId }) => parentId === id));
					const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
					expect(tips.map(({ id, depth }) => ({ id, depth })).sort(byId)).toEqual(leaves.map(({ id, depth }) => ({ id, depth })));
					expect(headId).toBe(present.at(-1)!.id);
				}
			})
		);
	});

	it('forks each branch at its first message that no older branch has', () => {
		fc.assert(
			fc.property(shapes, (shape) => {
				const { messages, trees } = grow(shape);
				const seen = new Set<string>();
				for (const [index, { id, forkId }] of trees.at(-1)!.tips.entries()) {
					const path = naivePath(id, messages);
					expect(forkId).toBe(index === 0 ? null : path.find((id) => !seen.has(id)));
					for (const id of path) seen.add(id);
				}
			})
		);
	});

	it('leaves the row before as it was', () => {
		const { messages, trees } = grow([0, 0]);
		const before = structuredClone(trees[1]!);
		growTree(trees[1], messages[2]!);
		expect(trees[1]).toEqual(before);
	});
});

describe('pathTo', () => {
	it('is the walk from the root to any message, from rows in any order', () => {
		fc.assert(
			fc.property(shapes, fc.nat(), fc.infiniteStream(fc.nat()), (shape, pick, order) => {
				const { messages } = grow(shape);
				const target = messages[pick % messages.length]!;
				const shuffled = messages.map((message) => ({ message, at: order.next().value })).sort((a, b) => a.at - b.at);
				const path = pathTo(target.id, shuffled.map(({ message }) => message));
				expect(path.map(({ id }) => id)).toEqual(naivePath(target.id, messages));
				expect(path.map(({ depth }) => depth)).toEqual(path.map((_, index) => index));
			})
		);
	});

	it('starts where the given rows start', () => {
		const { messages } = grow([0, 1, 2]);
		expect(pathTo(messages[3]!.id, messages.slice(2))).toEqual(messages.slice(2));
	});

	it('is empty for an id that is not there', () => expect(pathTo('nowhere', grow([0]).messages)).toEqual([]));

	it('ends also where rows point at each other', () => {
		const [a, b] = grow([0]).messages as [Message, Message];
		expect(pathTo(b.id, [{ ...a, parentId: b.id }, b])).toHaveLength(2);
	});
});
