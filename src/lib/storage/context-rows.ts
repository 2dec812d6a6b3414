import { Dexie } from 'dexie';
import type { Boundary } from '../conversation/boundary';
import { resolveContextSettings, type ContextOverrides, type ContextSettings } from '../conversation/context-settings';
import { textOf, type Message } from '../conversation/message';
import type { Session } from '../conversation/session';
import { pathDown, pathTo, type Place, type Tree } from '../conversation/tree';
import type { Calibration } from './calibrations';
import { chainOf, endOf, isInChain, type Chain } from './branch-of';
import type { Database } from './database';
import { Messages } from './messages';
import { Scratchpad, todoName } from './scratchpad';
import { Settings } from './settings';

/** All rows that decide what the model sees of a session's path, of one moment. */
export interface ContextRows {
	session: Session;
	/** The last message of the path. */
	endId: string;
	endDepth: number;
	/** The text of the newest system message of the path that was found; '' for none. */
	system: string;
	/**
	 * The newest messages of the path after the boundary, without system messages, oldest first; as many as settings allow, or
	 * some more where the first of those is a result of a call further up.
	 */
	path: Message[];
	/** Pinned messages of the path that are older than those, with the others of their tool calls, oldest first. */
	olderPinned: Message[];
	/** How many more messages the path has, those in `olderPinned` not counted, and how many of these the boundary covers. */
	unread: { count: number; covered: number };
	/** The newest boundary whose last covered message is on the path. */
	boundary: Boundary | undefined;
	pins: string[];
	excludes: string[];
	/** In force, and what each scope says of it. */
	settings: ContextSettings;
	scopes: { everywhere: ContextOverrides; persona: ContextOverrides; session: ContextOverrides };
	/** Names of the notes, without the to-do list, and the to-do list's text; '' if there is none. */
	notes: string[];
	todo: string;
	/** What was learnt of each model's tokens. */
	calibrations: Calibration[];
}

/** How many rows are read at a time beyond what settings allow, to find the call that the oldest results belong to. */
const spare = 8;

/** Undefined where there is no such session. Reads rows only, so that a live query can follow it. */
export function readContext(db: Database, sessionId: string, at?: string): Promise<ContextRows | undefined> {
	const { sessions, trees, messages, settings, contexts, scratchpad, boundaries, calibrations } = db;
	return db.transaction('r', [sessions, trees, messages, settings, contexts, scratchpad, boundaries, calibrations], async () => {
		const [session, tree] = await Promise.all([sessions.get(sessionId), trees.get(sessionId)]);
		const end = tree && (await endOf(db, tree, at));
		if (!session || !tree || !end) return undefined;
		const [everywhere = {}, byPersona = {}, said, entries, learnt] = await Promise.all([
			new Settings(db).get('context'),
			new Settings(db).get('contextByPersona'),
			contexts.get(sessionId),
			new Scratchpad(db).list(sessionId),
			calibrations.toArray()
		]);
		const persona = (session.persona === undefined ? undefined : byPersona[session.persona]) ?? {};
		const { pins = [], excludes = [], settings: own = {} } = said ?? {};
		const inForce = resolveContextSettings(everywhere, persona, own);

		const path = new Path(db, tree, end, inForce.contextMessages);
		const boundary = await boundaryOn(path);
		const first = boundary ? boundary.depth + 1 : 0;
		await path.readTo(first);
		const from = Math.max(first, path.from);
		const newest = path.read.filter(({ depth, role }) => depth >= first && role !== 'system');
		const root = await rootOf(path);
		const system = path.read.findLast(({ role }) => role === 'system') ?? (root?.role === 'system' ? root : undefined);

		const olderPinned = await pinnedAbove(path, from, pins);
		const pinnedAndCovered = olderPinned.filter(({ depth }) => depth < first).length;
		const covered = boundary ? boundary.coveredIds.length - pinnedAndCovered : 0;
		const begins = boundary || root?.role !== 'system' ? first : 1;
		const uncovered = Math.max(0, from - begins) - (olderPinned.length - pinnedAndCovered);
		return {
			session,
			endId: end.id,
			endDepth: end.depth,
			system: system ? textOf(system) : '',
			path: newest,
			olderPinned,
			unread: { count: covered + uncovered, covered },
			boundary,
			pins,
			excludes,
			settings: inForce,
			scopes: { everywhere, persona, session: own },
			notes: entries.flatMap(({ name }) => (name === todoName ? [] : [name])),
			todo: entries.find(({ name }) => name === todoName)?.content ?? '',
			calibrations: learnt
		};
	});
}

