import { conversations } from '../app/conversations';
import { SvelteSet } from 'svelte/reactivity';
import { deepest, nameOfNode, nodesOf, titleOfNode, type Outline, type OutlineNode } from '../conversation/outline';
import type { AppError } from '../shared/app-error';
import { shorten } from '../shared/shorten';
import { Live } from './live.svelte';

/** Time for which the letters of a type-ahead belong together, in milliseconds. */
const typingPause = 700;

/** Number of messages that are shown at a time of those that are left out. */
export const gapStep = 200;

/** A piece of a line that is drawn beside a row: on the way to where the user is, or not; undefined where there is none. */
type Stroke = 'path' | 'plain' | undefined;

/** The line of the runs at one level, as far as it passes a row: above the middle of its dot, and below. */
export interface Rail {
	level: number;
	upper: Stroke;
	lower: Stroke;
}

/** One row of the drawn tree. Branches are the children of the node that they leave; a run is one list. */
export interface TreeRow {
	kind: 'node';
	node: OutlineNode;
	parent: OutlineNode | undefined;
	/** From 1; its place among its parent's children, from 1, and how many these are. */
	level: number;
	position: number;
	siblings: number;
	/** True if its branches show; undefined where it has none. */
	expanded: boolean | undefined;
	/** True if a branch begins with it. */
	begins: boolean;
	rails: Rail[];
}

/** So many messages that are not shown, between two nodes of a run. */
export interface GapRow {
	kind: 'gap';
	id: string;
	count: number;
	/** The depth of the first of them. */
	depth: number;
	level: number;
	rails: Rail[];
}

/** A branch to choose: the message in which it ends, a short name, and a name with what it is about. */
export interface Branch {
	id: string;
	name: string;
	title: string;
}

/** The tree of one session as it is drawn and gone through by keys. What is folded or selected is this screen's own. */
export class ConversationTree {
	private live = $state.raw<Live<Outline | undefined> | undefined>();
	private readonly folded = new SvelteSet<string>();
	private chosen = $state.raw<string | undefined>();
	private typed = '';
	private typedAt = 0;

	/** Depths that are shown although they would be left out: the first and last of each stretch. */
	private readonly opened: [from: number, to: number][] = [];
	private read: (() => Promise<Outline | undefined>) | undefined;

	constructor(readonly sessionId: string) {
		void conversations.openOutline().then(({ read }) => {
			this.read = () => read(sessionId, this.opened);
			this.live = new Live(this.read);
		});
	}

	/** Undefined while loading, and where the session is not there. */
	readonly outline = $derived.by(() => this.live?.current);

	get failure(): AppError | undefined {
		return this.live?.failure;
	}

	/** The visible rows, from above. */
	readonly rows = $derived.by(() => rowsOf(this.outline?.branches ?? [], (id) => this.folded.has(id)));

	private readonly nodes = $derived.by(() => this.rows.filter((row) => row.kind === 'node'));

	/** The row that keys act on: what was selected, or else where the user is. */
	readonly selected = $derived.by(
		() =>
			this.nodes.find(({ node }) => node.id === this.chosen) ??
			this.nodes.find(({ node }) => node.current) ??
			this.nodes.findLast(({ node }) => node.onPath) ??
			this.nodes[0]
	);

	/** Selects a node; undefined selects where the user is. */
	select(id: string | undefined): void {
		this.chosen = id;
	}

	/** Hides what branches from a node, or shows it. */
	fold(id: string, folded = !this.folded.has(id)): void {
		if (folded) this.folded.add(id);
		else this.folded.delete(id);
	}

	/** Shows the first of the messages that are left out at a place; more of them where those are not all that followed one question. */
	open({ depth, count }: GapRow): void {
		const times = this.opened.filter(([from]) => from === depth).length + 1;
		this.opened.push([depth, depth + Math.min(count, times * gapStep) - 1]);
		this.live?.ask(this.read!);
	}

	/** Does what a key does in a tree of which `page` rows are in sight. False where it is none of those keys. */
	press(key: string, page: number): boolean {
		const { nodes, selected: row } = this;
		if (!row) return false;
		const at = nodes.indexOf(row);
		const to = (index: number) => this.select(nodes[Math.max(0, Math.min(index, nodes.length - 1))]!.node.id);
		switch (key) {
			case 'ArrowDown': {
				const below = this.rows[this.rows.indexOf(row) + 1];
				if (below?.kind === 'gap') this.open(below);
				else to(at + 1);
				return true;
			}
			case 'ArrowUp':
				to(at - 1);
				return true;
			case 'PageDown':
				to(at + page);
				return true;
			case 'PageUp':
				to(at - page);
				return true;
			case 'Home':
				to(0);
				return true;
			case 'End':
				to(nodes.length - 1);
				return true;
			case 'ArrowRight':
				if (row.expanded === false) this.fold(row.node.id, false);
				else if (row.expanded) to(at + 1);
				return true;
			case 'ArrowLeft':
				if (row.expanded) this.fold(row.node.id, true);
				else if (row.parent) this.select(row.parent.id);
				return true;
			default:
				return key.length === 1 && key !== ' ' && this.typeAhead(key, at);
		}
	}

	/** True if letters are being typed to find a row. */
	get typing(): boolean {
		return this.typed !== '' && performance.now() - this.typedAt < typingPause;
	}

