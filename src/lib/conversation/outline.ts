import { plainName } from '../shared/file-name';
import { shorten } from '../shared/shorten';
import { readableToolName } from '../shared/server-tool-name';
import { excerptOf } from './excerpt';
import { wordsOfMarkdown } from './markdown-words';
import { textOf, type Message, type Part } from './message';
import { branchAt, chainTo, versionsInOrder, newestTips } from './paths';
import type { Tip, Tree } from './tree';

/** The most of its labels that a node is named by, and the length of that name, in UTF-16 units. */
const [maxNamed, maxLabel] = [20, 200];

/** The length of the longest name of a model in an outline. */
const maxModel = 60;

/**
 * A node of the outline: something that the user sent, with all that followed until they sent again; or, where a
 * branch begins with another answer, that answer and what followed it.
 */
export interface OutlineNode {
	/** Its first message: what was sent, or the other answer. */
	id: string;
	/** Its number among all sends, from 0: `n0`, `n1` …; for another answer, the send that it answers. Null before the first. */
	n: number | null;
	/** Number of the answer that it begins with among all to the send, from 1, as the chat counts them. */
	answer?: number;
	/** The answer that is in it where it begins with a send that has several, by its number, and how that answer begins. */
	own?: { answer: number; text: string };
	/** The model that answered in it, where the answers to its send are of several. */
	model?: string;
	/** Its beginning, on one line of at most 80 characters. */
	text: string;
	/** The user's labels of its messages, each on one line. */
	labels: { messageId: string; text: string }[];
	label?: string;
	/** Number of messages that there are from the root to its end, both included. */
	messages: number;
	/** Its last message: where one goes on from it. */
	endId: string;
	/** True if it is on the path to the head, has the head in it, the newest branch through it is the main one, and it is followed by nothing. */
	onPath: boolean;
	current: boolean;
	main: boolean;
	tip: boolean;
	/** Number of messages that are left out between it and the next node of its run. */
	gap?: number;
	/** The branches that leave from it, each as a run, in the order in which they began. */
	branches: OutlineNode[][];
}

/**
 * A session's tree as the user sees it. A run is a branch from where it leaves another to its end: a node, then what
 * follows it there. `branches` are the first branch, and those that leave it before anything was sent on it.
 */
export interface Outline {
	sessionId: string;
	/** Number of sends that the session has, shown or not. */
	count: number;
	branches: OutlineNode[][];
}

/** Rows that an outline is made of. */
export interface OutlineSource {
	tree: Tree;
	/** The last message of the active path. */
	headId: string;
	/** Any of the session's messages, the head and those with labels among them: what is not becomes a gap. */
	messages: Message[];
	/** The ids of what the user sent, in order of sending. */
	sends: string[];
	/** The branches of `joinedTree`, by `forkId`, of messages that the tree row and the messages given do not tell. */
	known?: ReadonlyMap<string, string | null>;
}

/** The name by which a node is called: `n3`; `n3.2` for the second answer to it; `start` before the first send. */
export function nameOfNode({ n, answer }: Pick<OutlineNode, 'n' | 'answer'>): string {
	return n === null ? 'start' : answer === undefined ? `n${n}` : `n${n}.${answer}`;
}

/** Tells whether a node is called so, or the answer that is in it. */
export function isCalled(node: Pick<OutlineNode, 'n' | 'answer' | 'own'>, name: string): boolean {
	return nameOfNode(node) === name || (node.own !== undefined && nameOfNode({ ...node, ...node.own }) === name);
}

/** The beginning of a node, by which people tell it from others. */
export function titleOfNode({ n, answer, text }: Pick<OutlineNode, 'n' | 'answer' | 'text'>): string {
	const said = text || (n === null ? 'Start' : 'No text');
	return answer === undefined ? said : `Answer ${answer}: ${said}`;
}

