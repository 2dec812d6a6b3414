import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdMaker } from '../shared/id';
import type { Message, Part, Role } from './message';
import { formatOutline, isCalled, joinedTree, nameOfNode, nodesOf, outlineOf, type Outline, type OutlineNode } from './outline';
import { removeBranch } from './removal';
import { growTree } from './grow-tree';
import { rebuildTree, type Tree } from './tree';
import { faultsOf } from './tree-faults';

interface Made {
	tree: Tree;
	headId: string;
	messages: Message[];
}

/**
 * A session from lines such as `b: user a` (the message b, a user's, below a). What follows the parent is its text; it is
 * the id where there is none.
 */
function session(...lines: string[]): Made {
	const messages: Message[] = [];
	for (const line of lines) {
		const [, id, role, parentId, text] = /^(\S+): (\S+) (\S+) ?(.*)$/s.exec(line)!;
		const parent = messages.find((message) => message.id === parentId);
		const parts: Part[] = [{ type: 'text', text: text || id! }];
		messages.push({
			id: id!,
			sessionId: 's',
			parentId: parent?.id ?? null,
			depth: parent ? parent.depth + 1 : 0,
			role: role as Role,
			parts,
			createdAt: 1
		});
	}
	return { tree: rebuildTree(messages)!, headId: messages.at(-1)!.id, messages };
}

function draw({ tree, headId, messages }: Made): Outline {
	const sends = messages.filter(({ role }) => role === 'user').map(({ id }) => id);
	const { outline, missing } = outlineOf({ tree, headId, messages, sends: sends.sort() });
	expect(missing).toEqual([]);
	return outline;
}

function drawn(made: Made): string[] {
	return formatOutline(draw(made)).split('\n');
}

const capital = [
	'1: system - You are helpful.',
	'2: user 1 What is the capital of France?',
	'3: assistant 2 Paris.',
	'4: user 3 And of Spain?',
	'5: assistant 4 Madrid.'
];

it('[P8] [Z9] a branch may leave a branch that leaves a branch, thousands of times', () => {
	const lines = ['0000: user - Root'];
	const add = (parent: number) => lines.push(`${String(lines.length).padStart(4, '0')}: user ${String(parent).padStart(4, '0')}`) - 1;
	for (let [level, parent] = [0, 0]; level < 1900; level++) {
		add(parent);
		parent = add(parent);
	}
	const made = session(...lines);
	const outline = draw({ ...made, tree: { ...made.tree, mainTip: made.headId } });
	expect(nodesOf(outline)).toHaveLength(3801);
	expect(nodesOf(outline).filter(({ main }) => main)).toHaveLength(1901);
	const text = formatOutline(outline).split('\n');
	expect(text).toHaveLength(3801);
	expect(Math.max(...text.map((line) => line.search(/[●○]/)))).toBeLessThan(40);
});

it('[Z9] names the models where the answers to one question are of several', () => {
	const modelled = (...models: (string | undefined)[]) => {
		const made = session(...capital.slice(0, 3), '4: assistant 2 The city of Paris.', '5: user 4 And of Spain?', '6: assistant 5 Madrid.');
		const answers = made.messages.filter(({ role }) => role === 'assistant');
		for (const [index, message] of answers.entries()) if (models[index]) message.model = models[index];
		return nodesOf(draw(made)).map((node) => [nameOfNode(node), node.model]);
	};
	expect(modelled('one', 'two\n', 'one')).toEqual([['n0', 'one'], ['n0.2', 'two'], ['n1', undefined]]);
	expect(modelled('one', 'one', 'two')).toEqual([['n0', undefined], ['n0.2', undefined], ['n1', undefined]]);
	expect(modelled(undefined, 'two', 'two').flat()).not.toContain('two');
});

