import { filesPerMessage } from '../../conversation/attachment-limits';
import type { Boundary } from '../../conversation/boundary';
import { maxLabel } from '../../conversation/label';
import type { Message } from '../../conversation/message';
import type { Session } from '../../conversation/session';
import type { Tree } from '../../conversation/tree';
import { asMessageText } from '../../conversation/as-message-text';
import { joinFiles } from '../../conversation/unsent';
import { plainName } from '../../shared/file-name';
import { fitInFields } from '../../shared/fit-in-fields';
import { withoutPiledMarks } from '../../shared/piled-marks';
import type { Rows } from '../../storage/tables';
import type { AnswerRow } from '../../storage/tables/answers';
import type { Draft } from '../../storage/tables/drafts';
import type { ScratchpadEntry } from '../../storage/tables/scratchpad';
import type { TrashItem } from '../../storage/tables/trash';
import { cleanupUndoMilliseconds } from '../../storage/undo';
import { keyIn } from './admit-row';
import type { LeftOuts } from './left-outs';
import { cut, maxBranches, maxRows, tooMany, tooManyBranches } from './limits';
import { namingOnly, newestOf, notAfter, plainAnswer, plainBoundary, plainFile, plainMessage, plainSession, trashUntil, type TimeField } from './plain-rows';
import { descentOf, isOfBranch, isOfMarker } from './removals';

/** Every row of one session that comes in; the session's own may be in the trash instead. */
export interface SessionRows {
	id: string;
	session: Session | undefined;
	tree: Tree | undefined;
	/** The last message of the active path, of the position. The fence beside it is never taken from a file. */
	headId: string | undefined;
	/** In any order. */
	messages: Message[];
	draft: Rows['drafts'] | undefined;
	answer: Rows['answers'] | undefined;
	notes: Rows['scratchpad'][];
	boundaries: Boundary[];
	trash: TrashItem[];
	others: OtherRows;
}

/** Rows of tables that are merged by no rule of their own: those of a session that is here stay, by table. */
export type OtherRows = Record<string, unknown[]>;

/**
 * Lets the rows of one session in, each of which was, as far as they agree with one another. Nothing in it is of later than `now`: it
 * would stand before all else for good. Nothing that is deleted in it is due before a whole period from then, what was being removed
 * for good does not come, and a session that is live there is not deleted as well.
 */
export function admitSession(rows: SessionRows, now: number, leftOut: LeftOuts): SessionRows | undefined {
	const all = new Map<string, Message>();
	for (const message of rows.messages) {
		if (all.has(message.id)) leftOut.add('messages', 'It is in the file twice.');
		else all.set(message.id, message);
	}
	if (!rows.session && rows.trash.some(({ kind, begun }) => kind === 'session' && begun)) {
		leftOut.add('sessions', 'It was being removed for good.');
		return undefined;
	}
	const parents = new Set(rows.messages.map(({ parentId }) => parentId));
	const ends = rows.messages.filter(({ id }) => !parents.has(id)).length;
	if (ends > maxBranches) {
		leftOut.add('sessions', tooManyBranches);
		return undefined;
	}
	const begun = new Set(rows.trash.flatMap((item) => (item.kind === 'branch' && item.begun ? [item.id] : [])));
	for (const { id, parentId } of begun.size > 0 ? rows.messages.toSorted((a, b) => a.depth - b.depth) : []) {
		if (!begun.has(id) && !(parentId !== null && begun.has(parentId))) continue;
		begun.add(id);
		all.delete(id);
	}

	const isBelow = descentOf(rows.messages);
	const removed = new Set(rows.tree?.removed);
	const branchOf = new Map<string, string | null>();
	if (rows.trash.length > maxRows) leftOut.add('trash', tooMany, rows.trash.length - maxRows);
	const trash = rows.trash.slice(0, maxRows).filter((item) => {
		if (item.kind === 'session' && rows.session) {
			leftOut.add('trash', 'The chat that it would bring back is there.');
			return false;
		}
		if (item.begun) return false;
		const fits = item.kind === 'session' || (item.kind === 'redaction' ? isOfMarker(item, all) : isOfBranch(item, { all, removed, isBelow, branchOf }));
		if (!fits) leftOut.add('trash', 'It does not belong to anything in the file.');
		return fits;
	});
	const branches = new Set(trash.flatMap(({ kind, id }) => (kind === 'branch' ? [id] : [])));
	const boundaries = uniqueBy(rows.boundaries, ({ id }) => id).filter(({ upToId, depth }) => {
		const fits = all.get(upToId)?.depth === depth;
		if (!fits) leftOut.add('boundaries', 'The message that it ends in is not there.');
		return fits;
	});
	const newest = newestOf(boundaries);
	if (newest.length < boundaries.length) leftOut.add('boundaries', tooMany, boundaries.length - newest.length);
	const files = joinFiles(rows.draft?.attachments ?? []).length;
	if (files > filesPerMessage) leftOut.add('drafts', 'A message can’t have so many files.', files - filesPerMessage);
	const { draft, unfit } = rows.draft ? draftForFields(rows.draft) : { draft: undefined, unfit: [] };
	if (unfit.length > 0) leftOut.add('drafts', 'It is too long for its field, so it came as a note.', unfit.length);
	const notes = uniqueBy([...asNotes(unfit, rows), ...rows.notes], ({ name }) => name);
	if (notes.length > maxRows) leftOut.add('scratchpad', tooMany, notes.length - maxRows);
	const { answer } = rows;
	const { headId } = rows;
	const hasHead = headId !== undefined && all.has(headId);
	if (headId !== undefined && !hasHead) leftOut.add('positions', 'The message that it names is not there.');
	const answers = answer && all.has(answer.parentId);
	if (answer && !answers) leftOut.add('answers', 'The message that it answers is not there.');
	const until = <R extends Partial<Record<TimeField, number>>>(row: R): R => notAfter(now, row);
	const others = Object.fromEntries(
		Object.entries(rows.others).map(([table, rows]) => [table, othersOf(table, rows as object[], leftOut).map((row) => until(namingOnly(all, table, row)))])
	);
	const seconds = (others.secondAnswers ?? []) as AnswerRow[];
	const placed = seconds.filter(({ parentId }) => all.has(parentId));
	if (placed.length < seconds.length) leftOut.add('secondAnswers', 'The message that it answers is not there.', seconds.length - placed.length);
	return {
		...rows,
		session: rows.session && plainSession(now, rows.session),
		tree: rows.tree && {
			...until(rows.tree),
			labels: Object.fromEntries(Object.entries(rows.tree.labels).map(([id, label]) => [id, cut(plainName(label), maxLabel)]).filter(([, label]) => label !== '')),
			removed: rows.tree.removed.filter((id) => branches.has(id))
		},
		headId: hasHead ? headId : undefined,
		draft,
		messages: [...all.values()].map((message) => plainMessage(now, message)),
		answer: answers ? answer && plainAnswer(until(answer)) : undefined,
		boundaries: newest.map((boundary) => plainBoundary(now, boundary, all)),
		notes: notes.slice(0, maxRows).map((note) => ({ ...until(note), content: withoutPiledMarks(note.content) })),
		others: seconds.length > 0 ? { ...others, secondAnswers: placed.map(plainAnswer) } : others,
		trash: uniqueBy(trash, ({ id }) => id).map((item) => ({ ...trashUntil(now, item, all), purgeAt: now + cleanupUndoMilliseconds }))
	};
}

