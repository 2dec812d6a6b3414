import type { Boundary } from '../conversation/boundary';
import type { UnfinishedAnswer } from '../conversation/growing-answer';
import { filesOf, sizeOf, type Message } from '../conversation/message';
import { countRemoved, restoreBranch, restoredHead } from '../conversation/removal';
import { pathTo } from '../conversation/paths';
import { Dexie } from 'dexie';
import { AppError } from '../shared/app-error';
import { Answers } from './answers';
import { append, messageOf } from './append';
import { besideTaken } from './arrange-sessions';
import { fileBytesOf } from './attachments';
import { coveringOf, inSession } from './boundaries';
import { branchOf, isRemoved } from './branch-of';
import type { Database } from './database';
import { tablesWhere } from './definitions';
import { addSessionDeletion } from './deletions';
import { unsentOf, writeDraft } from './drafts';
import { unfenced } from './fence';
import { isPlaced } from './lead-on';
import { removeQuarantined } from './quarantined-rows';
import { rowsOfSession, sessionIdsIn } from './session-rows';
import type { Redaction, TrashItem } from './tables/trash';
import { undoMilliseconds } from './undo';
import { fileIdsOf, removeUnused } from './unused-files';

/** Number of depths of a session that are purged in one transaction, so that others that want to write wait for moments only. */
const chunk = 10_000;

/** The tables whose rows of a session go with its last messages, and those of them where some may be left of one of which there is nothing else. */
const goLast = tablesWhere(({ purge }) => purge === 'last' || purge === 'last-and-alone');
const mayBeAlone = tablesWhere(({ purge }) => purge === 'last-and-alone');

/** A round of purging: when it is, and which files tabs have in new chats. */
interface Round {
	now: number;
	held: readonly string[];
}

/** An item, and when it goes, in epoch milliseconds. */
export type DueItem = Pick<TrashItem, 'id' | 'purgeAt'>;

/**
 * The trash: what was deleted, until it is purged. Any tab may delete, restore and purge, also what another has open: each reads what is there in its own
 * transaction, and who writes a session next finds it gone, or grown.
 */
export class Trash {
	constructor(private readonly db: Database) {}

	/** Newest first. */
	async list(): Promise<TrashItem[]> {
		return (await this.db.trash.toArray()).sort((a, b) => b.at - a.at);
	}

	/**
	 * Takes sessions out of every list, in one transaction; ids that are not there are passed over. `keepFor` is how long
	 * they can be brought back, in milliseconds. Returns the ids that were taken.
	 */
	deleteSessionsUnfenced(ids: string[], now: number, keepFor: number = undoMilliseconds): Promise<string[]> {
		return this.db.transaction('rw', this.db.sessions, this.db.trash, async () => {
			const found = (await this.db.sessions.bulkGet(ids)).filter((session) => session !== undefined);
			await this.db.trash.bulkPut(
				found.map((session) => ({ id: session.id, kind: 'session', sessionId: session.id, at: now, purgeAt: now + keepFor, session }))
			);
			await this.db.sessions.bulkDelete(found.map(({ id }) => id));
			return found.map(({ id }) => id);
		});
	}

	/**
	 * Brings back what is still there of these items, in one transaction. Throws an AppError if it is too late for all (`restore-late`), or
	 * if what an item belongs to is deleted itself.
	 */
	restoreUnfenced(ids: string[]): Promise<void> {
		const { sessions, messages, trees, positions, answers, secondAnswers, drafts, boundaries, trash, attachments, attachmentUses } = this.db;
		return this.db.transaction('rw', [sessions, messages, trees, positions, answers, secondAnswers, drafts, boundaries, trash, attachments, attachmentUses], async () => {
			const items = await trash.bulkGet(ids);
			const found = items.filter((item) => item !== undefined && !item.begun) as TrashItem[];
			await trash.bulkDelete(found.map(({ id }) => id));
			if (found.length === 0 && ids.length > 0) throw new AppError('restore-late', 'This can no longer be restored.');
			// Sessions first: other items may belong to them. One that is live stays as it is.
			const live = new Set(await sessions.where('id').anyOf(found.map(({ id }) => id)).primaryKeys());
			for (const item of found) if (item.kind === 'session' && !live.has(item.id)) await sessions.put(await besideTaken(this.db, item.session));
			for (const item of found) {
				if (item.kind === 'branch') await this.restoreBranch(item);
				else if (item.kind === 'redaction') await this.restoreWords(item);
			}
		});
	}

