import { conversations } from '../app/conversations';
import { excerptOf } from '../conversation/excerpt';
import { endAbove, forkOf, type PathEnd } from '../conversation/fork';
import { filesOf, textOf, type Message } from '../conversation/message';
import { chainTo, pathDown } from '../conversation/paths';
import type { Tree } from '../conversation/tree';
import type { AppError } from '../shared/app-error';
import { withoutPiledMarks } from '../shared/piled-marks';
import { nextTurn } from '../shared/pause';
import { textLimit } from '../shared/start-of';
import { Live } from './live.svelte';
import { wordDifferences, type ComparedPiece } from './word-differences';

/** Number of messages that are read on each side at first, and then at a time. */
const pageSize = 50;

/** The length of text of both sides after which no further row is drawn at a time, in UTF-16 units. */
const pageLength = 2 * textLimit;

/** Two messages that stand opposite each other, or one that has none. */
export interface ComparedRow {
	depth: number;
	a: Message | undefined;
	b: Message | undefined;
	same: boolean;
}

/** Two branches from where they part, as far as they are read. Rows are of one depth each, downwards; the same is said in both messages of a row, or not. */
export interface Comparison {
	/** Number of messages that the two share. */
	shared: number;
	/** The beginning of the last thing that the user sent on both. */
	text: string | undefined;
	rows: ComparedRow[];
	/** Number of messages that follow on either side, read or not. */
	length: { a: number; b: number };
}

/** Two paths of a session, by the messages in which they end. Only what follows their fork is read, and of that a part at first. */
export class Comparing {
	private pages = 1;
	private readonly live: Live<Comparison | undefined>;

	constructor(
		private readonly sessionId: string,
		private a: string,
		private b: string
	) {
		this.live = new Live(this.query());
	}

	/** Undefined while loading, and where one of the two is not there. */
	get current(): Comparison | undefined {
		return this.live.current;
	}

	get loading(): boolean {
		return this.live.loading;
	}

	get failure(): AppError | undefined {
		return this.live.failure;
	}

	get hasMore(): boolean {
		const { rows, length } = this.current ?? { rows: [], length: { a: 0, b: 0 } };
		return rows.length < Math.max(length.a, length.b);
	}

	/** Compares other branches. */
	choose(a: string, b: string): void {
		this.a = a;
		this.b = b;
		this.pages = 1;
		this.live.ask(this.query());
	}

	showMore(): void {
		this.pages++;
		this.live.ask(this.query());
	}

	private query(): () => Promise<Comparison | undefined> {
		const { sessionId, a, b, pages } = this;
		return () => compare(sessionId, a, b, pages);
	}
}

/** The texts of a row in which words can be told apart, as they are drawn; undefined where they are the same or one says nothing. */
export function textsToMark({ a, b }: ComparedRow): { a: string; b: string } | undefined {
	if (!a || !b || a.role !== b.role) return undefined;
	const texts = { a: withoutPiledMarks(textOf(a)), b: withoutPiledMarks(textOf(b)) };
	return texts.a === texts.b || texts.a === '' || texts.b === '' ? undefined : texts;
}

let lastMarked: Promise<unknown> = Promise.resolve();

/** Tells the words of two texts apart, one pair after another, with turns for the page between. */
export function markedWords(a: string, b: string): Promise<{ a: ComparedPiece[]; b: ComparedPiece[] } | undefined> {
	const marked = lastMarked.then(nextTurn).then(() => wordDifferences(a, b));
	lastMarked = marked.catch(() => undefined);
	return marked;
}

async function compare(sessionId: string, a: string, b: string, pages: number): Promise<Comparison | undefined> {
	const tree = await conversations.trees.get(sessionId);
	if (!tree) return undefined;
	const endA = await endOf(tree, a);
	const endB = await endOf(tree, b);
	const fork = forkOf(tree, endA, endB);
	if (!fork) return undefined;
	const messages = await conversations.messages.range(sessionId, fork.depth, fork.depth + pages * pageSize);
	const below = messages.find(({ id }) => id === (fork.a ?? fork.b));
	const forkId = below?.parentId ?? (endA.depth === fork.depth ? endA.id : endB.id);
	const after = (end: PathEnd) => pathDown(forkId, chainTo(tree, end.forkId, end.depth), tree, messages).slice(1);
	const [pathA, pathB] = [after(endA), after(endB)];
	return {
		shared: fork.depth + 1,
		text: await textUpTo(sessionId, forkId),
		rows: startOfRows(
			Array.from({ length: Math.max(pathA.length, pathB.length) }, (_, row) => rowOf(fork.depth + 1 + row, pathA[row], pathB[row])),
			pages * pageLength
		),
		length: { a: endA.depth - fork.depth, b: endB.depth - fork.depth }
	};
}

function rowOf(depth: number, a: Message | undefined, b: Message | undefined): ComparedRow {
	return { depth, a, b, same: a !== undefined && b !== undefined && a.role === b.role && shownIn(a) !== '' && shownIn(a) === shownIn(b) };
}

/** The text of a message and the names of its files. */
function shownIn(message: Message): string {
	return [textOf(message), ...filesOf(message).map(({ name }) => name)].join('\n').trim();
}

/** The first rows, up to the one with which so much text is drawn. */
function startOfRows(rows: ComparedRow[], maxLength: number): ComparedRow[] {
	let length = 0;
	const end = rows.findIndex(({ a, b }) => {
		for (const message of [a, b]) length += message ? Math.min(textOf(message).length, textLimit) : 0;
		return length >= maxLength;
	});
	return end < 0 ? rows : rows.slice(0, end + 1);
}

/** A message and its branch. Throws an AppError where it was deleted. */
async function endOf(tree: Tree, id: string): Promise<PathEnd> {
	const own = tree.tips.find((tip) => tip.id === id);
	if (own) return own;
	const tipId = await conversations.trees.tipThrough(tree.sessionId, id);
	const message = await conversations.messages.get(id);
	return endAbove(tree, tree.tips.find((tip) => tip.id === tipId)!, message!);
}

/** The beginning of the last thing that the user sent on the way to a message. */
async function textUpTo(sessionId: string, at: string): Promise<string | undefined> {
	const { path } = await conversations.messages.newestStretch(sessionId, { at, limit: pageSize });
	const sent = path.findLast(({ role }) => role === 'user');
	return sent && excerptOf(textOf(sent), 80);
}