describe('[Z9] the outline as text', () => {
	it('is one line a send, with what leads to its end', () => {
		expect(drawn(session(...capital))).toEqual([
			'● n0 (3 messages) What is the capital of France?',
			'● n1 (5 messages) And of Spain? ← here'
		]);
	});

	it('hangs what was sent instead, and what followed, below what it follows', () => {
		const made = session(...capital, '6: user 3 And of Italy?', '7: assistant 6 Rome.', '8: user 7 Thanks');
		expect(drawn(made)).toEqual([
			'● n0 (3 messages) What is the capital of France?',
			'├── ● n2 (5 messages) And of Italy?',
			'│   ● n3 (6 messages) Thanks ← here',
			'○ n1 (5 messages) And of Spain?'
		]);
	});

	it('hangs another answer below what it answers, by number', () => {
		const made = session(...capital, '6: assistant 4 Barcelona?', '7: assistant 4 Toledo, once.', '8: user 6 No.');
		expect(drawn({ ...made, headId: '5' })).toEqual([
			'● n0 (3 messages) What is the capital of France?',
			'● n1 (5 messages) And of Spain? · answer 1 ← here',
			'├── ○ n1.2 (5 messages) Barcelona?',
			'│   ○ n2 (6 messages) No.',
			'└── ○ n1.3 (5 messages) Toledo, once.'
		]);
	});

	it('counts answers as they were begun, also where a later one was stored first', () => {
		const made = session(...capital.slice(0, 2), '3: assistant 2 Paris.', '4: assistant 2 It is Paris.', '5: user 3 And of Spain?');
		const stored = ['1', '2', '4', '3', '5'].map((id) => made.messages.find((message) => message.id === id)!);
		const tree = stored.reduce<Tree | undefined>((tree, message) => growTree(tree, message, message.id === '5' ? '3' : null), undefined)!;
		expect(drawn({ ...made, tree })).toEqual([
			'● n0 (3 messages) What is the capital of France? · answer 2',
			'└── ● n0.1 (3 messages) Paris.',
			'    ● n1 (4 messages) And of Spain? ← here'
		]);
		const nodes = nodesOf(draw({ ...made, tree }));
		expect(nodes.filter((node) => isCalled(node, 'n0.2'))).toEqual([nodes[0]]);
		expect(nodes[0]!.own).toEqual({ answer: 2, text: 'It is Paris.' });
	});

	it('says labels, the main branch, and where the user is in the middle of a branch', () => {
		const made = session(...capital, '6: user 3 And of Italy?');
		const tree = { ...made.tree, mainTip: '5', labels: { '2': 'start', '3': 'answer', '6': 'other way' } };
		expect(drawn({ ...made, tree, headId: '3' })).toEqual([
			'● n0 [start, answer] (3 messages) What is the capital of France? ← here',
			'├── ○ n2 [other way] (4 messages) And of Italy?',
			'○ n1 (5 messages) And of Spain? · main branch'
		]);
	});

	it('[P4] flags one branch as the main one, also where it begins with another answer', () => {
		const made = session(...capital, '6: assistant 4 Toledo, once.', '7: user 3 And of Italy?');
		const mainIn = (mainTip: string) => drawn({ ...made, tree: { ...made.tree, mainTip } }).filter((line) => line.includes('· main branch'));
		expect(mainIn('6')).toEqual(['└── ○ n1.2 (5 messages) Toledo, once. · main branch']);
		expect(mainIn('5')).toEqual([expect.stringContaining('n1 (5 messages) And of Spain? · answer 1 · main branch')]);
		const nodes = nodesOf(draw({ ...made, tree: { ...made.tree, mainTip: '6' } }));
		expect(nodes.filter(({ main }) => main).map(({ id }) => id)).toEqual(['6']);
	});

	it('puts other ways to begin side by side', () => {
		const made = session(...capital, '6: user 1 What is the capital of Peru?', '7: user 1 Hello', '8: assistant 7 Hi');
		expect(drawn(made)).toEqual([
			'start',
			'├── ○ n0 (3 messages) What is the capital of France?',
			'│   ○ n1 (5 messages) And of Spain?',
			'├── ○ n2 (2 messages) What is the capital of Peru?',
			'└── ● n3 (3 messages) Hello ← here'
		]);
	});

	it('nests branches of branches', () => {
		const made = session('1: user - One', '2: assistant 1', '3: user 2 Two', '4: user 2 Three', '5: assistant 4', '6: user 5 Four', '7: user 5 Five');
		expect(drawn(made)).toEqual([
			'● n0 (2 messages) One',
			'├── ● n2 (4 messages) Three',
			'│   ├── ● n4 (5 messages) Five ← here',
			'│   ○ n3 (5 messages) Four',
			'○ n1 (3 messages) Two'
		]);
	});

	it('says what is left out', () => {
		const made = session('1: user - One', '2: assistant 1', '3: user 2 Two', '4: assistant 3', '5: user 4 Three', '6: assistant 5', '7: user 6 Four');
		const { outline } = outlineOf({
			tree: made.tree,
			headId: made.headId,
			messages: made.messages.filter(({ id }) => !['4', '5'].includes(id)),
			sends: ['1', '3', '5', '7']
		});
		expect(formatOutline(outline).split('\n')).toEqual([
			'● n0 (2 messages) One',
			'⋮ 4 messages not shown',
			'● n3 (7 messages) Four ← here'
		]);
		expect(outline.count).toBe(4);
	});

	it('does not show what was deleted, and goes on with what is left at its place', () => {
		const made = session(...capital, '6: user 3 And of Italy?', '7: assistant 6 Rome.');
		const node = made.messages.find(({ id }) => id === '4')!;
		const { tree } = removeBranch(made.tree, node, null, null);
		expect(drawn({ ...made, tree })).toEqual([
			'● n0 (3 messages) What is the capital of France?',
			'● n2 (5 messages) And of Italy? ← here'
		]);
		expect(nodesOf(draw({ ...made, tree: { ...tree, mainTip: '7' } })).map(({ main }) => main)).toEqual([true, true]);
		const first = made.messages.find(({ id }) => id === '2')!;
		const again = session(...capital, '6: user 1 Hello', '7: assistant 6 Hi');
		expect(drawn({ ...again, tree: removeBranch(again.tree, first, null, null).tree })).toEqual(['● n2 (3 messages) Hello ← here']);
	});
});