	private async restoreBranch({ sessionId, at, removal, answer, secondAnswer }: TrashItem & { kind: 'branch' }): Promise<void> {
		const { sessions, messages, trees, positions } = this.db;
		const [session, tree, position, parent] = await Promise.all([
			sessions.get(sessionId),
			trees.get(sessionId),
			positions.get(sessionId),
			messages.where('id').equals(removal.parentId).first()
		]);
		if (!session || !tree) throw new AppError('restore-parent', 'The chat that this belongs to is deleted. Restore that first.');
		if (!parent || (await isRemoved(this.db, tree, parent))) {
			throw new AppError('restore-parent', 'What this branch follows is deleted too. Restore that first.');
		}
		const { forkId } = await branchOf(this.db, tree, parent);
		await trees.put(restoreBranch(tree, removal, forkId));
		if (position && removal.headId !== null) {
			const head = await messages.where('id').equals(position.headId).first();
			// Where one of two answers is deleted the chat goes on from the other by itself [Z9]: that is no going elsewhere, as an answer asked for since is.
			const isOther = head?.parentId === removal.parentId && head.createdAt <= at;
			const headId = restoredHead(isOther ? removal.parentId : position.headId, removal);
			if (headId !== position.headId) await positions.put({ ...position, headId });
		}
		await sessions.put({ ...session, messageCount: session.messageCount + countRemoved(removal) });
		// A file may name a message that is there: nothing comes in its place.
		const isMessage = async ({ messageId }: UnfinishedAnswer) => (await messages.where('id').equals(messageId).count()) > 0;
		if (answer && !(await isMessage(answer))) await this.restoreAnswer(sessionId, answer);
		if (secondAnswer && (isPlaced(secondAnswer) || !(await isMessage(secondAnswer)))) await this.restoreSecondAnswer(sessionId, secondAnswer);
	}

	/** A session has one unfinished answer at most: where there is another by now, this one comes back as a message. */
	private async restoreAnswer(sessionId: string, answer: UnfinishedAnswer): Promise<void> {
		const answers = new Answers(this.db);
		// It adds to what is there and replaces nothing, as all that `restoreUnfenced` does.
		if (!(await answers.get(sessionId))) return answers.set(sessionId, answer, unfenced);
		await append(this.db, { session: sessionId, fence: unfenced, parentId: answer.parentId, messages: [messageOf(answer, answer.startedAt)] });
	}

	/** As `restoreAnswer`; one that is a message already is of use as a row only. */
	private async restoreSecondAnswer(sessionId: string, answer: UnfinishedAnswer): Promise<void> {
		const { secondAnswers } = this.db;
		if (!(await secondAnswers.get(sessionId))) await secondAnswers.put({ ...answer, sessionId });
		else if (!isPlaced(answer)) await append(this.db, { session: sessionId, fence: unfenced, parentId: answer.parentId, messages: [messageOf(answer, answer.startedAt)], staysAtHead: true });
	}

	private async restoreWords({ sessionId, message, preview, title, edit, boundaries = [] }: Redaction): Promise<void> {
		const { sessions, messages, attachmentUses } = this.db;
		const session = await sessions.get(sessionId);
		if (!session) throw new AppError('restore-parent', 'The chat that this belongs to is deleted. Restore that first.');
		const marker = await messages.where('id').equals(message.id).first();
		if (!marker) return;
		await messages.put(message);
		await attachmentUses.bulkPut(filesOf(message).map(({ attachmentId }) => ({ attachmentId, messageId: message.id, sessionId })));
		await sessions.put({
			...session,
			bytes: session.bytes - sizeOf(marker) + sizeOf(message) + (await fileBytesOf(this.db, [message])),
			preview: session.preview || preview,
			title: session.title || title
		});
		if (edit !== undefined) await this.restoreEdit(sessionId, message.id, edit);
		await this.restoreBoundaries(sessionId, boundaries);
	}

