import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costGrowth } from '../../../tests/fixtures/growth';
import { createIdMaker } from '../shared/id';
import type { Message } from './message';
import { countRemoved, removeBranch, restoreBranch, restoredHead, type Removal } from './removal';
import { chainTo, headIn, newestTipThrough, pathDown, pathTo, withoutRemoved } from './paths';
import { growTree } from './grow-tree';
import { rebuildTree, type Tree } from './tree';
import { faultsOf } from './tree-faults';

/**
 * A session as it may have come about, all in one millisecond: its tree row and head, kept by the functions under test, beside
 * rows and deletions from which each answer can be worked out the slow way.
 */
interface Past {
	newId: () => string;
	messages: Message[];
	tree: Tree;
	headId: string;
	removals: Removal[];
}

const acts = ['say', 'say', 'say', 'branch', 'branch', 'remove', 'restore', 'restore', 'redact', 'move', 'label', 'main'] as const;

/** An act of the user, and a number that picks what it is done to. */
type Step = [act: (typeof acts)[number], pick: number];

const steps: fc.Arbitrary<Step[]> = fc.array(fc.tuple(fc.constantFrom(...acts), fc.nat()), { maxLength: 40, size: 'max' });

function begin(): Past {
	const newId = createIdMaker(() => 1000);
	const root = messageBelow(undefined, newId());
	return { newId, messages: [root], tree: growTree(undefined, root, null), headId: root.id, removals: [] };
}

function messageBelow(parent: Message | undefined, id: string): Message {
	return {
		id,
		sessionId: 's',
		parentId: parent?.id ?? null,
		depth: parent ? parent.depth + 1 : 0,
		role: 'user',
		parts: [{ type: 'text', text: id }],
		createdAt: 1000
	};
}

function take(past: Past, [act, pick]: Step): Past {
	const { newId, messages, tree, headId, removals } = past;
	const living = naiveLiving(past);
	const one = living[pick % living.length]!;
	const branch = naiveBranch(past, one);
	if (act === 'say' || act === 'branch') {
		const parent = act === 'say' ? messages.find(({ id }) => id === headId)! : one;
		const message = messageBelow(parent, newId());
		return { ...past, messages: [...messages, message], tree: growTree(tree, message, naiveBranch(past, parent)), headId: message.id };
	}
	if (act === 'remove' && one.parentId !== null) {
		const headIsBelow = naivePath(headId, messages).includes(one);
		const after = removeBranch(tree, one, branch, headIsBelow ? headId : null);
		return { ...past, tree: after.tree, headId: headIsBelow ? one.parentId : headId, removals: [...removals, after.removal] };
	}
	if (act === 'restore') {
		// What a deleted message follows must be there to be followed.
		const ready = removals.filter(({ parentId }) => living.some(({ id }) => id === parentId));
		const removal = ready[pick % ready.length];
		if (!removal) return past;
		const parent = messages.find(({ id }) => id === removal.parentId)!;
		const restored = restoreBranch(tree, removal, naiveBranch(past, parent));
		return { ...past, tree: restored, headId: restoredHead(headId, removal), removals: removals.filter((other) => other !== removal) };
	}
	if (act === 'redact') {
		const parts: Message['parts'] = [{ type: 'redacted', at: 1000 }];
		return { ...past, messages: messages.map((message) => (message === one ? { ...message, parts } : message)) };
	}
	if (act === 'move') return { ...past, headId: one.id };
	if (act === 'label') return { ...past, tree: { ...tree, labels: { ...tree.labels, [one.id]: `label ${pick}` } } };
	if (act === 'main') return { ...past, tree: { ...tree, mainTip: leavesOf(tree)[pick % leavesOf(tree).length]! } };
	return past;
}

/** The past after each of the steps. */
function takeAll(steps: Step[]): Past[] {
	const pasts = [begin()];
	for (const step of steps) pasts.push(take(pasts.at(-1)!, step));
	return pasts;
}

/** Tells whether `holds` holds after all of the steps, whatever they are. Fails with the fewest steps after which it does not. */
function always(holds: (past: Past, pick: number) => void): void {
	const property = fc.property(steps, fc.nat(), (steps, pick) => {
		holds(takeAll(steps).at(-1)!, pick);
	});
	fc.assert(property, { numRuns: 150 });
}

function naivePath(id: string, messages: Message[]): Message[] {
	const message = messages.find((message) => message.id === id)!;
	return message.parentId === null ? [message] : [...naivePath(message.parentId, messages), message];
}

