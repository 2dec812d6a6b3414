import type { Transaction } from 'dexie';
import type { Message } from '../conversation/message';
import { sizeOf } from '../conversation/message';
import type { Session } from '../conversation/session';
import { headIn } from '../conversation/paths';
import { rebuildTree, type Tree } from '../conversation/tree';
import { newId } from '../shared/id';
import { withParts, type AnswerOfVersion5 } from './answer-of-version-5';
import { placedPosition } from './positions';
import { readable } from './row-checks';
import { withoutSecrets } from './secrets';
import type { Draft } from './tables/drafts';
import type { Position } from './tables/positions';
import type { Provider } from './tables/providers';
import type { QuarantinedRow } from './tables/quarantine';
import type { SearchManifest } from './tables/search-state';
import type { TrashItem } from './tables/trash';
import { undoMilliseconds } from './undo';

/** A session as version 1 had it; a deleted one stayed in its table, with the time of its deletion. */
interface SessionOfVersion1
	extends Omit<Session, 'title' | 'titledBy' | 'steps' | 'bytes' | 'filesTouched' | 'pinned' | 'archived'> {
	deletedAt?: number;
}

/** A tree as versions 2 to 8 had it, with the position in it. */
type TreeOfVersion8 = Tree & Position;

/** A tree as version 1 had it. It never had more than one branch, but nothing kept it from it. */
type TreeOfVersion1 = Pick<Position, 'sessionId' | 'headId'> & { tips: { id: string; depth: number; forkId: string | null }[] };

type AnswerRowOfVersion5 = AnswerOfVersion5 & { sessionId: string };

/** A draft as versions 2 to 4 had it, and backups of that time: with the unfinished answer in it. */
type DraftWithAnswer = Draft & { answer?: AnswerOfVersion5 };

/** A draft as version 1 had it: its answer got an id only when it became a message. */
type DraftOfVersion1 = Draft & { answer?: Omit<AnswerOfVersion5, 'messageId'> };

/**
 * Version 2 counts steps and bytes, knows pins and titles, keeps deleted sessions apart, gives unfinished answers the ids
 * that they will have, and indexes branches so that a tree can be drawn without its messages. Messages do not change.
 */
export async function upgradeToVersion2(transaction: Transaction): Promise<void> {
	const counts = new Map<string, { steps: number; bytes: number }>();
	await transaction.table<Message>('messages').each((message) => {
		const { steps, bytes } = counts.get(message.sessionId) ?? { steps: 0, bytes: 0 };
		// Nothing of version 1 was checked; a broken row waits for the check when it is read.
		const size = Array.isArray(message.parts) ? sizeOf(message) : 0;
		counts.set(message.sessionId, { steps: steps + (message.role === 'assistant' ? 1 : 0), bytes: bytes + size });
	});

	const deleted: TrashItem[] = [];
	await transaction.table<SessionOfVersion1>('sessions').toCollection().modify((row, ref: { value?: unknown }) => {
		const { deletedAt, ...before } = row;
		const session: Session = {
			...before,
			title: '',
			titledBy: 'snug',
			...(counts.get(row.id) ?? { steps: 0, bytes: 0 }),
			filesTouched: [],
			pinned: 0,
			archived: 0
		};
		if (deletedAt === undefined) {
			ref.value = session;
			return;
		}
		deleted.push({ id: row.id, kind: 'session', sessionId: row.id, at: deletedAt, purgeAt: deletedAt + undoMilliseconds, session });
		delete ref.value;
	});
	await transaction.table('trash').bulkAdd(deleted);

	const trees = transaction.table<TreeOfVersion1>('trees');
	for (const { sessionId, headId, tips } of await trees.toArray()) {
		const kept = { labels: {}, mainTip: null, removed: [] };
		if (!Array.isArray(tips)) continue;
		const only = tips.length === 1 ? tips[0] : undefined;
		if (only) {
			const tree: TreeOfVersion8 = { sessionId, headId, tips: [{ ...only, forkId: null, forkDepth: 0, fromId: null }], ...kept, fence: 0 };
			await trees.put(tree);
			continue;
		}
		const messages = await messagesOf(transaction, sessionId);
		const tree = rebuildTree(messages, { sessionId, tips: [], ...kept });
		if (tree) await trees.put({ ...tree, headId: headIn(tree, messages, headId), fence: 0 } as TreeOfVersion8);
	}

	const drafts = transaction.table<DraftOfVersion1>('drafts');
	for (const draft of await drafts.toArray()) {
		const { answer } = draft;
		if (answer) await transaction.table<DraftWithAnswer>('drafts').put({ ...draft, answer: { messageId: newId(), ...answer } });
	}
}

