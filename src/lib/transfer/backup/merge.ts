import type { Boundary } from '../../conversation/boundary';
import { addUsage, filesOf, sizeOf, type Message } from '../../conversation/message';
import { threadKey, type Session } from '../../conversation/session';
import { faultsOf, newestTipThrough, rebuildTree, withoutRemoved, type Tree } from '../../conversation/tree';
import type { AnswerRow } from '../../storage/answers';
import type { SessionContext } from '../../storage/contexts';
import type { Draft } from '../../storage/drafts';
import type { ScratchpadEntry } from '../../storage/scratchpad';
import type { TrashItem } from '../../storage/trash';
import type { SessionRows } from '../gate';

/** A session of which there is nothing. */
export function emptySession(id: string): SessionRows {
	return { id, session: undefined, tree: undefined, messages: [], draft: undefined, answer: undefined, notes: [], boundaries: [], context: undefined, trash: [] };
}

/** What restoring a session writes; nothing where it is here as it is in the backup. */
export interface Changes {
	/** The session was not here at all; it was in the trash; it was here. */
	was: 'absent' | 'deleted' | 'here';
	session?: Session;
	tree?: Tree;
	messages: Message[];
	/** How many of `messages` were not here. */
	added: number;
	/** How many messages of the file do not come, since what they follow is nowhere. */
	unplaced: number;
	draft?: Draft;
	answer?: AnswerRow;
	notes: ScratchpadEntry[];
	boundaries: Boundary[];
	context?: SessionContext;
	trash: TrashItem[];
	/** The trash items that go, since what they would bring back is back. */
	takenFromTrash: string[];
}

/**
 * How a session of a backup comes into a profile that has `here` of it: nothing that is here is lost, nothing comes twice.
 * Messages are immutable, so those that are here stay as they are, redacted ones too; only one whose row was broken is
 * healed. A session or branch that was deleted here comes back, one that was deleted in the backup does not. A compaction
 * that was undone here comes back, unless something that it covers was redacted here. `fileBytes` is the size of an
 * attachment.
 */
export function mergeSession(here: SessionRows, file: SessionRows, fileBytes: (attachmentId: string) => number): Changes {
	const deleted = here.trash.find((item) => item.kind === 'session');
	const local = here.session ?? deleted?.session;
	const was = here.session ? 'here' : deleted ? 'deleted' : 'absent';
	const nothing: Changes = { was, messages: [], added: 0, unplaced: 0, notes: [], boundaries: [], trash: [], takenFromTrash: [] };
	const deletedInFile = !file.session && file.trash.some(({ kind }) => kind === 'session');
	if (local && (deletedInFile || (deleted && !file.session))) return nothing;
	const isNew = was === 'absent' && here.messages.length === 0;

	const known = new Map(here.messages.map((message) => [message.id, message]));
	const live = isNew ? file.messages : withoutRemoved(file.tree, file.messages);
	const placed = connected(live, known);
	const messages = placed.filter((message) => {
		const local = known.get(message.id);
		return !local || (isUnreadable(local) && !isUnreadable(message));
	});
	const added = messages.filter(({ id }) => !known.has(id));
	const replaced = new Set(messages.map(({ id }) => id));
	const all = [...here.messages.filter(({ id }) => !replaced.has(id)), ...messages];

	const inFile = new Set(live.map(({ id }) => id));
	const backAgain = isNew ? [] : (here.tree?.removed ?? []).filter((id) => inFile.has(id));
	const tree = mergeTrees(isNew ? undefined : here.tree, file.tree, backAgain, all, added.length > 0 || deleted?.begun === true);
	if (file.session && !tree) return { ...nothing, unplaced: live.length - placed.length };
	const recounted = messages.length > 0 || backAgain.length > 0 || deleted?.begun === true;
	const counts = recounted ? countsOf(all, tree, fileBytes) : {};
	const session = mergeRows(local, file.session);
	const boundaries = boundariesFor(here, file, all);
	const merged = session && {
		...session,
		...counts,
		...(local && (added.length > 0 || boundaries.length > 0)
			? {
					usage: [...added, ...boundaries].reduce((sum, { usage }) => addUsage(sum, usage ?? {}), local.usage),
					steps: local.steps + added.filter(({ role }) => role === 'assistant').length
				}
			: {})
	};
	const ids = new Set(all.map(({ id }) => id));
	return {
		was,
		...(merged && !(here.session && same(merged, here.session)) ? { session: merged } : {}),
		...(tree && !same(tree, here.tree) ? { tree } : {}),
		messages,
		added: added.length,
		unplaced: live.length - placed.length,
		...(file.draft && !here.draft ? { draft: file.draft } : {}),
		...(file.answer && !here.answer && !ids.has(file.answer.messageId) ? { answer: file.answer } : {}),
		notes: file.notes.filter((note) => {
			const local = here.notes.find(({ name }) => name === note.name);
			return !local || local.updatedAt < note.updatedAt;
		}),
		boundaries,
		...(file.context && !here.context ? { context: file.context } : {}),
		trash: isNew ? file.trash : [],
		takenFromTrash: [...(deleted && file.session ? [deleted.id] : []), ...backAgain]
	};
}

