import type { Boundary } from '../conversation/boundary';
import { resolveContextSettings, type ContextOverrides, type ContextSettings } from '../conversation/context-settings';
import type { Message } from '../conversation/message';
import { parametersInForce } from '../conversation/model-parameters';
import type { Session } from '../conversation/session';
import { pathDown } from '../conversation/paths';
import { boundaryInForce } from './boundary-in-force';
import { endOf } from './branch-of';
import type { Database } from './database';
import { Messages } from './messages';
import { Path } from './path';
import { promptAmong } from './prompts';
import { Scratchpad, todoName } from './scratchpad';
import { Settings } from './settings';
import type { Calibration } from './tables/calibrations';

/** All rows that decide what the model sees of a session's path, of one moment. */
export interface ContextRows {
	session: Session;
	/** The last message of the path. */
	endId: string;
	endDepth: number;
	/** The system prompt in force; '' for none. */
	system: string;
	/** The one that the next message brings with it; undefined where that changes nothing. */
	nextSystem: string | undefined;
	/**
	 * The newest messages of the path after the boundary, without system messages, oldest first; as many as settings allow, or
	 * some more where the first of those is a result of a call further up.
	 */
	path: Message[];
	/** The question whose answer the path ends in, where that is not whole: its last message is a result. */
	questionId: string | undefined;
	/** Messages of the path that are older than those and sent all the same: pinned ones, with the others of their tool calls, and the question. Oldest first. */
	olderKept: Message[];
	/** Number of further messages of the path, without those in `olderKept`, and of those among them that the boundary covers. */
	unread: { count: number; covered: number };
	/** The newest boundary whose last covered message is on the path, and that tells of nothing that is excluded. */
	boundary: Boundary | undefined;
	pins: string[];
	excludes: string[];
	/** In force, and what each scope says of it. */
	settings: ContextSettings;
	/** The most tokens that the next answer may have, where the parameters say so. */
	maxAnswer: number | undefined;
	scopes: { everywhere: ContextOverrides; persona: ContextOverrides; session: ContextOverrides };
	/** Names of the notes, without the to-do list, and the to-do list's text; '' if there is none. */
	notes: string[];
	todo: string;
	/** Calibrations of each model's tokens. */
	calibrations: Calibration[];
}

/** Undefined where there is no such session. Reads rows only, so that a live query can follow it. */
export function readContext(db: Database, sessionId: string, at?: string): Promise<ContextRows | undefined> {
	const { sessions, sessionSettings, trees, positions, messages, settings, contexts, scratchpad, boundaries, calibrations } = db;
	return db.transaction('r', [sessions, sessionSettings, trees, positions, messages, settings, contexts, scratchpad, boundaries, calibrations], async () => {
		const [session, tree, position] = await Promise.all([sessions.get(sessionId), trees.get(sessionId), positions.get(sessionId)]);
		if (!session || !tree) return undefined;
		const end = await endOf(db, tree, position, at);
		const [everywhere = {}, byPersona = {}, said, entries, learnt, defaults, chosen] = await Promise.all([
			new Settings(db).get('context'),
			new Settings(db).get('contextByPersona'),
			contexts.get(sessionId),
			new Scratchpad(db).list(sessionId),
			calibrations.toArray(),
			new Settings(db).get('parameters'),
			sessionSettings.get(sessionId)
		]);
		const persona = (session.persona === undefined ? undefined : byPersona[session.persona]) ?? {};
		const { pins = [], excludes = [], settings: own = {} } = said ?? {};
		const inForce = resolveContextSettings(everywhere, persona, own);

		const path = new Path(db, tree, end, inForce.contextMessages);
		const boundary = await boundaryInForce(path, { pins, excludes });
		const first = boundary ? boundary.depth + 1 : 0;
		await path.readTo(first);
		const from = Math.max(first, path.from);
		const newest = path.read.filter(({ depth, role }) => depth >= first && role !== 'system');
		const systems = await path.ofRole('system');
		const systemsIn = (start: number, end: number) => systems.filter(({ depth }) => depth >= start && depth < end).length;

		const questionId = newest.at(-1)?.role === 'tool' ? (newest.findLast(isUsers) ?? (await path.ofRole('user'))[0])?.id : undefined;
		const olderKept = await messagesAbove(path, from, [...pins, ...(questionId === undefined ? [] : [questionId])]);
		const keptAndCovered = olderKept.filter(({ depth }) => depth < first).length;
		const covered = first - systemsIn(0, first) - keptAndCovered;
		const uncovered = from - first - systemsIn(first, from) - (olderKept.length - keptAndCovered);
		return {
			session,
			endId: end.id,
			endDepth: end.depth,
			system: await promptAmong(db, systems),
			nextSystem: chosen?.systemPrompt?.trim(),
			path: newest,
			questionId,
			olderKept,
			unread: { count: covered + uncovered, covered },
			boundary,
			pins,
			excludes,
			settings: inForce,
			maxAnswer: parametersInForce(defaults, chosen?.parameters).maxTokens,
			scopes: { everywhere, persona, session: own },
			notes: entries.flatMap(({ name }) => (name === todoName ? [] : [name])),
			todo: entries.find(({ name }) => name === todoName)?.content ?? '',
			calibrations: learnt
		};
	});
}

const isUsers = ({ role }: Message) => role === 'user';

/** Those of the path among `ids` that are above the depth `from`, with the others of their tool calls, oldest first. */
async function messagesAbove(path: Path, from: number, ids: string[]): Promise<Message[]> {
	const { db, tree, read } = path;
	const newer = new Set(read.flatMap(({ id, depth }) => (depth >= from ? [id] : [])));
	const older = ids.filter((id) => !newer.has(id));
	if (older.length === 0) return [];
	const rows = await new Messages(db).getMany(older);
	const above = rows.filter(({ sessionId, depth, role }) => sessionId === tree.sessionId && depth < from && role !== 'system');
	const found = new Map<string, Message>();
	for (const message of await path.through(above)) {
		if (found.has(message.id)) continue;
		const isOfCall = message.role === 'tool' || message.parts.some(({ type }) => type === 'tool-call');
		for (const one of isOfCall ? await withItsCall(path, from, message) : [message]) found.set(one.id, one);
	}
	return [...found.values()].sort((a, b) => a.depth - b.depth);
}

/** A message of the path; where it makes tool calls or is a result of one, all of that, as far as it is above the depth `from`. */
async function withItsCall(path: Path, from: number, message: Message): Promise<Message[]> {
	const { db, tree } = path;
	const rows = new Messages(db);
	const unit = await rows.fromCaller(message);
	if (!unit[0]!.parts.some(({ type }) => type === 'tool-call')) return [message];
	for (let last = message; last.depth + 1 < from; last = unit.at(-1)!) {
		const below = await rows.range(tree.sessionId, last.depth + 1, last.depth + 1);
		const next = pathDown(last.id, await path.chain(), tree, [last, ...below])[1];
		if (next?.role !== 'tool') break;
		unit.push(next);
	}
	return unit;
}