	/** One that was begun meanwhile stays. */
	private async restoreEdit(sessionId: string, messageId: string, edit: string): Promise<void> {
		const unsent = unsentOf(await this.db.drafts.get(sessionId));
		await writeDraft(this.db, sessionId, { ...unsent, edits: { [messageId]: edit, ...unsent.edits } });
	}

	/**
	 * One that covers something else that is redacted stays with that; one of a branch that is gone is not needed any more. None takes the
	 * place of another session's: the item may be from a file.
	 */
	private async restoreBoundaries(sessionId: string, voided: Boundary[]): Promise<void> {
		const { boundaries, messages, trees, trash } = this.db;
		const tree = await trees.get(sessionId);
		let left = voided;
		for (const other of await trash.where('sessionId').equals(sessionId).toArray()) {
			if (!tree || other.kind !== 'redaction' || left.length === 0) continue;
			const made = left.filter(({ createdAt }) => createdAt <= other.at);
			const covering = new Set(await coveringOf(this.db, tree, other.message, made));
			if (covering.size === 0) continue;
			await trash.put({ ...other, boundaries: [...(other.boundaries ?? []), ...covering] });
			left = left.filter((boundary) => !covering.has(boundary));
		}
		for (const boundary of left) {
			const [last, taken] = await Promise.all([messages.where('id').equals(boundary.upToId).first(), boundaries.get(boundary.id)]);
			if (last?.sessionId === sessionId && (!taken || taken.sessionId === sessionId)) await boundaries.put(boundary);
		}
	}

	/** Has all that is kept for longer go at `purgeAt`. Resolves with the items and when each was to go. */
	hastenUnfenced(purgeAt: number): Promise<DueItem[]> {
		const later = this.db.trash.where('purgeAt').above(purgeAt);
		return this.db.transaction('rw', this.db.trash, async () => {
			const items = (await later.toArray()).map(({ id, purgeAt }) => ({ id, purgeAt }));
			await later.modify({ purgeAt });
			return items;
		});
	}

	/** Lets items go when they were to, but those that are going already. */
	postponeUnfenced(items: readonly DueItem[]): Promise<void> {
		return this.db.transaction('rw', this.db.trash, async () => {
			for (const { id, purgeAt } of items) await this.db.trash.where('id').equals(id).and(({ begun }) => !begun).modify({ purgeAt });
		});
	}

	/**
	 * Removes for good what is due, oldest first, in chunks of one transaction each. Returns the ids of the items that
	 * are gone. Safe to run in several tabs at once, and to go on with after a crash: an item leaves with its last rows.
	 * Nothing goes of a session that is live. What belongs to one of which there is nothing is removed as well: a tab may have written an
	 * unsent text or an unfinished answer while it went. Of what is gone a tombstone is left, by the transaction that removed the last of it. A file
	 * goes with what used it last, unless a tab has it in a new chat (`held`), or it was attached again since that was deleted.
	 */
	async purgeUnfenced(now: number, held: readonly string[] = []): Promise<string[]> {
		const round = { now, held };
		const due = await this.db.trash.where('purgeAt').belowOrEqual(now).sortBy('at');
		// Of what was deleted in one millisecond the deeper goes first: it may hang below the other.
		due.sort((a, b) => a.at - b.at || depthOf(b) - depthOf(a));
		const gone: string[] = [];
		for (const { id, kind } of due) {
			// It may have been brought back and deleted again while what came before it was purged.
			const isDue = await this.db.trash.where('id').equals(id).and(({ purgeAt }) => purgeAt <= now).modify({ begun: true });
			if (isDue === 0) continue;
			gone.push(id);
			if (kind === 'session') while (await this.purgeDepths(id, round));
			else if (kind === 'branch') while (await this.purgeSegment(id, round));
			else await this.purgeWords(id, round);
		}
		await this.removeOrphans(round);
		return gone;
	}