describe('[Z9] a node', () => {
	it('ends where what is sent next begins, tools and all; a system message belongs to what follows it', () => {
		const made = session('1: user - Go', '2: assistant 1', '3: tool 2', '4: assistant 3', '5: system 4', '6: user 5 On', '7: user 5 Off', '8: user 4 Up');
		const [run] = draw(made).branches;
		expect(run!.map(({ id, endId, messages, tip }) => ({ id, endId, messages, tip }))).toEqual([
			{ id: '1', endId: '4', messages: 4, tip: false },
			{ id: '6', endId: '6', messages: 6, tip: true }
		]);
		expect(run![0]!.branches.map(([node]) => node!.id)).toEqual(['7', '8']);
	});

	it('is left by what leaves the system message before it where the node before it is', () => {
		const made = session('1: user - Go', '2: assistant 1', '3: user 2', '4: system 2', '5: user 4', '6: user 4', '7: assistant 4');
		const [run] = draw(made).branches;
		expect(run![0]!.branches.map(([node]) => [node!.id, node!.n])).toEqual([
			['5', 2],
			['6', 3],
			['7', 0]
		]);
	});

	it('shows only once its end is given', () => {
		const { tree, headId, messages } = session('1: user - Go', '2: assistant 1', '3: user 2', '4: assistant 3', '5: assistant 4');
		const { outline, missing } = outlineOf({ tree, headId, messages: messages.slice(0, 4), sends: ['1', '3'] });
		expect(nodesOf(outline).map(({ id, gap }) => ({ id, gap }))).toEqual([{ id: '1', gap: 3 }]);
		expect(missing).toEqual([4]);
	});

	it('counts other answers to one send through, also within an answer', () => {
		const made = session('1: user - Go', '2: assistant 1', '3: assistant 1', '4: tool 3', '5: assistant 4', '6: assistant 1', '7: assistant 4');
		expect(nodesOf(draw(made)).map((node) => [nameOfNode(node), node.id])).toEqual([
			['n0', '1'],
			['n0.2', '3'],
			['n0.4', '7'],
			['n0.3', '6']
		]);
	});

	it('begins with what was sent, also where an assistant spoke first', () => {
		const made = session('1: system -', '2: assistant 1 How can I help?', '3: user 2 Hello', '4: assistant 1 What is it?');
		expect(drawn(made)).toEqual(['start', '├── ○ n0 (3 messages) Hello', '└── ● start (2 messages) What is it? ← here']);
	});

	it('says how it begins on one line: text, files, what was called, or what became of it', () => {
		const made = session(`1: user - ${'many words\n'.repeat(20)}`, '2: user 1', '3: user 2', '4: user 3', '5: assistant 1');
		const parts: Record<string, Part[]> = {
			2: [{ type: 'file', attachmentId: 'a', mediaType: 'text/plain', name: 'notes.txt' }],
			3: [{ type: 'redacted', at: 1 }],
			4: [{ type: 'unreadable', reason: 'broken' }],
			5: [{ type: 'tool-call', toolCallId: 'c', toolName: 'search', input: {} }]
		};
		const messages = made.messages.map((message) => ({ ...message, parts: parts[message.id] ?? message.parts }));
		const texts = nodesOf(draw({ ...made, messages })).map(({ text }) => text);
		expect(texts).toEqual([
			'many words many words many words many words many words many words many words…',
			'search',
			'notes.txt',
			'Text erased',
			'Unreadable'
		]);
	});
});