/** All nodes of an outline, in the order of its lines. */
export function nodesOf({ branches }: Pick<Outline, 'branches'>): OutlineNode[] {
	const nodes: OutlineNode[] = [];
	const waiting = branches.flat().reverse();
	for (let node = waiting.pop(); node; node = waiting.pop()) {
		nodes.push(node);
		for (const below of node.branches.flat().reverse()) waiting.push(below);
	}
	return nodes;
}

/**
 * The tree row with each branch that ends where others leave it drawn together with the oldest of those: a deletion can
 * have cut it there. Each branch then ends in a leaf.
 */
export function joinedTree(tree: Tree): Tree {
	let { tips } = tree;
	for (const { forkId } of tree.tips) {
		for (;;) {
			const own = tips.find((tip) => tip.forkId === forkId);
			const next = own && tips.find((tip) => tip.forkId !== null && tip.fromId === forkId && tip.forkDepth === own.depth + 1);
			if (!own || !next) break;
			tips = tips
				.filter((tip) => tip !== next)
				.map((tip) => (tip === own ? { ...own, id: next.id, depth: next.depth } : tip))
				.map((tip) => (tip.fromId === next.forkId && tip.forkId !== null ? { ...tip, fromId: forkId } : tip));
		}
	}
	return tips === tree.tips ? tree : { ...tree, tips };
}

/**
 * Draws the outline as far as the given messages go. `missing` are the depths whose nodes are not whole although they
 * must show: ends and beginnings of branches, labelled messages, the head. They are drawn once the messages around are given.
 */
export function outlineOf(source: OutlineSource): { outline: Outline; missing: number[] } {
	const tree = joinedTree(source.tree);
	const drawing = new Drawing({ ...source, tree });
	const outline = { sessionId: tree.sessionId, count: source.sends.length, branches: drawing.branches() };
	return { outline, missing: drawing.missing() };
}

/** A stretch of one branch that becomes a node: `at` is where what was sent, or answered, is in it. */
interface Exchange {
	messages: Message[];
	at: Message;
}

/** A branch that is to be drawn: the node that it leaves, and the runs that leave from there. */
interface Branch {
	tip: Tip;
	above: OutlineNode | undefined;
	runs: OutlineNode[][];
}

class Drawing {
	private readonly tree: Tree;
	private readonly headId: string;
	private readonly rows: Map<string | null, Message[]>;
	private readonly forkOf: ReadonlyMap<string, string | null>;
	private readonly numbers: Map<string, number>;
	private readonly active: Map<string | null, number>;
	private readonly main: Map<string | null, number>;
	private readonly newestThrough: ReturnType<typeof newestTips>;
	/** True if the main branch is one of those that are drawn: one that was cut is drawn together with one that leaves it. */
	private readonly drawsMain: boolean;
	private readonly drawn = new Set<string>();
	private readonly asked = new Map<number, OutlineNode>();
	private readonly answers = new Map<number, OutlineNode[]>();
	/** The answers that nodes which begin with a send have in them. */
	private readonly own = new Map<OutlineNode, { id: string; text: string }>();
	private readonly models = new Map<OutlineNode, string>();

	constructor({ tree, headId, messages, sends, known }: OutlineSource) {
		this.tree = tree;
		this.headId = headId;
		this.forkOf = branchesOf(tree, messages, known);
		this.rows = new Map(tree.tips.map(({ forkId }) => [forkId, []]));
		for (const message of [...messages].sort((a, b) => a.depth - b.depth)) {
			const forkId = this.forkOf.get(message.id);
			if (forkId !== undefined) this.rows.get(forkId)?.push(message);
		}
		this.numbers = new Map(sends.map((id, index) => [id, index]));
		this.active = this.wayTo(messages.find(({ id }) => id === headId));
		this.newestThrough = newestTips(tree);
		this.drawsMain = tree.tips.some(({ id }) => id === tree.mainTip);
		this.main = this.wayTo(tree.tips.find(({ id }) => id === tree.mainTip) ?? messages.find(({ id }) => id === tree.mainTip));
	}

