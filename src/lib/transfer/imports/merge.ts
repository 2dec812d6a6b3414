import type { Boundary } from '../../conversation/boundary';
import { lengthOf } from '../../conversation/answer-end';
import type { UnfinishedAnswer } from '../../conversation/growing-answer';
import { filesOf, sizeOf, textOf, type Message, type Part } from '../../conversation/message';
import { partText } from '../../conversation/part-text';
import type { Session } from '../../conversation/session';
import { graftBranches } from '../../conversation/grow-tree';
import { headIn, withoutRemoved } from '../../conversation/paths';
import { rebuildTree, type Tree } from '../../conversation/tree';
import { faultsOf } from '../../conversation/tree-faults';
import { newId } from '../../shared/id';
import { messageOf } from '../../storage/append';
import { rebuiltTree } from '../../storage/placeholders';
import type { AnswerRow } from '../../storage/tables/answers';
import type { Draft } from '../../storage/tables/drafts';
import type { ScratchpadEntry } from '../../storage/tables/scratchpad';
import type { TrashItem } from '../../storage/tables/trash';
import { unfinishedIn } from '../../storage/trashed-answers';
import type { OtherRows, SessionRows } from '../gate/admit-session';
import type { LeftOut } from '../gate/left-outs';
import { plainAnswer, plainPart, plainPromptParts } from '../gate/plain-rows';
import { maxBranches, tooManyBranches } from '../gate/limits';

/** A session of which there is nothing. */
export function emptySession(id: string): SessionRows {
	return { id, session: undefined, tree: undefined, headId: undefined, messages: [], draft: undefined, answer: undefined, notes: [], boundaries: [], trash: [], others: {} };
}

/** Rows that restoring a session writes; none where it is here as it is in the backup. */
export interface Changes {
	/** The session was not here at all; it was in the trash; it was here. */
	was: 'absent' | 'deleted' | 'here';
	session?: Session;
	tree?: Tree;
	/** The head, where none is here. */
	headId?: string;
	messages: Message[];
	/** Number of `messages` that were not here. */
	added: number;
	/** The end of the branch that was added to a session that is here, or of the newest of several. */
	branchEnd?: string;
	draft?: Draft;
	answer?: AnswerRow;
	notes: ScratchpadEntry[];
	boundaries: Boundary[];
	trash: TrashItem[];
	/** Those of tables that keep their own, by table. */
	others: OtherRows;
	/** The trash items that go, since what they would bring back is back. */
	takenFromTrash: string[];
	/** Rows of the file that do not come. */
	leftOut: LeftOut[];
}

/**
 * Merges a session of a backup into a profile that has `here` of it. One that is not here comes as it is in the file. To one that
 * is here the file can add branches and notes, and changes nothing else: ids are no secret, so anyone can make such a file.
 * Nothing comes twice. A session or branch that was deleted here comes back, one that was deleted in the backup does not.
 * `fileBytes` is the size of an attachment.
 */
export function mergeSession(here: SessionRows, file: SessionRows, fileBytes: (attachmentId: string) => number): Changes {
	const deleted = here.trash.find((item) => item.kind === 'session');
	const local = here.session ?? deleted?.session;
	const was = here.session ? 'here' : deleted ? 'deleted' : 'absent';
	const nothing: Changes = { was, messages: [], added: 0, notes: [], boundaries: [], trash: [], others: {}, takenFromTrash: [], leftOut: [] };
	const deletedInFile = !file.session && file.trash.some(({ kind }) => kind === 'session');
	if (local && deletedInFile) return nothing;
	if (deleted && !file.session) return { ...nothing, leftOut: ofNoSession(file) };
	// What a purge has not removed yet can't be brought back by anything but the file.
	const isHere = deleted?.begun !== true && (local !== undefined || here.messages.length > 0);
	return isHere ? addBranches(here, file, local, nothing, fileBytes) : bringWhole(here, file, nothing, fileBytes);
}

/**
 * Brings a session that is not here as it is in the file, but for what a purge has left of it, which stays: notes and unsent text that
 * differ from that are notes beside. Without a row or without messages nothing comes: it would wait for the session of that id.
 */