/** Number of rows, which may be large, that are read at a time. */
const chunk = 20;

/**
 * Version 5 keeps unfinished answers apart from what is typed, and API keys apart from everything that is ever copied. A row of
 * the quarantine that was a server's loses its key with all that is not known to be none. Compactions no longer name all that
 * they cover.
 */
export async function upgradeToVersion5(transaction: Transaction): Promise<void> {
	const drafts = transaction.table<DraftWithAnswer>('drafts');
	for (const row of await drafts.toArray()) {
		// Nothing is checked here; a broken row waits for the check when it is read.
		if (typeof row.answer !== 'object') continue;
		const { draft, answer } = splitDraft(row);
		if (answer) await transaction.table<AnswerRowOfVersion5>('answers').put(answer);
		if (draft) await drafts.put(draft);
		else await drafts.delete(row.sessionId);
	}

	const providers = transaction.table<Provider & { apiKey?: unknown }>('providers');
	for (const { apiKey, ...provider } of await providers.toArray()) {
		if (typeof apiKey === 'string') await transaction.table('secrets').put({ id: provider.id, apiKey });
		if (apiKey !== undefined) await providers.put(provider);
	}

	// One that covers 10 000 messages takes 380 KB.
	for (const table of ['boundaries', 'trash']) await changeRows(transaction, table, withoutCoveredIds);

	const quarantine = transaction.table<QuarantinedRow>('quarantine');
	for (const kept of await quarantine.toArray()) {
		await quarantine.put(withoutSecrets('quarantine', kept) as QuarantinedRow);
	}
}

/** Version 6 keeps unfinished answers as the parts that messages are made of. */
export async function upgradeToVersion6(transaction: Transaction): Promise<void> {
	for (const table of ['answers', 'trash']) await changeRows(transaction, table, withAnswerParts);
}

/** Changes the rows of a table, a few at a time; one that `change` returns as it is stays untouched. */
async function changeRows(transaction: Transaction, table: string, change: (table: string, row: unknown) => unknown): Promise<void> {
	const rows = transaction.table<unknown, string>(table);
	const keys = await rows.toCollection().primaryKeys();
	for (let from = 0; from < keys.length; from += chunk) {
		const found = await rows.bulkGet(keys.slice(from, from + chunk));
		await rows.bulkPut(found.map((row) => change(table, row)).filter((row, index) => row !== found[index]));
	}
}

/** Version 7 knows each reader of the log of changes by a cursor: that of the search index stood in its manifest. */
export async function upgradeToVersion7(transaction: Transaction): Promise<void> {
	const states = transaction.table<SearchManifest & { watermark?: unknown }, string>('searchState');
	const manifest = await states.get('manifest');
	if (manifest?.watermark === undefined) return;
	const { watermark, ...kept } = manifest;
	await states.put(kept);
	// An index that knows no cursor is rebuilt.
	if (typeof watermark === 'number') await transaction.table('changeCursors').put({ reader: 'search', seq: watermark });
}

/**
 * Version 9 keeps what is this device's own apart from the tree: where the user is, and the fence. Unverified values of compactions, and
 * titles that the user gave, have those names.
 */
export async function upgradeToVersion9(transaction: Transaction): Promise<void> {
	const [trees, positions] = [transaction.table<unknown, string>('trees'), transaction.table<Position>('positions')];
	for (const key of await trees.toCollection().primaryKeys()) {
		const { tree, position } = splitTree(await trees.get(key));
		if (!position) continue;
		await positions.put(position);
		await trees.put(tree);
	}
	for (const table of ['boundaries', 'sessions', 'trash']) await changeRows(transaction, table, withNamesOfVersion9);
}

/** Version 11 knows archived sessions. */
export async function upgradeToVersion11(transaction: Transaction): Promise<void> {
	for (const table of ['sessions', 'trash']) await changeRows(transaction, table, withArchived);
}

function withNamesOfVersion9(table: string, row: unknown): unknown {
	return withTitlesOfUser(table, withUnverified(table, row));
}

/**
 * The two rows that a tree with the position in it has become. A head that can't be read is the end of the newest branch. Where neither can be,
 * the row stays as it is: it is broken, and its repair makes a position.
 */
function splitTree(row: unknown): { tree: unknown; position?: Position } {
	const { sessionId, ...known } = readable('positions', row);
	const { tips } = readable('trees', row);
	if (sessionId === undefined || (known.headId === undefined && !tips)) return { tree: row };
	const { headId: _, fence: __, ...tree } = row as TreeOfVersion8;
	return { tree, position: placedPosition({ sessionId, tips: tips ?? [] }, known) };
}

