import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endAbove, forkOf, type PathEnd } from './fork';
import type { Message } from './message';
import { branchAt, pathTo } from './paths';
import { growTree } from './grow-tree';
import type { Tree } from './tree';

/** A tree that was grown message by message: each number picks what the next one follows. */
function grow(picks: number[]): { tree: Tree; messages: Message[]; ends: PathEnd[] } {
	const messages: Message[] = [];
	const ends: PathEnd[] = [];
	let tree: Tree | undefined;
	for (const pick of [0, ...picks]) {
		const above = messages.length > 0 ? pick % messages.length : undefined;
		const parent = above === undefined ? undefined : messages[above];
		const message: Message = {
			id: `m${String(messages.length).padStart(3, '0')}`,
			sessionId: 's',
			parentId: parent?.id ?? null,
			depth: parent ? parent.depth + 1 : 0,
			role: 'user',
			parts: [],
			createdAt: 1
		};
		const fromId = above === undefined ? null : ends[above]!.forkId;
		const before = tree?.tips.length ?? 0;
		tree = growTree(tree, message, fromId);
		messages.push(message);
		ends.push({ id: message.id, depth: message.depth, forkId: tree.tips.length > before ? tree.tips.at(-1)!.forkId : fromId });
	}
	return { tree: tree!, messages, ends };
}

const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });

describe('forkOf', () => {
	it('[P4] says how deep two paths are one, and with which messages branches begin after that', () => {
		fc.assert(
			fc.property(picks, fc.nat(), fc.nat(), (picks, one, other) => {
				const { tree, messages, ends } = grow(picks);
				const [a, b] = [ends[one % ends.length]!, ends[other % ends.length]!];
				const [pathA, pathB] = [pathTo(a.id, messages), pathTo(b.id, messages)];
				const depth = pathA.findLastIndex((message) => pathB.includes(message));
				const beginning = (path: Message[]) => {
					const id = path[depth + 1]?.id;
					return id !== undefined && branchAt(tree, id) ? id : null;
				};
				expect(forkOf(tree, a, b)).toEqual({ depth, a: beginning(pathA), b: beginning(pathB) });
			})
		);
	});

	it('[P4] knows the shared message from one of its sides, or from the end of one', () => {
		fc.assert(
			fc.property(picks, fc.nat(), fc.nat(), (picks, one, other) => {
				const { tree, ends } = grow(picks);
				const [a, b] = [ends[one % ends.length]!, ends[other % ends.length]!];
				const fork = forkOf(tree, a, b)!;
				expect(fork.a ?? fork.b ?? [a.depth, b.depth].includes(fork.depth)).toBeTruthy();
			})
		);
	});

	it('knows no fork where an end is on no branch of the tree', () => {
		const { tree, ends } = grow([0, 0]);
		expect(forkOf(tree, ends[0]!, { id: 'x', depth: 3, forkId: 'x' })).toBeUndefined();
	});
});

describe('endAbove', () => {
	it('finds the branch of any message on the way to a tip', () => {
		fc.assert(
			fc.property(picks, fc.nat(), (picks, pick) => {
				const { tree, messages, ends } = grow(picks);
				const tip = tree.tips[pick % tree.tips.length]!;
				for (const message of pathTo(tip.id, messages)) {
					expect(endAbove(tree, tip, message)).toEqual(ends.find(({ id }) => id === message.id));
				}
			})
		);
	});
});