/** The key of a session that is new here: one that is a workspace's thread stays so only where that has none. */
export function keyFor(session: Session, threadIsTaken: boolean): string {
	const { key, workspace, createdAt } = session;
	return threadIsTaken && key === threadKey(workspace) ? `${key}:${createdAt}` : key;
}

/** The messages that the root of all leads to, by depth; the `known` ones are here, and all of those are led to. */
function connected(messages: Message[], known: ReadonlyMap<string, Message>): Message[] {
	const depths = new Map([...known.values()].map(({ id, depth }) => [id, depth]));
	return [...messages]
		.sort((a, b) => a.depth - b.depth || (a.id < b.id ? -1 : 1))
		.filter(({ id, parentId, depth }) => {
			const fits = known.has(id) || (parentId === null ? depth === 0 && depths.size === 0 : depths.get(parentId) === depth - 1);
			if (fits) depths.set(id, depth);
			return fits;
		});
}

/**
 * The boundaries of the file that have their place here: they are new, what they end in is there, and they can't tell what was
 * redacted here. One that was made over a redaction, in the file as well, knew no more than its marker.
 */
function boundariesFor(here: SessionRows, file: SessionRows, all: Message[]): Boundary[] {
	const redactedThere = new Set(file.messages.filter(isRedacted).map(({ id }) => id));
	const depths = new Map<string, number>();
	const below = new Set<string>();
	for (const message of [...all].sort((a, b) => a.depth - b.depth)) {
		const { id, parentId, depth } = message;
		depths.set(id, depth);
		if ((isRedacted(message) && !redactedThere.has(id)) || (parentId !== null && below.has(parentId))) below.add(id);
	}
	const known = new Set(here.boundaries.map(({ id }) => id));
	return file.boundaries.filter(({ id, upToId, depth }) => !known.has(id) && depths.get(upToId) === depth && !below.has(upToId));
}

function isRedacted({ parts }: Message): boolean {
	return parts.some(({ type }) => type === 'redacted');
}

function isUnreadable({ parts }: Message): boolean {
	return parts.some(({ type }) => type === 'unreadable');
}

/**
 * Where the person is stays, save that where the path they are on has gone on, they are at its end. Labels are those of
 * both, and the local one where both have one.
 */
function mergeTrees(here: Tree | undefined, file: Tree | undefined, backAgain: string[], all: Message[], grown: boolean): Tree | undefined {
	if (!here) return file && faultsOf(file, all).length === 0 ? file : rebuildTree(all, file);
	const before: Tree = {
		...here,
		labels: { ...file?.labels, ...here.labels },
		mainTip: here.mainTip ?? file?.mainTip ?? null,
		removed: here.removed.filter((id) => !backAgain.includes(id))
	};
	if (!grown && backAgain.length === 0) {
		const ids = new Set(all.map(({ id }) => id));
		const labels = Object.fromEntries(Object.entries(before.labels).filter(([id]) => ids.has(id)));
		return { ...before, labels, mainTip: before.tips.some(({ id }) => id === before.mainTip) ? before.mainTip : here.mainTip };
	}
	const tree = rebuildTree(all, before);
	if (!tree) return undefined;
	const byId = new Map(all.map((message) => [message.id, message]));
	const end = (id: string) => endBelow(tree, id, byId);
	const wasTip = (id: string) => here.tips.some((tip) => tip.id === id);
	return {
		...tree,
		headId: wasTip(tree.headId) ? end(tree.headId) : tree.headId,
		mainTip: tree.mainTip === null ? null : end(tree.mainTip)
	};
}

/** The end of the newest branch that runs through a message. */
function endBelow(tree: Tree, id: string, byId: ReadonlyMap<string, Message>): string {
	const forks = new Set(tree.tips.map(({ forkId }) => forkId));
	let next = byId.get(id);
	while (next && !forks.has(next.id)) next = next.parentId === null ? undefined : byId.get(next.parentId);
	return newestTipThrough(tree, next?.id ?? null, byId.get(id)!.depth)?.id ?? id;
}

/** The newer of two rows of one session; but a title that a person gave is not lost to an automatic one. */
function mergeRows(here: Session | undefined, file: Session | undefined): Session | undefined {
	if (!here || !file) return here ?? file;
	const [older, newer] = file.updatedAt > here.updatedAt ? [here, file] : [file, here];
	const { key, messageCount, bytes, usage, steps } = here;
	const title = older.titledBy === 'person' && newer.titledBy === 'snug' ? { title: older.title, titledBy: older.titledBy } : {};
	return { ...newer, key, messageCount, bytes, usage, steps, ...title };
}

function countsOf(
	all: Message[],
	tree: Tree | undefined,
	fileBytes: (attachmentId: string) => number
): Pick<Session, 'messageCount' | 'bytes'> {
	const files = all.flatMap(filesOf).reduce((sum, { attachmentId }) => sum + fileBytes(attachmentId), 0);
	return { messageCount: withoutRemoved(tree, all).length, bytes: all.reduce((sum, message) => sum + sizeOf(message), files) };
}

/** Whether two rows say the same, whatever the order of their fields. */
function same(a: unknown, b: unknown): boolean {
	if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
	if (Array.isArray(a) !== Array.isArray(b)) return false;
	const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
	return [...fields].every((field) => same((a as Record<string, unknown>)[field], (b as Record<string, unknown>)[field]));
}