/** Returns the rows that a row of a backup of version 2 or later has become. */
export function upgradedRows<T extends string>(table: T, row: unknown): { table: T | 'drafts' | 'answers' | 'positions'; row: unknown }[] {
	if (table === 'trees' && typeof row === 'object' && row !== null && 'headId' in row) {
		const { tree, position } = splitTree(row);
		return [{ table, row: tree }, ...(position ? [{ table: 'positions' as const, row: position }] : [])];
	}
	if (table !== 'drafts' || typeof row !== 'object' || row === null || !('answer' in row)) {
		return [{ table, row: withArchived(table, withNamesOfVersion9(table, withAnswerParts(table, withoutCoveredIds(table, row)))) }];
	}
	const { draft, answer } = splitDraft(row as DraftWithAnswer);
	return [
		...(draft ? [{ table: 'drafts' as const, row: draft }] : []),
		...(answer ? [{ table: 'answers' as const, row: withAnswerParts('answers', answer) }] : [])
	];
}

/** The two rows that a draft with an unfinished answer has become; undefined where nothing is left for one. */
function splitDraft({ answer, ...draft }: DraftWithAnswer): { draft?: Draft; answer?: AnswerRowOfVersion5 } {
	const isEmpty = draft.composer === '' && draft.attachments === undefined && draft.edits === undefined;
	return { ...(isEmpty ? {} : { draft }), ...(answer ? { answer: { ...answer, sessionId: draft.sessionId } } : {}) };
}

/**
 * A row of version 3 or 4 as it is now: a compaction, also one in the trash, named every message that it covers, and told of
 * excluded ones like of any others.
 */
function withoutCoveredIds(table: string, row: unknown): unknown {
	return withBoundaries(table, row, (boundary) => {
		if (!('coveredIds' in boundary)) return boundary;
		const { coveredIds: _, ...kept } = boundary;
		return { ...kept, excluded: [] };
	});
}

/** Returns a row with the compactions changed that are in it: itself where it is one, and those of an item of the trash. */
function withBoundaries(table: string, row: unknown, change: (boundary: object) => object): unknown {
	if (typeof row !== 'object' || row === null) return row;
	if (table === 'boundaries') return change(row);
	if (table !== 'trash' || !('boundaries' in row) || !Array.isArray(row.boundaries)) return row;
	return { ...row, boundaries: row.boundaries.map((boundary) => withBoundaries('boundaries', boundary, change)) };
}

/** A row of version 8 or before as it is now: a compaction, also one in the trash, had its unverified values under another name. */
function withUnverified(table: string, row: unknown): unknown {
	return withBoundaries(table, row, (boundary) => {
		if (!('doubtful' in boundary)) return boundary;
		const { doubtful: unverified, ...kept } = boundary;
		return { ...kept, unverified };
	});
}

/** A row of version 8 or before as it is now: a session, also one in the trash, said otherwise that the user gave it its title. */
function withTitlesOfUser(table: string, row: unknown): unknown {
	if (typeof row !== 'object' || row === null) return row;
	if (table === 'trash' && 'session' in row) {
		const session = withTitlesOfUser('sessions', row.session);
		return session === row.session ? row : { ...row, session };
	}
	return table === 'sessions' && 'titledBy' in row && row.titledBy === 'person' ? { ...row, titledBy: 'user' } : row;
}

/** A row of version 10 or before as it is now, or one of a format that knows no archive: its session, also one in the trash, is not archived. */
export function withArchived(table: string, row: unknown): unknown {
	if (typeof row !== 'object' || row === null) return row;
	if (table === 'trash' && 'session' in row) {
		const session = withArchived('sessions', row.session);
		return session === row.session ? row : { ...row, session };
	}
	return table === 'sessions' && !('archived' in row) ? { ...row, archived: 0 } : row;
}

/** A row of version 5 or before as it is now: an unfinished answer, also that of a deleted branch, had its words as two texts. */
function withAnswerParts(table: string, row: unknown): unknown {
	if (typeof row !== 'object' || row === null) return row;
	if (table === 'trash' && 'answer' in row) return { ...row, answer: withAnswerParts('answers', row.answer) };
	// Nothing is checked here; a broken row waits for the check when it is read.
	const hasTexts = 'text' in row && typeof row.text === 'string' && 'reasoning' in row && typeof row.reasoning === 'string';
	return table === 'answers' && hasTexts ? withParts(row as AnswerOfVersion5) : row;
}

function messagesOf(transaction: Transaction, sessionId: string): Promise<Message[]> {
	return transaction.table<Message>('messages').where(':id').between([sessionId], [sessionId, []]).toArray();
}