	/** Reads keys only, and holds nobody up, where all belongs to a session that is there. */
	private async removeOrphans(round: Round): Promise<void> {
		const known = new Set(await this.db.trees.toCollection().primaryKeys());
		const owners = await Promise.all(mayBeAlone.map((table) => sessionIdsIn(this.db, table)));
		for (const id of new Set(owners.flat())) if (!known.has(id)) await this.removeOrphansOf(id, round);
	}

	/** Removes what belongs to a session of which neither a row, nor a message, nor anything deleted or quarantined is there. */
	private removeOrphansOf(id: string, round: Round): Promise<void> {
		const { sessions, messages, trees, trash, attachments, quarantine, deletions } = this.db;
		return this.db.transaction('rw', [sessions, messages, attachments, quarantine, deletions, ...goLast], async () => {
			const counts = await Promise.all([
				sessions.where('id').equals(id).count(),
				trees.where('sessionId').equals(id).count(),
				trash.where('sessionId').equals(id).count(),
				messages.where(':id').between([id, Dexie.minKey], [id, Dexie.maxKey]).limit(1).count()
			]);
			if (counts.some((count) => count > 0) || (await quarantine.filter(({ key }) => key === id).count()) > 0) return;
			await this.removeRowsOf(id, (await deletions.get(id))?.at ?? round.now, round);
		});
	}

	/** Removes all of a session but its own row and its messages, what is quarantined of it and files of its own too, and leaves its tombstone. Part of the running transaction. */
	private async removeRowsOf(id: string, at: number, round: Round): Promise<void> {
		const files = await fileIdsOf(this.db, id);
		await Promise.all([...goLast.map((table) => rowsOfSession(this.db, table, id).delete()), removeQuarantined(this.db, new Set([id]), ['sessionId'])]);
		await removeUnused(this.db, files, { ...round, since: at });
		await addSessionDeletion(this.db, id, at);
	}

	/** The content that a redaction took. The message itself says that it was erased. */
	private purgeWords(id: string, round: Round): Promise<void> {
		const { drafts, trash, attachments, attachmentUses, quarantine, deletions } = this.db;
		return this.db.transaction('rw', [drafts, trash, attachments, attachmentUses, quarantine, deletions], async () => {
			const item = await trash.get(id);
			if (item?.kind !== 'redaction' || !item.begun) return;
			await trash.delete(id);
			await this.removeFilesOf([item.message], item.at, round);
			await removeQuarantined(this.db, new Set([item.message.id]));
			await deletions.bulkPut((item.boundaries ?? []).map(({ id, sessionId }) => ({ kind: 'boundary', id, sessionId, at: item.at })));
		});
	}

	/** The deepest messages of a session, so that one that is half gone is still a tree. False when nothing is left, or it is live. */
	private purgeDepths(id: string, round: Round): Promise<boolean> {
		const { sessions, messages, trash, attachments, deletions } = this.db;
		const from = (depth: number | typeof Dexie.minKey) => messages.where(':id').between([id, depth, Dexie.minKey], [id, Dexie.maxKey]);
		return this.db.transaction('rw', [sessions, messages, attachments, deletions, this.db.quarantine, ...goLast], async () => {
			const item = await trash.get(id);
			if (item?.kind !== 'session' || !item.begun) return false;
			if ((await sessions.where('id').equals(id).count()) > 0) {
				await trash.delete(id);
				return false;
			}
			const deepest = (await from(Dexie.minKey).last())?.depth ?? 0;
			await from(deepest - chunk + 1).delete();
			if (deepest >= chunk) return true;
			await this.removeRowsOf(id, item.at, round);
			return false;
		});
	}