	private typeAhead(key: string, at: number): true {
		this.typed = (this.typing ? this.typed : '') + key.toLowerCase();
		this.typedAt = performance.now();
		// One letter looks further on; more of them may still mean the row that they have led to.
		const from = this.typed.length > 1 ? at : at + 1;
		const found = [...this.nodes.slice(from), ...this.nodes.slice(0, from)].find(({ node }) =>
			[nameOfNode(node), node.label ?? '', node.text].some((name) => name.toLowerCase().startsWith(this.typed))
		);
		if (found) this.select(found.node.id);
		return true;
	}
}

/** The most characters of a branch's name beside what was said on it. */
const maxName = 30;

/** The branches of an outline by their ends, and the head if it ends none, in the order of their numbers. */
export function branchesOf(outline: Outline | undefined, headId: string | undefined): Branch[] {
	const nodes = outline ? nodesOf(outline) : [];
	const isHeadAnEnd = headId === undefined || nodes.some(({ tip, endId }) => tip && endId === headId);
	const idOf = ({ tip, endId, current }: OutlineNode) => (tip ? endId : current && !isHeadAnEnd ? headId : undefined);
	return nodes.toSorted(byNumber).flatMap((node) => {
		const id = idOf(node);
		if (id === undefined) return [];
		const number = nameOfNode(node);
		const said = shorten(node.label ?? answerIn(node) ?? titleOfNode(node), maxName);
		return {
			id,
			name: node.tip ? `${number} “${said}”` : `${number}, where you are`,
			// Its number first, which is in sight wherever the rest has no room.
			title: [number, ...(node.label === undefined ? [] : [node.label]), saidIn(node)].join(' · ') + (id === headId ? ' (you are here)' : '')
		};
	});
}

function byNumber(a: OutlineNode, b: OutlineNode): number {
	return (a.n ?? -1) - (b.n ?? -1) || answerNumber(a) - answerNumber(b);
}

function answerNumber({ answer, own }: OutlineNode): number {
	return answer ?? own?.answer ?? 1;
}

function saidIn(node: OutlineNode): string {
	const answer = answerIn(node);
	return answer === undefined ? titleOfNode(node) : `${answer}: ${(node.own?.text ?? node.text) || 'No text'}`;
}

/** The answer in a node by its number and its model; undefined where there is no other to the same. */
function answerIn({ answer, own, model }: OutlineNode): string | undefined {
	const number = answer ?? own?.answer;
	return number === undefined ? undefined : `Answer ${number}${model === undefined ? '' : `, ${model}`}`;
}

function rowsOf(runs: OutlineNode[][], isFolded: (id: string) => boolean): (TreeRow | GapRow)[] {
	const rows: (TreeRow | GapRow)[] = [];
	/** Steps that are still to be taken, the next of them last: a tree may have thousands of levels. */
	const waiting: (() => void)[] = [];

	const drawBranches = (runs: OutlineNode[][], parent: OutlineNode | undefined, next: OutlineNode | undefined, passing: Rail[], level: number) => {
		const siblings = runs.reduce((sum, run) => sum + run.length, 0);
		const steps: (() => void)[] = [];
		for (const [index, run] of runs.entries()) {
			const after = [...runs.slice(index + 1).map(([first]) => first!), ...(next ? [next] : [])];
			const past = parent && strokeTo(after);
			const beside: Rail[] = parent && level <= deepest ? [...passing, { level: level - 1, upper: past, lower: past }] : passing;
			for (const [at, node] of run.entries()) {
				const [above, below] = [run[at - 1], run[at + 1]];
				const onward = strokeTo(below ? [below] : []);
				const reaching: Rail[] =
					parent && at === 0
						? [...passing, { level: level - 1, upper: node.onPath ? 'path' : (past ?? 'plain'), lower: past }]
						: beside;
				const branches = node.branches.filter((run) => run.length > 0);
				const expanded = branches.length > 0 ? !isFolded(node.id) : undefined;
				const within = expanded ? branches.map(([first]) => first!) : [];
				const position = steps.length + 1;
				steps.push(() => {
					rows.push({
						kind: 'node',
						node,
						parent,
						level,
						position,
						siblings,
						expanded,
						begins: parent !== undefined && at === 0,
						rails: [
							...reaching,
							{ level, upper: above && (node.onPath ? 'path' : 'plain'), lower: strokeTo([...within, ...(below ? [below] : [])]) }
						]
					});
					const { gap } = node;
					if (gap !== undefined) {
						const rails = [...beside, { level, upper: onward, lower: onward }];
						waiting.push(() => rows.push({ kind: 'gap', id: `${node.id} gap`, count: gap, depth: node.messages, level, rails }));
					}
					if (expanded) drawBranches(branches, node, below, beside, level + 1);
				});
			}
		}
		for (const step of steps.reverse()) waiting.push(step);
	};

	drawBranches(runs, undefined, undefined, [], 1);
	for (let step = waiting.pop(); step; step = waiting.pop()) step();
	return rows;
}

/** The stroke that leads on to nodes. */
function strokeTo(nodes: OutlineNode[]): Stroke {
	return nodes.length === 0 ? undefined : nodes.some(({ onPath }) => onPath) ? 'path' : 'plain';
}