function bringWhole(here: SessionRows, file: SessionRows, nothing: Changes, fileBytes: (attachmentId: string) => number): Changes {
	const known = byId(here.messages);
	const placed = connected(file.messages, known);
	const messages = placed.filter(({ id }) => !known.has(id));
	const unconnected = unplaced(file.messages.length - placed.length);
	const all = [...here.messages, ...messages];
	const tree = file.tree && faultsOf(file.tree, all).length === 0 ? file.tree : rebuildTree(all, file.tree);
	const hasRow = file.session !== undefined || file.trash.some(({ kind }) => kind === 'session');
	if (!tree || !hasRow) return { ...nothing, leftOut: [...unconnected, ...reasonFor('messages', noSession, messages.length), ...ofNoSession(file)] };

	const { answer, draft } = file;
	const isMessage = all.some(({ id }) => id === answer?.messageId);
	const names = new Set(here.notes.map(({ name }) => name));
	const notes = file.notes.filter(({ name }) => !names.has(name));
	const others = { ...file, notes: file.notes.filter(({ name }) => names.has(name)), draft: here.draft && draft };
	const boundaries = boundariesFor(here, file, all);
	const covered = byId(here.boundaries);
	const inTrash = byId(file.trash);
	const coming = new Set(boundaries);
	const untaken = file.boundaries.filter((boundary) => !coming.has(boundary) && !same(covered.get(boundary.id), boundary));
	return {
		...nothing,
		...(file.session ? { session: { ...file.session, ...countsOf(all, tree, fileBytes) } } : {}),
		tree,
		headId: headIn(tree, all, file.headId),
		messages,
		added: messages.length,
		...(draft && !here.draft ? { draft } : {}),
		...(answer && !here.answer && !isMessage ? { answer } : {}),
		notes: [...notes, ...notesBeside({ ...here, messages: all, notes: [...here.notes, ...notes] }, others)],
		boundaries,
		trash: file.trash,
		others: othersWhere(file, (table) => !hasOthers(here, table)),
		takenFromTrash: here.trash.flatMap(({ id }) => (inTrash.has(id) ? [] : [id])),
		leftOut: [
			...unconnected,
			...reasonFor('answers', keepsWhatIsLeft, answer && here.answer && !isMessage && !same(answer, plainAnswer(here.answer)) ? 1 : 0),
			...reasonFor('drafts', keepsWhatIsLeft, here.draft ? draftFilesOf(here, file) : 0),
			...reasonFor('boundaries', 'What it covers is not here as it was.', untaken.length),
			...untakenOthers(here, othersWhere(file, (table) => hasOthers(here, table)), keepsWhatIsLeft)
		]
	};
}

/**
 * Adds to a session that is here the messages that it has not, as branches of their own, also where they go on from the end of one:
 * its head, its row, its labels, its context and what is unsent in it stay. Messages are immutable, so those that are here stay
 * as they are, redacted ones too; only one whose row was broken is healed. An unfinished answer of the file, or of a branch that comes
 * back, is a message; unsent text and notes that differ are notes beside.
 */