type Step = [below: number, role: 'user' | 'assistant' | 'tool', act: 'add' | 'remove'];

/** Any tree below a system message, of one millisecond, with branches deleted on the way. */
const trees = fc
	.array(
		fc.tuple(
			fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.nat({ max: 4 }), fc.nat()),
			fc.constantFrom('user' as const, 'user' as const, 'assistant' as const, 'assistant' as const, 'tool' as const),
			fc.constantFrom('add' as const, 'add' as const, 'add' as const, 'add' as const, 'add' as const, 'add' as const, 'remove' as const)
		),
		{ maxLength: 40, size: 'max' }
	)
	.map((steps: Step[]) => {
		const newId = createIdMaker(() => 1000);
		const made: Message[] = [];
		let tree: Tree | undefined;
		let headId = '';
		const forks = new Map<string, string | null>();
		for (const [below, role, act] of [[0, 'user', 'add'] as Step, ...steps]) {
			const there = made.filter(({ id }) => forks.has(id));
			const parent = there[there.length - 1 - (below % there.length)];
			if (act === 'remove' && tree && parent?.parentId) {
				const headFalls = pathOf(headId, made).includes(parent.id);
				tree = removeBranch(tree, parent, forks.get(parent.id)!, headFalls ? headId : null).tree;
				if (headFalls) headId = parent.parentId;
				for (const { id } of there) if (pathOf(id, made).includes(parent.id)) forks.delete(id);
				continue;
			}
			const id = newId();
			const message: Message = {
				id,
				sessionId: 's',
				parentId: parent?.id ?? null,
				depth: parent ? parent.depth + 1 : 0,
				role: parent ? role : 'system',
				parts: [{ type: 'text', text: `${role} ${id.slice(-12)}` }],
				createdAt: 1000
			};
			const from = parent ? forks.get(parent.id)! : null;
			const grown: Tree = growTree(tree, message, from);
			forks.set(id, grown.tips.length > (tree?.tips.length ?? 0) && parent ? id : from);
			made.push(message);
			tree = grown;
			headId = id;
		}
		return { tree: tree!, headId, messages: made, living: made.filter(({ id }) => forks.has(id)) };
	});

/** The branch of a message in the joined row, as `known` wants it; none if it was deleted. */
function branchIn(tree: Tree, id: string, messages: Message[]): [string, string | null][] {
	const path = pathOf(id, messages).reverse();
	if (path.some((above) => tree.removed.includes(above))) return [];
	const forks = joinedTree(tree).tips.map(({ forkId }) => forkId);
	return [[id, path.find((above) => forks.includes(above)) ?? null]];
}

/** Runs without the nodes that do not show, with gaps in their places. */
function less(runs: OutlineNode[][], shown: Set<string>): OutlineNode[][] {
	return runs.map((run) =>
		run.flatMap((node, index) => {
			if (!shown.has(node.id)) return [];
			const next = run.findIndex((other, at) => at > index && shown.has(other.id));
			const gap = next > index + 1 ? run[next - 1]!.messages - node.messages : 0;
			return [{ ...node, ...(gap > 0 ? { gap } : {}), branches: less(node.branches, shown) }];
		})
	);
}

function pathOf(id: string, messages: Message[]): string[] {
	const { parentId } = messages.find((message) => message.id === id)!;
	return parentId === null ? [id] : [...pathOf(parentId, messages), id];
}