/** The path to a message, read from there upwards as far as it is asked for. Part of the running transaction. */
class Path {
	/** Oldest first, system messages among them. */
	read: Message[] = [];
	/** The depth of the first of these. */
	from: number;
	private next: string | null;
	private known: Promise<Chain> | undefined;

	/** `limit` is how many messages are enough, system messages aside. */
	constructor(
		readonly db: Database,
		readonly tree: Tree,
		readonly end: Place,
		private readonly limit: number
	) {
		this.from = end.depth + 1;
		this.next = end.id;
	}

	/** Reads on, to that depth at most: until there is enough, and what it begins with is no result of a call further up. */
	async readTo(depth: number): Promise<void> {
		while (this.next !== null && this.from > depth) {
			const missing = this.limit - this.read.filter(({ role }) => role !== 'system').length;
			if (missing <= 0 && this.read[0]?.role !== 'tool') return;
			const lowest = Math.max(depth, this.from - (missing > 0 ? missing : spare));
			const rows = await new Messages(this.db).range(this.tree.sessionId, lowest, this.from - 1);
			const found = pathTo(this.next, rows);
			const more = missing > 0 ? found : found.slice(Math.max(0, found.findLastIndex(({ role }) => role !== 'tool')));
			this.next = more[0]?.parentId ?? null;
			this.from = more[0]?.depth ?? this.from;
			this.read = [...more, ...this.read];
		}
	}

	/** Whether it runs through a message of the session. */
	async runsThrough(place: Place): Promise<boolean> {
		return isInChain(this.db, this.tree, await this.chain(), place);
	}

	chain(): Promise<Chain> {
		return (this.known ??= chainOf(this.db, this.tree, this.end));
	}
}

/** The newest boundary that ends on the path, and above its end. */
async function boundaryOn(path: Path): Promise<Boundary | undefined> {
	const { db, tree, end } = path;
	const range = db.boundaries.where('[sessionId+depth]').between([tree.sessionId, Dexie.minKey], [tree.sessionId, end.depth]);
	// Ids are in the order of time; a row names all that it covers, so that as few as possible are read.
	for (const id of (await range.primaryKeys()).sort().reverse()) {
		const boundary = await db.boundaries.get(id);
		if (boundary && (await endsOn(path, boundary))) return boundary;
	}
	return undefined;
}

async function endsOn(path: Path, { upToId, depth }: Boundary): Promise<boolean> {
	await path.readTo(depth + 1);
	const below = path.read.find((message) => message.depth === depth + 1);
	if (below) return below.parentId === upToId;
	const last = await path.db.messages.where('id').equals(upToId).first();
	return last?.sessionId === path.tree.sessionId && last.depth === depth && path.runsThrough(last);
}

async function rootOf({ db, tree, read }: Path): Promise<Message | undefined> {
	return read[0]?.depth === 0 ? read[0] : db.messages.where(':id').between([tree.sessionId, 0], [tree.sessionId, 1]).first();
}

/** The pinned messages of the path above the depth `from`, with the others of their tool calls, oldest first. */
async function pinnedAbove(path: Path, from: number, pins: string[]): Promise<Message[]> {
	const { db, tree, read } = path;
	const newer = new Set(read.flatMap(({ id, depth }) => (depth >= from ? [id] : [])));
	const older = pins.filter((id) => !newer.has(id));
	if (older.length === 0) return [];
	const found = new Map<string, Message>();
	for (const message of await Promise.all(older.map((id) => new Messages(db).get(id)))) {
		if (message?.sessionId !== tree.sessionId || message.depth >= from || message.role === 'system') continue;
		if (!(await path.runsThrough(message))) continue;
		for (const one of await withItsCall(path, from, message)) found.set(one.id, one);
	}
	return [...found.values()].sort((a, b) => a.depth - b.depth);
}

/** A message of the path; where it makes tool calls or is a result of one, all of that, as far as it is above the depth `from`. */
async function withItsCall(path: Path, from: number, message: Message): Promise<Message[]> {
	const { db, tree } = path;
	const rows = new Messages(db);
	const unit = [message];
	for (let first = message; first.role === 'tool' && first.parentId !== null; first = unit[0]!) {
		const parent = await rows.get(first.parentId);
		if (!parent) break;
		unit.unshift(parent);
	}
	if (!unit[0]!.parts.some(({ type }) => type === 'tool-call')) return [message];
	for (let last = message; last.depth + 1 < from; last = unit.at(-1)!) {
		const below = await rows.range(tree.sessionId, last.depth + 1, last.depth + 1);
		const next = pathDown(last.id, await path.chain(), tree, [last, ...below])[1];
		if (next?.role !== 'tool') break;
		unit.push(next);
	}
	return unit;
}