function addBranches(
	here: SessionRows,
	file: SessionRows,
	local: Session | undefined,
	nothing: Changes,
	fileBytes: (attachmentId: string) => number
): Changes {
	const known = byId(here.messages);
	const live = withoutRemoved(file.tree, file.messages);
	const inFile = new Set(live.map(({ id }) => id));
	const backAgain = here.tree?.removed.filter((id) => inFile.has(id)) ?? [];
	const before = here.tree && { ...here.tree, removed: here.tree.removed.filter((id) => !backAgain.includes(id)) };

	const deletedHere = here.trash.flatMap((item) => (backAgain.includes(item.id) ? unfinishedIn(item) : []));
	const deletedById = new Map(deletedHere.toReversed().map((answer) => [answer.messageId, answer]));
	// A system prompt that nobody here has chosen must not count: its place is kept, for what follows it.
	const isStrange = ({ id, role }: Message) => role === 'system' && !known.has(id) && known.size > 0;
	const mayCome = live.map((message) => (isStrange(message) ? withoutText(message) : furthestOf(message, deletedById)));
	const living = byId(withoutRemoved(before, here.messages));
	const unfinished = [...deletedHere, ...(file.answer ? [file.answer] : []), ...secondsOf(file)].toSorted((a, b) => lengthOf(b.parts) - lengthOf(a.parts));
	const placed = connected([...mayCome, ...asMessages(unfinished, here, mayCome)], living);
	const added = placed.filter(({ id }) => !known.has(id));
	const healed = placed.filter((message) => heals(known.get(message.id), message));
	const covered = byId(here.boundaries);
	const isSameAnswer = here.answer !== undefined && here.answer.messageId === file.answer?.messageId;
	const leftOut = [
		...reasonFor('answers', 'The answer is unfinished here too, and stays as it is.', isSameAnswer && lengthOf(file.answer!.parts) > lengthOf(here.answer!.parts) ? 1 : 0),
		...reasonFor('messages', 'It is here already with a different text, which stays.', mayCome.filter((message) => differs(known.get(message.id), message)).length),
		...unplaced(mayCome.length - placed.filter(({ id }) => inFile.has(id)).length),
		...reasonFor('messages', 'It is a system prompt for a chat that is here already, so its text was left out.', placed.filter(isStrange).length),
		...reasonFor('drafts', 'The files of an unsent message come only with a chat that is not here.', draftFilesOf(here, file)),
		...reasonFor('boundaries', keepsItsOwn, file.boundaries.filter(({ id }) => !covered.has(id)).length),
		...untakenOthers(here, othersWhere(file, (table) => table !== 'secondAnswers'), keepsItsOwn)
	];
	const messages = [...added, ...healed];
	const changed = byId(messages);
	const all = [...here.messages.filter(({ id }) => !changed.has(id)), ...added, ...healed];

	const isGrown = added.length > 0 || backAgain.length > 0;
	const { base, tree } = isGrown || !before ? growBranches(before, here, file, added) : { base: before, tree: before };
	if (!tree) return { ...nothing, leftOut };
	// Where it is lost or gone, too, nothing of the file becomes the head.
	const movesHead = tree !== before || here.headId === undefined;
	const headId = !movesHead ? here.headId : base ? headIn(base, here.messages, here.headId) : headIn(tree, all, file.headId);
	if (isGrown && tree.tips.length > maxBranches) return { ...nothing, leftOut: reasonFor('sessions', tooManyBranches, 1) };
	const isRecounted = messages.length > 0 || backAgain.length > 0;
	const own = local ?? file.session;
	const session = own && (isRecounted || !local) ? { ...own, ...countsOf(all, tree, fileBytes) } : own;
	const branchEnd = known.size > 0 ? endOf(tree, byId(added), file.headId) : undefined;
	const isDeleted = nothing.was === 'deleted' && file.session !== undefined;
	return {
		...nothing,
		...(session && !(here.session && same(session, here.session)) ? { session } : {}),
		...(same(tree, here.tree) ? {} : { tree }),
		...(headId === undefined || headId === here.headId ? {} : { headId }),
		messages,
		added: added.length,
		...(branchEnd === undefined ? {} : { branchEnd }),
		// It is a message of the file: what is unfinished here stays beside that.
		...(here.answer && added.some(({ id }) => id === here.answer!.messageId) ? { answer: { ...here.answer, messageId: newId() } } : {}),
		notes: notesBeside(here, file),
		takenFromTrash: [...(isDeleted ? here.trash.flatMap(({ id, kind }) => (kind === 'session' ? [id] : [])) : []), ...backAgain],
		leftOut
	};
}

const keepsItsOwn = 'The chat is here already and keeps its own.';
const keepsWhatIsLeft = 'What is left of the chat here keeps its own.';
const noSession = 'The chat that it belongs to is not there.';

/** Lists what is left out of a session of a file that has neither a row nor a message to hold it. */
function ofNoSession({ draft, answer, notes, boundaries, trash, others }: SessionRows): LeftOut[] {
	return [
		...reasonFor('drafts', noSession, draft ? 1 : 0),
		...reasonFor('answers', noSession, answer ? 1 : 0),
		...reasonFor('scratchpad', noSession, notes.length),
		...reasonFor('boundaries', noSession, boundaries.length),
		...Object.entries(others).flatMap(([table, rows]) => reasonFor(table, noSession, rows.length)),
		...reasonFor('trash', noSession, trash.length)
	];
}