	branches(): OutlineNode[][] {
		const first = branchAt(this.tree, null);
		const runs: OutlineNode[][] = [];
		const waiting: Branch[] = first ? [{ tip: first, above: undefined, runs }] : [];
		for (let branch = waiting.pop(); branch; branch = waiting.pop()) {
			for (const leaving of this.draw(branch).reverse()) waiting.push(leaving);
		}
		for (const answers of this.answers.values()) {
			const asked = this.asked.get(answers[0]!.n!);
			this.count(asked, answers);
			const all = [...(asked ? [asked] : []), ...answers];
			if (new Set(all.flatMap((node) => this.models.get(node) ?? [])).size < 2) continue;
			for (const node of all) if (this.models.has(node)) node.model = this.models.get(node)!;
		}
		return runs;
	}

	/** Numbers the answers to one send. One that is not drawn is the first. */
	private count(asked: OutlineNode | undefined, answers: OutlineNode[]): void {
		const own = asked && this.own.get(asked);
		const ordered = versionsInOrder([...(own ? [own.id] : []), ...answers.map(({ id }) => id)]);
		const numbers = new Map(ordered.map((id, index) => [id, index + (own ? 1 : 2)]));
		for (const node of answers) node.answer = numbers.get(node.id)!;
		if (own) asked.own = { answer: numbers.get(own.id)!, text: own.text };
	}

	missing(): number[] {
		const { headId } = this;
		const { tips, labels } = this.tree;
		const needed = new Map<string, number>();
		for (const messages of this.rows.values()) {
			for (const { id, depth } of messages) if (id === headId || labels[id] !== undefined) needed.set(id, depth);
		}
		const beginnings = new Set(tips.map(({ forkId }) => forkId));
		for (const messages of this.rows.values()) {
			for (const { id, depth, parentId } of messages) if (beginnings.has(id) && parentId !== null) needed.set(parentId, depth - 1);
		}
		for (const { id, depth, forkId, forkDepth } of tips) {
			needed.set(id, depth);
			needed.set(forkId ?? this.rows.get(null)![0]?.id ?? '', forkDepth);
		}
		return [...new Set([...needed].filter(([id]) => !this.drawn.has(id)).map(([, depth]) => depth))].sort((a, b) => a - b);
	}

	/** Returns the branches that the path to a message runs through, with the depth of each. */
	private wayTo(end: { id: string; depth: number } | undefined): Map<string | null, number> {
		const forkId = end && (this.tree.tips.find(({ id }) => id === end.id)?.forkId ?? this.forkOf.get(end.id));
		if (!end || forkId === undefined) return new Map();
		return new Map(chainTo(this.tree, forkId, end.depth).map(({ tip, to }) => [tip.forkId, to]));
	}

	/** Tells whether the newest branch through a node's last message is the main branch. */
	private isMain({ forkId }: Tip, { depth }: Message): boolean {
		if (depth > (this.main.get(forkId) ?? -1)) return false;
		return !this.drawsMain || this.newestThrough(forkId, depth)?.id === this.tree.mainTip;
	}

	/** Adds the run of a branch to the runs that leave from `above`. Returns the branches that leave from it, in the order in which they began. */
	private draw({ tip, above, runs }: Branch): Branch[] {
		const exchanges = exchangesOf(this.rows.get(tip.forkId)!, tip, above === undefined);
		const run = exchanges.map((exchange) => this.node(exchange, tip, above));
		for (const [index, { messages }] of exchanges.entries()) {
			const next = exchanges[index + 1]?.messages[0]?.depth ?? tip.depth + 1;
			const left = next - messages.at(-1)!.depth - 1;
			if (left > 0) run[index]!.gap = left;
		}
		if (run.length > 0) runs.push(run);
		const leaving = this.tree.tips.filter(({ forkId, fromId }) => forkId !== null && fromId === tip.forkId);
		return leaving
			.sort((a, b) => (a.forkId! < b.forkId! ? -1 : 1))
			.map((tip) => {
				const from = exchanges.findLastIndex(({ at }) => at.depth < tip.forkDepth);
				return from < 0 ? { tip, above, runs } : { tip, above: run[from]!, runs: run[from]!.branches };
			});
	}