function naiveLiving({ messages, removals }: Past): Message[] {
	return messages.filter(({ id }) => !naivePath(id, messages).some((above) => removals.some((removal) => removal.id === above.id)));
}

/** The branch of a message: the beginning of one that is nearest above it. */
function naiveBranch({ messages, tree }: Past, message: Message): string | null {
	const beginnings = naivePath(message.id, messages).filter(({ id }) => tree.tips.some(({ forkId }) => forkId === id));
	return beginnings.at(-1)?.id ?? null;
}

function naiveLeaves(past: Past): Message[] {
	const living = naiveLiving(past);
	return living.filter(({ id }) => !living.some(({ parentId }) => parentId === id));
}

function idsOf(messages: Message[]): string[] {
	return messages.map(({ id }) => id);
}

function shuffled<T>(items: T[], pick: number): T[] {
	const keyed = items.map((item, index) => ({ item, key: (index * 7919 + pick) % 101 }));
	return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

describe('whatever is said, branched, redacted, deleted and brought back', () => {
	it('[E6] one root, no orphan, depths by one, every message in one branch, after each step', () => {
		fc.assert(
			fc.property(steps, (steps) => {
				for (const { tree, messages, headId } of takeAll(steps)) expect(faultsOf(tree, messages, headId)).toEqual([]);
			}),
			{ numRuns: 150 }
		);
	});

	it('[E6] the newest N of a path are its last N rows, also in one millisecond', () => {
		always((past, pick) => {
			const { headId, messages } = past;
			const end = messages.find(({ id }) => id === headId)!;
			const limit = 1 + (pick % 12);
			const window = messages.filter(({ depth }) => depth > end.depth - limit && depth <= end.depth);
			expect(pathTo(end.id, shuffled(window, pick))).toEqual(naivePath(end.id, messages).slice(-limit));
		});
	});

	it('[Z9] the path to any message runs through the branches that its chain says', () => {
		always((past) => {
			for (const message of naiveLiving(past)) {
				const path = naivePath(message.id, past.messages);
				const chain = chainTo(past.tree, naiveBranch(past, message), message.depth).reverse();
				const told = chain.flatMap(({ tip, from, to }) => Array.from({ length: to - from + 1 }, () => tip.forkId));
				expect(told).toEqual(path.map((above) => naiveBranch(past, above)));
			}
		});
	});

	it('[Z9] the path downwards is the path, from any message on it, as far as the rows go', () => {
		always((past, pick) => {
			const { tree, messages } = past;
			for (const message of naiveLiving(past)) {
				const path = naivePath(message.id, messages);
				const chain = chainTo(tree, naiveBranch(past, message), message.depth);
				const rows = shuffled(messages, pick);
				expect(pathDown(path[0]!.id, chain, tree, rows)).toEqual(path);
				const from = pick % path.length;
				const to = from + (pick % 5);
				expect(pathDown(path[from]!.id, chain, tree, rows.filter(({ depth }) => depth <= to))).toEqual(path.slice(from, to + 1));
			}
		});
	});

	it('[Z9] stepping to a message leads to the newest leaf below it', () => {
		always((past) => {
			const leaves = naiveLeaves(past).map(({ id }) => naivePath(id, past.messages));
			for (const message of naiveLiving(past)) {
				const through = leaves.filter((path) => path.includes(message)).map((path) => path.at(-1)!.id);
				expect(newestTipThrough(past.tree, naiveBranch(past, message), message.depth)?.id).toBe(through.sort().at(-1));
			}
		});
	});

	it('the leaves are the messages that nothing follows', () => {
		always((past) => expect(leavesOf(past.tree).sort()).toEqual(idsOf(naiveLeaves(past)).sort()));
	});

	it('branches are in the order in which they began', () => {
		always(({ tree }) => {
			const begun = tree.tips.map(({ forkId }) => forkId ?? '');
			expect(begun).toEqual([...begun].sort());
			expect(new Set(begun).size).toBe(begun.length);
		});
	});

	it('what was deleted is absent, and nothing else', () => {
		always((past, pick) => {
			const rows = shuffled(past.messages, pick);
			const living = idsOf(naiveLiving(past));
			expect(withoutRemoved(past.tree, rows)).toEqual(rows.filter(({ id }) => living.includes(id)));
		});
	});

	it('a deletion covers what follows the message, and its undoing leaves the row as it was', () => {
		always((past, pick) => {
			const living = naiveLiving(past).filter(({ parentId }) => parentId !== null);
			const node = living[pick % living.length];
			if (!node) return;
			const below = living.filter(({ id }) => naivePath(id, past.messages).includes(node));
			const after = take(past, ['remove', naiveLiving(past).indexOf(node)]);
			const removal = after.removals.at(-1)!;
			expect(countRemoved(removal)).toBe(below.length);
			expect(idsOf(naiveLiving(past)).filter((id) => !idsOf(naiveLiving(after)).includes(id))).toEqual(idsOf(below));
			const headFell = below.some(({ id }) => id === past.headId);
			expect(after.headId).toBe(headFell ? node.parentId : past.headId);
			expect(restoredHead(after.headId, removal)).toBe(past.headId);

			const back = restoreBranch(after.tree, removal);
			expect(faultsOf(back, past.messages)).toEqual([]);
			expect(withoutRemoved(back, past.messages)).toEqual(naiveLiving(past));
			expect({ ...back, tips: [] }).toEqual({ ...past.tree, tips: [] });
			expect(leavesOf(back).sort()).toEqual(leavesOf(past.tree).sort());
		});
	});

	it('once all is brought back, nothing is missing', () => {
		always((past) => {
			let all = past;
			while (all.removals.length > 0) all = take(all, ['restore', 0]);
			expect(faultsOf(all.tree, all.messages, all.headId)).toEqual([]);
			expect(withoutRemoved(all.tree, all.messages)).toEqual(all.messages);
			expect(all.tree.removed).toEqual([]);
		});
	});

	it('a row rebuilt is valid, and keeps labels, deletions and the main branch; the head is in it', () => {
		always((past, pick) => {
			const before = past.tree;
			const rebuilt = rebuildTree(shuffled(past.messages, pick), before)!;
			expect(faultsOf(rebuilt, past.messages)).toEqual([]);
			const { labels, removed } = before;
			expect(rebuilt).toMatchObject({ sessionId: 's', labels, removed });
			expect(headIn(rebuilt, past.messages, past.headId)).toBe(past.headId);
			expect(rebuilt.tips.map(({ forkId }) => forkId ?? '')).toEqual(rebuilt.tips.map(({ forkId }) => forkId ?? '').sort());
			expect(leavesOf(rebuilt).sort()).toEqual(leavesOf(before).sort());
			const main = rebuilt.mainTip === null ? [] : naivePath(rebuilt.mainTip, past.messages);
			expect(main.some(({ id }) => id === before.mainTip)).toBe(before.mainTip !== null);
		});
	});
});

/** The root; a and aa below it; b, a second child of the root. */
function fork() {
	const [root, a, aa, b] = takeAll([['say', 0], ['say', 0], ['branch', 0]]).at(-1)!.messages as [Message, Message, Message, Message];
	const messages = [root, a, aa, b];
	let tree = growTree(undefined, root, null);
	for (const message of [a, aa, b]) tree = growTree(tree, message, null);
	return { root, a, aa, b, messages, tree };
}

describe('growTree', () => {
	it('goes on with a branch at its end, and begins one anywhere else', () => {
		const { root, aa, b, tree } = fork();
		expect(tree).toEqual({
			sessionId: 's',
			tips: [
				{ id: aa.id, depth: 2, forkId: null, forkDepth: 0, fromId: null },
				{ id: b.id, depth: 1, forkId: b.id, forkDepth: 1, fromId: null }
			],
			labels: {},
			mainTip: null,
			removed: []
		});
		expect(root.depth).toBe(0);
	});

	it('takes the main branch along as it grows, and not to another', () => {
		const { a, aa, tree } = fork();
		const main = { ...tree, mainTip: aa.id };
		expect(growTree(main, messageBelow(aa, 'z'), null).mainTip).toBe('z');
		expect(growTree(main, messageBelow(a, 'z'), null).mainTip).toBe(aa.id);
	});

	it('leaves the row before as it was', () => {
		const { aa, tree } = fork();
		const before = structuredClone(tree);
		growTree(tree, messageBelow(aa, 'z'), null);
		expect(tree).toEqual(before);
	});
});

describe('newestTipThrough', () => {
	it('is a leaf also where a clock stepped back, so that what follows has a smaller id than what it follows', () => {
		const { a, aa, tree } = fork();
		const early = growTree(tree, messageBelow(a, '0'), null);
		const { tree: cut } = removeBranch(early, aa, null, null);
		expect(newestTipThrough(cut, null, 1)?.id).toBe('0');
	});
});

describe('removeBranch', () => {
	it('takes a head among it along, gives up a main tip among it, and both come back', () => {
		const { root, a, aa, tree } = fork();
		const before = { ...tree, mainTip: aa.id };
		const { tree: after, removal } = removeBranch(before, a, null, aa.id);
		expect(after).toMatchObject({ mainTip: null, removed: [a.id] });
		expect(restoreBranch(after, removal)).toEqual(before);
		expect(removal).toMatchObject({ parentId: root.id, headId: aa.id });
		expect(restoredHead(root.id, removal)).toBe(aa.id);
	});

	it('leaves head and main tip elsewhere where they are, also when it is undone', () => {
		const { a, aa, b, tree } = fork();
		const before = { ...tree, mainTip: aa.id };
		const { tree: after, removal } = removeBranch(before, b, b.id, null);
		expect(after).toMatchObject({ mainTip: aa.id });
		expect(restoreBranch(after, removal)).toMatchObject({ mainTip: aa.id });
		expect(restoredHead(a.id, removal)).toBe(a.id);
		expect(restoredHead(a.id, { ...removal, headId: b.id })).toBe(a.id);
	});

	it('does not bring back a main tip that was elsewhere and is deleted by then', () => {
		const { aa, b, messages, tree } = fork();
		const { tree: withoutB, removal } = removeBranch({ ...tree, mainTip: aa.id }, b, b.id, null);
		const { tree: withoutAA } = removeBranch(withoutB, aa, null, null);
		const back = restoreBranch(withoutAA, removal);
		expect(back.mainTip).toBeNull();
		expect(faultsOf(back, messages)).toEqual([]);
	});

	it('comes back below a message that another removal and its undoing have put on a branch of its own', () => {
		const { root, a, aa, b, messages, tree } = fork();
		const ab = messageBelow(a, 'ab');
		const all = growTree(tree, ab, null);
		const { tree: withoutAB, removal: ofAB } = removeBranch(all, ab, ab.id, ab.id);
		const { tree: withoutA, removal: ofA } = removeBranch(withoutAB, a, null, a.id);
		const c = messageBelow(root, 'c');
		const withA = restoreBranch(growTree(withoutA, c, null), ofA);
		const back = restoreBranch(withA, ofAB, a.id);
		expect(faultsOf(back, [...messages, ab, c])).toEqual([]);
		expect(leavesOf(back).sort()).toEqual([aa.id, b.id, 'ab', 'c'].sort());
	});

	it('refuses the root', () => {
		const { root, tree } = fork();
		expect(() => removeBranch(tree, root, null, root.id)).toThrow(root.id);
	});
});

describe('faultsOf', () => {
	const planted: [string, (valid: ReturnType<typeof fork>) => { tree?: Partial<Tree>; messages?: Message[]; headId?: string }][] = [
		['a second root', ({ messages }) => ({ messages: [...messages, messageBelow(undefined, 'z')] })],
		['no root', ({ messages }) => ({ messages: messages.slice(1) })],
		['an orphan', ({ messages, a }) => ({ messages: messages.filter((message) => message !== a) })],
		['a wrong depth', ({ messages, b }) => ({ messages: messages.map((message) => (message === b ? { ...b, depth: 2 } : message)) })],
		['a message in no branch', ({ messages, aa }) => ({ messages: [...messages, messageBelow(aa, 'z')] })],
		['a message in two branches', ({ tree }) => ({ tree: { tips: [...tree.tips, { ...tree.tips[1]! }] } })],
		['an end that is not there', ({ tree }) => ({ tree: { tips: [tree.tips[0]!, { ...tree.tips[1]!, id: 'z' }] } })],
		['an end at another depth', ({ tree }) => ({ tree: { tips: [{ ...tree.tips[0]!, depth: 3 }, tree.tips[1]!] } })],
		['a beginning that is too high', ({ tree }) => ({ tree: { tips: [tree.tips[0]!, { ...tree.tips[1]!, forkDepth: 0 }] } })],
		['a beginning that is too low', ({ tree }) => ({ tree: { tips: [{ ...tree.tips[0]!, forkDepth: 1 }, tree.tips[1]!] } })],
		['another beginning', ({ tree }) => ({ tree: { tips: [tree.tips[0]!, { ...tree.tips[1]!, forkId: 'z' }] } })],
		['a branch that leaves another', ({ tree }) => ({ tree: { tips: [tree.tips[0]!, { ...tree.tips[1]!, fromId: 'z' }] } })],
		['a head that is not there', () => ({ headId: 'z' })],
		['a head that was deleted', ({ tree, b }) => ({ tree: removeBranch(tree, b, b.id, b.id).tree, headId: b.id })],
		['a branch that was deleted', ({ b }) => ({ tree: { removed: [b.id] } })],
		['a main branch that ends elsewhere', ({ a }) => ({ tree: { mainTip: a.id } })]
	];

	it.each(planted)('finds %s', (_, plant) => {
		const valid = fork();
		expect(faultsOf(valid.tree, valid.messages, valid.b.id)).toEqual([]);
		const { tree, messages, headId } = plant(valid);
		expect(faultsOf({ ...valid.tree, ...tree }, messages ?? valid.messages, headId)).not.toEqual([]);
	});

	it('passes over what was deleted, also where some of its rows are gone', () => {
		const { a, aa, messages, tree } = fork();
		const without = removeBranch(removeBranch(tree, aa, null, null).tree, a, null, null).tree;
		expect(faultsOf(without, messages)).toEqual([]);
		expect(faultsOf(without, messages.filter((message) => message !== a))).toEqual([]);
	});
});

describe('rebuildTree', () => {
	it('leaves out what no root leads to, and finds nothing where there is no root', () => {
		const { root, a, aa, b, messages } = fork();
		expect(rebuildTree([root, aa, b])?.tips.map(({ id }) => id)).toEqual([b.id]);
		expect(rebuildTree([root, { ...a, depth: 4 }])?.tips.map(({ id }) => id)).toEqual([root.id]);
		expect(rebuildTree(messages.slice(1))).toBeUndefined();
	});

	it('keeps the labels of what was deleted, since that can come back', () => {
		const { a, messages, tree } = fork();
		const { tree: after } = removeBranch({ ...tree, labels: { [a.id]: 'kept', gone: 'dropped' } }, a, null, null);
		expect(rebuildTree(messages, after)?.labels).toEqual({ [a.id]: 'kept' });
	});

	it('marks the end of the branch on which the main tip was', () => {
		const { a, aa, messages, tree } = fork();
		expect(rebuildTree(messages, { ...tree, mainTip: a.id })?.mainTip).toBe(aa.id);
	});

	it('[P8] takes the time that the messages take, however many branches they are in', () => {
		const branches = (size: number) => {
			const { root } = fork();
			const messages = [root];
			for (let at = 1; at < size; at++) {
				const parent = at % 2 === 1 ? root : messages.at(-1)!;
				messages.push(messageBelow(parent, String(at).padStart(9, '0')));
			}
			return messages;
		};
		expect(costGrowth(2000, branches, (messages) => rebuildTree(messages))).toBeLessThan(8);
	}, 60_000);
});

describe('headIn', () => {
	it('is where the user is, or the newest end where that is not there or not known', () => {
		const { a, b, messages, tree } = fork();
		expect(headIn(tree, messages, a.id)).toBe(a.id);
		expect(headIn(tree, messages, 'z')).toBe(b.id);
		expect(headIn(tree, messages, undefined)).toBe(b.id);
		expect(headIn(removeBranch(tree, b, b.id, null).tree, messages, b.id)).toBe(messages[2]!.id);
	});
});

describe('pathTo', () => {
	it('starts where the given rows start', () => {
		const { messages } = takeAll([['say', 0], ['say', 0], ['say', 0]]).at(-1)!;
		expect(pathTo(messages[3]!.id, messages.slice(2))).toEqual(messages.slice(2));
	});

	it('is empty for an id that is not there', () => expect(pathTo('nowhere', fork().messages)).toEqual([]));

	it('ends also where rows point at each other', () => {
		const { root, a } = fork();
		expect(pathTo(a.id, [{ ...root, parentId: a.id }, a])).toHaveLength(2);
	});
});

describe('a row whose branches leave each other', () => {
	it('does not hold up who follows them', () => {
		const { b, tree } = fork();
		const bad: Tree = { ...tree, tips: [tree.tips[0]!, { ...tree.tips[1]!, fromId: b.id }] };
		expect(chainTo(bad, b.id, 1)).toHaveLength(1);
		expect(newestTipThrough(bad, b.id, 1)?.id).toBe(b.id);
		expect(countRemoved(removeBranch(bad, b, b.id, null).removal)).toBe(1);
	});
});

/** The ids of messages that nothing follows. */
function leavesOf(tree: Tree): string[] {
	return tree.tips.filter(({ id, forkId, depth }) => newestTipThrough(tree, forkId, depth)?.id === id).map(({ id }) => id);
}