function hasOthers(rows: SessionRows, table: string): boolean {
	return (rows.others[table] ?? []).length > 0;
}

function othersWhere({ others }: SessionRows, wanted: (table: string) => boolean): OtherRows {
	return Object.fromEntries(Object.entries(others).filter(([table]) => wanted(table)));
}

/** Lists the rows of tables that keep their own which are not here as they are in the file. */
function untakenOthers(here: SessionRows, others: OtherRows, reason: string): LeftOut[] {
	return Object.entries(others).flatMap(([table, rows]) => {
		const untaken = rows.filter((row) => !(here.others[table] ?? []).some((own) => same(own, row)));
		return reasonFor(table, reason, untaken.length);
	});
}

function reasonFor(table: string, reason: string, count: number): LeftOut[] {
	return count > 0 ? [{ table, reason, count }] : [];
}

function unplaced(count: number): LeftOut[] {
	return reasonFor('messages', 'What it follows is not there.', count);
}

function byId<R extends { id: string }>(rows: R[]): Map<string, R> {
	return new Map(rows.map((row) => [row.id, row]));
}

/** Tells whether a message of the file says what a broken row in its place said. */
function heals(local: Message | undefined, message: Message): boolean {
	if (!local || !isUnreadable(local) || isUnreadable(message) || message.role === 'system') return false;
	return local.parentId === message.parentId && local.depth === message.depth;
}

/** Tells whether a message says something else here, and was neither erased nor broken here. */
function differs(local: Message | undefined, message: Message): boolean {
	if (!local || [local, message].some((one) => isRedacted(one) || isUnreadable(one))) return false;
	return !same(local.parts.map(plainPart), message.parts) && !(local.role === 'system' && same(plainPromptParts(local.parts), message.parts));
}

/** A message of the file, or what a deleted branch here has of the same answer, if that is more. */
function furthestOf(message: Message, answers: ReadonlyMap<string, UnfinishedAnswer>): Message {
	const answer = answers.get(message.id);
	if (!answer) return message;
	const kinds = ['text', 'reasoning'] as const;
	const isPlain = message.role === 'assistant' && message.parts.every(({ type }) => kinds.some((kind) => kind === type));
	const [before, after] = [message, answer].map(({ parts }) => kinds.map((kind) => wordsOf(parts, kind))) as [string[], string[]];
	const isMore = after.every((words, index) => words.startsWith(before[index]!)) && after.join('').length > before.join('').length;
	return isPlain && isMore ? { ...message, parts: answer.parts } : message;
}

function wordsOf(parts: Part[], kind: 'text' | 'reasoning'): string {
	return parts.map((part) => (part.type === kind ? partText(part) : '')).join('');
}

function secondsOf({ others }: SessionRows): AnswerRow[] {
	return (others.secondAnswers ?? []) as AnswerRow[];
}

/** Unfinished answers as messages, but for those that are unfinished here as well, and those that are here. */
function asMessages(unfinished: UnfinishedAnswer[], here: SessionRows, messages: Message[]): Message[] {
	const places = byId([...here.messages, ...messages]);
	const unfinishedHere = new Set([here.answer, ...secondsOf(here)].map((answer) => answer?.messageId));
	return unfinished.flatMap((answer) => {
		const parent = places.get(answer.parentId);
		const isHere = places.has(answer.messageId) || unfinishedHere.has(answer.messageId);
		if (!parent || isHere || lengthOf(answer.parts) === 0) return [];
		const message = { ...messageOf(answer, answer.startedAt), sessionId: here.id, parentId: parent.id, depth: parent.depth + 1 };
		places.set(message.id, message);
		return [message];
	});
}

/** Counts the files that the unsent message of the file has that this chat's has not. */
function draftFilesOf(here: SessionRows, file: SessionRows): number {
	const own = new Set(here.draft?.attachments?.map(({ attachmentId }) => attachmentId));
	return (file.draft?.attachments ?? []).filter(({ attachmentId }) => !own.has(attachmentId)).length;
}

interface Grown {
	/** The tree of what is here, without what comes; undefined where nothing here is in a tree. */
	base: Tree | undefined;
	tree: Tree | undefined;
}

