import { ChangeReaders } from '../storage/change-readers';
import type { Database } from '../storage/database';
import type { SearchManifest, SearchProgress } from '../storage/tables/search-state';
import type { SegmentPart } from '../storage/tables/segments';
import type { BlockCache } from './index/block-cache';
import type { SegmentParts } from './index/flush';
import { Segment, type BlockKind, type SegmentHead } from './index/segment';

/** Version of the index's documents, terms and bytes: to be raised when any of them changes, so that the index is rebuilt. */
export const searchFormat = 3;

/** The manifest with the index's cursor in the change log: all changes up to it are in the index. */
export interface Manifest extends SearchManifest {
	cursor: number;
}

/** A step of the index: its new manifest, and the segments that come and go with that. */
export interface Commit {
	manifest: Manifest;
	progress: Omit<SearchProgress, 'name'>;
	added: { id: string; parts: SegmentParts }[];
	dropped: string[];
}

/** A block that is gone: another tab has merged its segment into another one. Readers load the index again. */
export class SegmentGone extends Error {}

type PartKey = [segment: string, kind: SegmentPart['kind'], number: number];

interface Batch {
	keys: PartKey[];
	rows: Promise<(SegmentPart | undefined)[]>;
}

/** The rows of the search index. */
export class IndexStore {
	private pending: Batch | undefined;
	private readonly readers: ChangeReaders;

	constructor(private readonly db: Database) {
		this.readers = new ChangeReaders(db);
	}

	/** Reads the manifest; undefined where there is none, one of another format, or one whose reading of the log was ended. */
	manifest(): Promise<Manifest | undefined> {
		return this.db.transaction('r', this.db.searchState, this.db.changeCursors, async () => {
			const [row, cursor] = await Promise.all([this.db.searchState.get('manifest'), this.readers.cursor('search')]);
			return row?.name === 'manifest' && row.format === searchFormat && cursor !== undefined ? { ...row, cursor } : undefined;
		});
	}

	/**
	 * Begins a new index, with a cursor at the end of the log. A manifest that can't be used goes, since its cursor does.
	 * Returns the cursor, and the sessions in the trash.
	 */
	begin(): Promise<{ cursor: number; trashed: string[] }> {
		const { searchState, changes, changeCursors, trash } = this.db;
		return this.db.transaction('rw', searchState, changes, changeCursors, trash, async () => {
			await searchState.delete('manifest');
			const trashed = await trash.filter(({ kind }) => kind === 'session').primaryKeys();
			return { cursor: await this.readers.begin('search'), trashed };
		});
	}

	async progress(): Promise<SearchProgress | undefined> {
		const row = await this.db.searchState.get('progress');
		return row?.name === 'progress' ? row : undefined;
	}

	/** Rejects with `SegmentGone`. */
	async open(id: string, deletionBitmap: Uint8Array, cache: BlockCache): Promise<Segment> {
		const [head] = await this.parts(id, 'head', [0]);
		return new Segment(head!.content as SegmentHead, deletionBitmap, { read: (kind, numbers) => this.blocks(id, kind, numbers) }, cache);
	}

	/** Opens a segment that is to be stored under that id. Until `stored` is called, its blocks are read from memory. */
	openNew(id: string, parts: SegmentParts, deletionBitmap: Uint8Array, cache: BlockCache): { segment: Segment; stored: () => void } {
		let inMemory: SegmentParts | undefined = parts;
		const read = async (kind: BlockKind, numbers: number[]) =>
			inMemory ? new Map(numbers.map((number) => [number, inMemory![kind][number]])) : this.blocks(id, kind, numbers);
		return { segment: new Segment(parts.head, deletionBitmap, { read }, cache), stored: () => (inMemory = undefined) };
	}

	/**
	 * Writes one step in one transaction, and advances the index's cursor past the changes that are in it. Writes nothing and returns false where
	 * the stored index is not the one that the step was made from: it was discarded or written from elsewhere meanwhile.
	 */
	commit({ manifest, progress, added, dropped }: Commit): Promise<boolean> {
		const { segments, searchState, changes, changeCursors } = this.db;
		return this.db.transaction('rw', segments, searchState, changes, changeCursors, async () => {
			const stored = await this.manifest();
			if (stored ? stored.index !== manifest.index || stored.commits + 1 !== manifest.commits : manifest.commits !== 0) return false;
			// A new index: what one of another format left is in its way.
			if (!stored) await segments.clear();
			for (const id of dropped) await segments.where(':id').between([id], [id, []]).delete();
			for (const { id, parts } of added) await segments.bulkAdd(partsOf(id, parts));
			const { cursor, ...row } = manifest;
			await searchState.bulkPut([row, { name: 'progress', ...progress }]);
			await this.readers.advance('search', cursor);
			return true;
		});
	}

	private async blocks(id: string, kind: BlockKind, numbers: number[]): Promise<Map<number, unknown>> {
		const rows = await this.parts(id, kind, numbers);
		return new Map(rows.map(({ number, content }) => [number, content]));
	}

	/** Batches the reads of one moment, of any segments: a query would else wait for each of them in turn. */
	private async parts(id: string, kind: SegmentPart['kind'], numbers: number[]): Promise<SegmentPart[]> {
		const batch = (this.pending ??= this.nextBatch());
		const at = batch.keys.length;
		batch.keys.push(...numbers.map((number): PartKey => [id, kind, number]));
		const rows = (await batch.rows).slice(at, at + numbers.length);
		return rows.map((row) => {
			if (!row) throw new SegmentGone(id);
			return row;
		});
	}

	private nextBatch(): Batch {
		const keys: PartKey[] = [];
		const read = () => {
			this.pending = undefined;
			return this.db.segments.bulkGet(keys);
		};
		return { keys, rows: Promise.resolve().then(read) };
	}
}

function partsOf(segment: string, { head, postings, positions, keys }: SegmentParts): SegmentPart[] {
	return [
		{ segment, kind: 'head', number: 0, content: head },
		...postings.map((content, number): SegmentPart => ({ segment, kind: 'postings', number, content })),
		...positions.map((content, number): SegmentPart => ({ segment, kind: 'positions', number, content })),
		...keys.map((content, number): SegmentPart => ({ segment, kind: 'keys', number, content }))
	];
}

/** Estimates the size of a segment's parts in the store, in bytes. */
export function sizeOf({ head, postings, positions, keys }: SegmentParts): number {
	const { columns, dictionary } = head;
	const perDocument = 4 + 1 + 2 + 4 + 8 + 4;
	const inLists = [...postings, ...positions].reduce((sum, { byteLength }) => sum + byteLength, 0);
	const inKeys = keys.reduce((sum, { text, ends }) => sum + text.length + ends.byteLength, 0);
	return columns.length * perDocument + dictionary.terms.byteLength + inLists + inKeys;
}

/** Discards the index. The leader rebuilds it. */
export function discardIndex(db: Database): Promise<void> {
	const { segments, searchState } = db;
	return db.transaction('rw', segments, searchState, async () => {
		await segments.clear();
		await searchState.clear();
	});
}