/** A draft with each of its files once, as many as a message can have, and of its texts those that fields can have in good time, none of which is a command; `unfit` are the others. */
function draftForFields({ sessionId, composer, attachments = [], edits = {} }: Draft): { draft: Draft | undefined; unfit: string[] } {
	const ids = Object.keys(edits);
	const texts = [composer, ...Object.values(edits)].map(withoutPiledMarks);
	const fits = fitInFields(texts);
	const fitting = ids.flatMap((id, index) => (fits[index + 1] ? [[id, texts[index + 1]!]] : []));
	const draft: Draft = {
		sessionId,
		composer: fits[0] ? asMessageText(texts[0]!) : '',
		...(attachments.length > 0 ? { attachments: joinFiles(attachments.map(plainFile)).slice(0, filesPerMessage) } : {}),
		...(fitting.length > 0 ? { edits: Object.fromEntries(fitting) } : {})
	};
	const isEmpty = draft.composer === '' && !draft.attachments && !draft.edits;
	return { draft: isEmpty ? undefined : draft, unfit: texts.filter((_, index) => !fits[index]) };
}

/** Unsent texts as notes of their session, under names that none has. */
function asNotes(texts: string[], { id, session, notes }: SessionRows): ScratchpadEntry[] {
	const at = session?.updatedAt ?? 0;
	const names = new Set(notes.map(({ name }) => name));
	let count = 1;
	return texts.map((content) => {
		let name = 'Unsent';
		while (names.has(name)) name = `Unsent ${++count}`;
		names.add(name);
		return { sessionId: id, name, content, createdAt: at, updatedAt: at };
	});
}

/** The rows of a table without those that have the key of one before, and no more of them than there can be. */
function othersOf<R>(table: string, rows: R[], leftOut: LeftOuts): R[] {
	const unique = uniqueBy(rows, (row) => keyIn(table, row));
	if (unique.length < rows.length) leftOut.add(table, 'It is in the file twice.', rows.length - unique.length);
	if (unique.length > maxRows) leftOut.add(table, tooMany, unique.length - maxRows);
	return unique.slice(0, maxRows);
}

function uniqueBy<R>(rows: R[], keyOf: (row: R) => string): R[] {
	const seen = new Set<string>();
	return rows.filter((row) => !seen.has(keyOf(row)) && seen.add(keyOf(row)));
}