/**
 * The tree of a session that is here with what was `added` to it, and what is deleted in it no more in `before`; that of the file where
 * nothing of it is in a tree here.
 */
function growBranches(before: Tree | undefined, here: SessionRows, file: SessionRows, added: Message[]): Grown {
	const isSound = here.tree !== undefined && faultsOf(here.tree, here.messages).length === 0;
	const removed = here.trash.flatMap(({ kind, id }) => (kind === 'branch' ? [id] : []));
	const base = !before ? rebuiltTree(here.id, undefined, here.messages, removed) : isSound ? before : rebuildTree(here.messages, before);
	if (!base) return { base, tree: rebuildTree(added, file.tree) };
	const living = isSound ? byId(withoutRemoved(here.tree, here.messages)) : undefined;
	const back = living ? withoutRemoved(before, here.messages).filter(({ id }) => !living.has(id)) : [];
	const theirs = byId(added);
	const labels = Object.entries(file.tree?.labels ?? {}).filter(([id]) => theirs.has(id));
	const grown = graftBranches(base, here.messages, [...back, ...added].toSorted((a, b) => a.depth - b.depth));
	return { base, tree: labels.length > 0 ? { ...grown, labels: { ...Object.fromEntries(labels), ...grown.labels } } : grown };
}

/** Returns the end of the added branches: the head of the file, or else the end of the newest. */
function endOf({ tips }: Tree, added: ReadonlyMap<string, Message>, headId: string | undefined): string | undefined {
	const ends = tips.map(({ id }) => id).filter((id) => added.has(id));
	return ends.find((id) => id === headId) ?? ends.toSorted().at(-1);
}

/**
 * Makes notes of their own of those of the file, and of its unsent text that was not sent here. The model is told the names of notes,
 * and the to-do list as a whole, so the file chooses no name.
 */
function notesBeside(here: SessionRows, file: SessionRows): ScratchpadEntry[] {
	const at = file.session?.updatedAt ?? 0;
	const textsOf = ({ composer = '', edits = {} }: Partial<Draft> = {}) => [composer, ...Object.values(edits)].filter((text) => text.trim() !== '');
	const theirs = textsOf(file.draft);
	const known = new Set(theirs.length > 0 ? [...textsOf(here.draft), ...here.messages.map(textOf)] : []);
	const unsent = theirs.filter((text) => !known.has(text));
	const others = [
		...file.notes.filter(({ content }) => content.trim() !== '').map((note) => ({ ...note, content: contentBeside(note) })),
		...unsent.map((text) => ({ sessionId: here.id, content: `Unsent\n\n${text}`, createdAt: at, updatedAt: at }))
	];
	const contents = new Set(here.notes.map(contentBeside));
	const names = new Set(here.notes.map(({ name }) => name));
	let count = 2;
	return others.flatMap((note) => {
		if (contents.has(note.content)) return [];
		contents.add(note.content);
		let name = besideName;
		for (; names.has(name); count++) name = `${besideName} ${count}`;
		names.add(name);
		return [{ ...note, name }];
	});
}

const besideName = 'From a backup';

/** A note as a note beside: its name, then what it says. One that came from a backup before is that already. */
function contentBeside({ name, content }: ScratchpadEntry): string {
	return name.startsWith(besideName) ? content : `${name}\n\n${content}`;
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

function countsOf(
	all: Message[],
	tree: Tree | undefined,
	fileBytes: (attachmentId: string) => number
): Pick<Session, 'messageCount' | 'bytes'> {
	const files = all.flatMap(filesOf).reduce((sum, { attachmentId }) => sum + fileBytes(attachmentId), 0);
	return { messageCount: withoutRemoved(tree, all).length, bytes: all.reduce((sum, message) => sum + sizeOf(message), files) };
}

/** Returns a message as one whose text was taken out. */
function withoutText(message: Message): Message {
	return { ...message, parts: [{ type: 'redacted', at: message.createdAt }] };
}

/** Tells whether two rows say the same, whatever the order of their fields. */
function same(a: unknown, b: unknown): boolean {
	if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
	if (Array.isArray(a) !== Array.isArray(b)) return false;
	const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
	return [...fields].every((field) => same((a as Record<string, unknown>)[field], (b as Record<string, unknown>)[field]));
}