	private node({ messages, at }: Exchange, tip: Tip, above: OutlineNode | undefined): OutlineNode {
		const [end, { labels }] = [messages.at(-1)!, this.tree];
		for (const { id } of messages) this.drawn.add(id);
		const named = messages.flatMap(({ id }) => (labels[id] === undefined ? [] : [{ messageId: id, text: labels[id] }]));
		const node: OutlineNode = {
			id: at.id,
			n: (at.role === 'user' ? this.numbers.get(at.id) : at.role === 'system' ? null : above?.n) ?? null,
			text: tellingOf(messages.slice(messages.indexOf(at))),
			labels: named,
			...(named.length > 0 ? { label: shorten(named.slice(0, maxNamed).map(({ text }) => text).join(', '), maxLabel) } : {}),
			messages: end.depth + 1,
			endId: end.id,
			onPath: at.depth <= (this.active.get(tip.forkId) ?? -1),
			current: messages.some(({ id }) => id === this.headId),
			main: this.isMain(tip, end),
			tip: end.id === tip.id,
			branches: []
		};
		const { model } = messages.find(({ role }) => role === 'assistant') ?? {};
		if (model) this.models.set(node, shorten(plainName(model), maxModel));
		const after = messages.slice(messages.indexOf(at) + 1);
		if (at.role === 'user' && after[0]) this.own.set(node, { id: after[0].id, text: tellingOf(after) });
		if (node.n !== null) {
			if (at.role === 'user') this.asked.set(node.n, node);
			else this.answers.set(node.n, [...(this.answers.get(node.n) ?? []), node]);
		}
		return node;
	}
}

/**
 * The branches of messages, by `forkId`. A message that is no branch's beginning is on its parent's branch; so whatever
 * hangs together with a beginning, an end or a message that is known tells its branch. What was deleted has none.
 */
function branchesOf(tree: Tree, messages: Message[], known: OutlineSource['known']): Map<string, string | null> {
	const begin = new Map(tree.tips.flatMap((tip) => (tip.forkId === null ? [] : [[tip.forkId, tip]])));
	const forkOf = new Map<string, string | null>(known);
	for (const { id, forkId } of tree.tips) forkOf.set(id, forkId);
	for (const { forkId } of tree.tips) if (forkId !== null) forkOf.set(forkId, forkId);
	const upwards = [...messages].sort((a, b) => b.depth - a.depth);
	for (const { id, parentId } of upwards) {
		const forkId = forkOf.get(id);
		if (parentId !== null && forkId !== undefined) forkOf.set(parentId, begin.get(id)?.fromId ?? (begin.has(id) ? null : forkId));
	}
	for (const { id, parentId } of upwards.reverse()) {
		const above = parentId === null ? null : forkOf.get(parentId);
		if (above !== undefined && !forkOf.has(id) && !tree.removed.includes(id)) forkOf.set(id, above);
	}
	return forkOf;
}

/**
 * The exchanges of a branch that are whole in `rows`, which are some of its messages by depth. A system message that
 * stands before what was sent belongs to it. What comes before the first send is an answer to the branch above, if
 * there is one, or else belongs to what was sent first.
 */
function exchangesOf(rows: Message[], tip: Tip, isFirst: boolean): Exchange[] {
	const exchanges: Exchange[] = [];
	let open: Message[] = [];
	let isWhole = true;
	const close = (ends: boolean) => {
		const at = open.find(isSend) ?? open.find(({ role }) => role !== 'system') ?? open[0];
		if (at && isWhole && ends) exchanges.push({ messages: open, at });
		open = [];
	};
	for (const [index, message] of rows.entries()) {
		if (index > 0 && rows[index - 1]!.depth !== message.depth - 1) close(false);
		if (open.length === 0) isWhole = isSend(message) || message.depth === tip.forkDepth;
		const isOpening = isFirst && isWhole && !open.some(isSend);
		if (isSend(message) && !isOpening) {
			const leads = open.splice(open.findLastIndex(({ role }) => role !== 'system') + 1);
			close(true);
			open = leads;
			isWhole = true;
		}
		open.push(message);
	}
	close(rows.at(-1)?.depth === tip.depth);
	return exchanges;
}