describe('[Z9] the outline of any tree', () => {
	it('has each send that was not deleted once, numbered in order of sending, and every message in a node', () => {
		fc.assert(
			fc.property(trees, ({ tree, headId, messages, living }) => {
				const nodes = nodesOf(draw({ tree, headId, messages }));
				const sent = messages.filter(({ role }) => role === 'user').map(({ id }) => id);
				const shown = nodes.filter(({ id }) => sent.includes(id));
				expect(shown.map(({ id }) => id).sort()).toEqual(living.filter(({ role }) => role === 'user').map(({ id }) => id));
				for (const { id, n } of shown) expect(n).toBe(sent.indexOf(id));
				const ends = new Set(nodes.map(({ endId }) => endId));
				const leaves = living.filter(({ id }) => !living.some(({ parentId }) => parentId === id));
				expect(leaves.filter(({ id }) => !ends.has(id))).toEqual([]);
				expect(nodes.filter(({ tip }) => tip).map(({ endId }) => endId).sort()).toEqual(leaves.map(({ id }) => id).sort());
			})
		);
	});

	it('says of each node how many messages lead to its end, and whether it is on the path to the head', () => {
		fc.assert(
			fc.property(trees, ({ tree, headId, messages }) => {
				const nodes = nodesOf(draw({ tree, headId, messages }));
				const path = pathOf(headId, messages);
				for (const node of nodes) {
					expect(pathOf(node.endId, messages)).toHaveLength(node.messages);
					expect(pathOf(node.endId, messages)).toContain(node.id);
					expect(node.onPath).toBe(path.includes(node.id));
					expect(node.gap).toBeUndefined();
				}
				expect(nodes.filter(({ current }) => current)).toHaveLength(1);
			})
		);
	});

	it('has no two nodes of one name, but for those before the first send', () => {
		fc.assert(
			fc.property(trees, ({ tree, headId, messages }) => {
				const names = nodesOf(draw({ tree, headId, messages })).map(nameOfNode).filter((name) => name !== 'start');
				expect(new Set(names).size).toBe(names.length);
			})
		);
	});

	it('from a part of the messages has the same nodes, less some, once what it misses is given; gaps tell of the rest', () => {
		fc.assert(
			fc.property(trees, fc.nat(), fc.nat({ max: 8 }), fc.nat(), ({ tree, messages, living }, pick, length, at) => {
				const [headId, labelled] = [living[at % living.length]!.id, messages[at % messages.length]!.id];
				const marked: Tree = { ...tree, labels: { [labelled]: 'here' } };
				const whole = draw({ tree: marked, headId, messages });
				const deepest = Math.max(...messages.map(({ depth }) => depth));
				const left = new Set(Array.from({ length: length + 1 }, (_, index) => (pick % (deepest + 1)) + index));
				for (const { id, depth } of messages) if (id === headId || id === labelled) left.delete(depth);
				const sends = messages.filter(({ role }) => role === 'user').map(({ id }) => id);
				const drawPart = () => {
					// Where nothing else tells a branch, the caller does.
					const known = new Map([headId, labelled].flatMap((id) => branchIn(tree, id, messages)));
					const rows = messages.filter(({ depth }) => !left.has(depth));
					return outlineOf({ tree: marked, headId, messages: rows, sends, known });
				};
				let part = drawPart();
				for (let before = left.size + 1; part.missing.length > 0; part = drawPart()) {
					for (const depth of part.missing) for (const near of [depth - 1, depth, depth + 1]) left.delete(near);
					if (left.size === before) left.clear();
					before = left.size;
				}
				const shown = new Set(nodesOf(part.outline).map(({ id }) => id));
				expect(part.outline).toEqual({ ...whole, branches: less(whole.branches, shown) });
				const wanted = nodesOf(whole).filter(({ tip, current, label, branches }) => tip || current || label || branches.length > 0);
				for (const { id } of wanted) expect(shown).toContain(id);
			})
		);
	});

	it('is that of a valid tree whose branches all end in leaves', () => {
		fc.assert(
			fc.property(trees, ({ tree, headId, messages, living }) => {
				const joined = joinedTree(tree);
				expect(faultsOf({ ...joined, mainTip: null }, messages, headId)).toEqual([]);
				const leaves = living.filter(({ id }) => !living.some(({ parentId }) => parentId === id)).map(({ id }) => id);
				expect(joined.tips.map(({ id }) => id).sort()).toEqual(leaves.sort());
			})
		);
	});
});