	/** The end of the last of a deleted branch's segments. False when nothing is left. */
	private purgeSegment(id: string, round: Round): Promise<boolean> {
		const { sessions, messages, trees, drafts, answers, secondAnswers, boundaries, attachments, attachmentUses, trash, quarantine, deletions } = this.db;
		const involved = [sessions, messages, trees, drafts, answers, secondAnswers, boundaries, attachments, attachmentUses, trash, quarantine, deletions];
		return this.db.transaction('rw', involved, async () => {
			const item = await trash.get(id);
			if (item?.kind !== 'branch' || !item.begun) return false;
			const { sessionId, removal } = item;
			const tip = removal.tips.at(-1)!;
			// Whatever the row says: nothing goes that is above the removed message, or in its place.
			const top = removal.tips[0].forkDepth;
			const begins = Math.max(tip.forkDepth, top);
			const from = Math.max(begins, tip.depth - chunk + 1);
			const range = messages.where(':id').between([sessionId, from, Dexie.minKey], [sessionId, tip.depth, Dexie.maxKey]);
			const path = pathTo(tip.id, await range.toArray());
			const gone = path[0]?.depth === top && path[0].id !== removal.id ? [] : path;
			const ids = new Set(gone.map((message) => message.id));
			const bytes = gone.reduce((sum, message) => sum + sizeOf(message), 0) + (await fileBytesOf(this.db, gone));

			const above = gone[0]?.parentId;
			const left = from > begins && above ? [{ ...tip, id: above, depth: from - 1 }] : [];
			const [first, ...rest] = [...removal.tips.slice(0, -1), ...left];
			const [tree, { edits, ...unsent }] = await Promise.all([trees.get(sessionId), drafts.get(sessionId).then(unsentOf)]);
			const withoutGone = <T>(byMessage: Readonly<Record<string, T>>) => Object.fromEntries(Object.entries(byMessage).filter(([id]) => !ids.has(id)));
			await Promise.all([
				messages.bulkDelete(gone.map(({ depth, id }) => [sessionId, depth, id])),
				attachmentUses.where('messageId').anyOf([...ids]).delete(),
				inSession(this.db, sessionId, from).and(({ upToId }) => ids.has(upToId)).delete(),
				this.changeBytes(sessionId, -bytes),
				edits && writeDraft(this.db, sessionId, { ...unsent, edits: withoutGone(edits) }),
				...[answers, secondAnswers].map((table) => table.where('sessionId').equals(sessionId).and(({ parentId }) => ids.has(parentId)).delete()),
				tree &&
					trees.put({
						...tree,
						labels: withoutGone(tree.labels),
						removed: first ? tree.removed : tree.removed.filter((removed) => removed !== removal.id)
					}),
				first ? trash.put({ ...item, removal: { ...removal, tips: [first, ...rest] } }) : trash.delete(id)
			]);
			await this.removeFilesOf(gone, item.at, round);
			await removeQuarantined(this.db, ids, ['parentId', 'upToId']);
			if (!first && (await messages.where('id').equals(id).count()) === 0) await deletions.put({ kind: 'branch', id, sessionId, at: item.at });
			return first !== undefined;
		});
	}

	/** Removes the files of messages that are gone, unless something keeps them. Part of the running transaction. */
	private removeFilesOf(gone: Message[], at: number, round: Round): Promise<number> {
		return removeUnused(this.db, gone.flatMap((message) => filesOf(message).map(({ attachmentId }) => attachmentId)), { ...round, since: at });
	}

	/** Of a session that is there, or one that is in the trash itself. */
	private async changeBytes(id: string, by: number): Promise<void> {
		const { sessions, trash } = this.db;
		const [session, item] = await Promise.all([sessions.get(id), trash.get(id)]);
		if (session) await sessions.put({ ...session, bytes: session.bytes + by });
		else if (item?.kind === 'session') await trash.put({ ...item, session: { ...item.session, bytes: item.session.bytes + by } });
	}
}

function depthOf(item: TrashItem): number {
	return item.kind === 'branch' ? item.removal.tips[0].forkDepth : -1;
}