function isSend({ role }: Message): boolean {
	return role === 'user';
}

/** The length of a beginning in characters, and how much of an answer is looked at for it, in UTF-16 units. */
const [longest, looked] = [80, 2000];

/** Returns the beginning of a node's messages, in words. */
function tellingOf(messages: Message[]): string {
	const [first, ...others] = messages;
	const gone = first!.parts.find(({ type }) => type === 'redacted' || type === 'unreadable');
	if (gone) return gone.type === 'redacted' ? 'Text erased' : 'Unreadable';
	if (first!.role === 'system') return 'System prompt';
	const told = textOf(first!).trim() || first!.parts.flatMap(nameOfPart).join(', ');
	if (first!.role === 'user') return excerptOf(told, longest);
	if (told !== '') return excerptOfAnswer(told);
	const spoken = others.find((message) => message.role === 'assistant' && textOf(message).trim() !== '');
	return spoken ? excerptOfAnswer(textOf(spoken)) : '';
}

function excerptOfAnswer(text: string): string {
	return excerptOf(wordsOfMarkdown(text.trimStart().slice(0, looked)), longest);
}

function nameOfPart(part: Part): string[] {
	if (part.type === 'file') return [part.name];
	return part.type === 'tool-call' ? [readableToolName(part.toolName)] : [];
}

/** The deepest level that is indented: beyond that there would be no room for words. */
export const deepest = 8;

/**
 * The outline as lines for a monospaced block: ● on the path to the head, ○ elsewhere, branches indented below the node
 * that they leave.
 */
export function formatOutline({ branches }: Outline): string {
	const lines: string[] = branches.length > 1 ? ['start'] : [];
	const waiting: (Step | string)[] = [];
	const add = (runs: OutlineNode[][], indent: string, goesOn: boolean) => {
		for (const [index, run] of [...runs.entries()].reverse()) {
			const isLast = index === runs.length - 1 && !goesOn;
			const within = indent.length < 4 * deepest ? indent + (isLast ? '    ' : '│   ') : indent;
			addRun(run, indent + (isLast ? '└── ' : '├── '), within);
		}
	};
	const addRun = (run: OutlineNode[], lead: string, indent: string) => {
		for (const [at, node] of [...run.entries()].reverse()) {
			waiting.push({ node, lead: at === 0 ? lead : indent, indent, goesOn: at < run.length - 1 || node.gap !== undefined });
		}
	};

	if (branches.length > 1) add(branches, '', false);
	else addRun(branches[0] ?? [], '', '');
	for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
		if (typeof step === 'string') {
			lines.push(step);
			continue;
		}
		const { node, lead, indent, goesOn } = step;
		lines.push(lead + lineOf(node));
		if (node.gap !== undefined) waiting.push(`${indent}⋮ ${counted(node.gap)} not shown`);
		add(node.branches, indent, goesOn);
	}
	return lines.join('\n');
}

/** A node whose line is to be written: what stands before it, and before what is below it; true if its run goes on after it. */
interface Step {
	node: OutlineNode;
	lead: string;
	indent: string;
	goesOn: boolean;
}

function lineOf(node: OutlineNode): string {
	const told = [
		node.onPath ? '●' : '○',
		nameOfNode(node),
		...(node.label === undefined ? [] : [`[${node.label}]`]),
		`(${counted(node.messages)})`,
		...(node.text === '' ? [] : [node.text]),
		...(node.own === undefined ? [] : [`· answer ${node.own.answer}`]),
		...(node.model === undefined ? [] : [`· ${node.model}`]),
		...(node.main && node.tip ? ['· main branch'] : []),
		...(node.current ? ['← here'] : [])
	];
	return told.join(' ');
}

function counted(messages: number): string {
	return messages === 1 ? '1 message' : `${messages} messages`;
}
