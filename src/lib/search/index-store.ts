import { ChangeReaders } from '../storage/change-readers';
import type { Database } from '../storage/database';
import type { SearchManifest, SearchProgress } from '../storage/tables/search-state';
import type { SegmentPart } from '../storage/tables/segments';
import type { BlockCache } from './index/block-cache';
import type { FrozenParts } from './index/freeze';
import { Segment, type BlockKind, type SegmentHead } from './index/segment';

/** Of the words and the bytes of the index: to be raised when either changes, so that it is rebuilt. */
export const searchFormat = 1;

/** The manifest, and the change up to which it has taken all in: its cursor in the log. */
export interface Manifest extends SearchManifest {
	watermark: number;
}

/** One step of the index: what it holds from now on, and the segments that come and go with that. */
export interface Commit {
	manifest: Manifest;
	progress: Omit<SearchProgress, 'name'>;
	added: { id: string; parts: FrozenParts }[];
	dropped: string[];
}

/** A block that is gone: another tab has merged its segment into another one. Who meets it opens the index again. */
export class SegmentGone extends Error {}

type PartKey = [segment: string, kind: SegmentPart['kind'], number: number];

interface Batch {
	keys: PartKey[];
	rows: Promise<(SegmentPart | undefined)[]>;
}

/** The rows of the search index. */
export class IndexStore {
	private asked: Batch | undefined;
	private readonly readers: ChangeReaders;

	constructor(private readonly db: Database) {
		this.readers = new ChangeReaders(db);
	}

	/** Reads the manifest; undefined where there is none, one of another format, or one whose reading of the log was ended. */
	manifest(): Promise<Manifest | undefined> {
		return this.db.transaction('r', this.db.searchState, this.db.changeCursors, async () => {
			const [row, watermark] = await Promise.all([this.db.searchState.get('manifest'), this.readers.cursor('search')]);
			return row?.name === 'manifest' && row.format === searchFormat && watermark !== undefined ? { ...row, watermark } : undefined;
		});
	}

	/**
	 * Begins a new index: what is written from now on is kept for it in the log. One that can't be used goes, since its place in the log
	 * does. Returns that place, and the sessions that are deleted.
	 */
	begin(): Promise<{ watermark: number; absent: string[] }> {
		const { searchState, changes, changeCursors, trash } = this.db;
		return this.db.transaction('rw', searchState, changes, changeCursors, trash, async () => {
			await searchState.delete('manifest');
			const absent = await trash.filter(({ kind }) => kind === 'session').primaryKeys();
			return { watermark: await this.readers.begin('search'), absent };
		});
	}

	async progress(): Promise<SearchProgress | undefined> {
		const row = await this.db.searchState.get('progress');
		return row?.name === 'progress' ? row : undefined;
	}

	/** Rejects with `SegmentGone`. */
	async open(id: string, dead: Uint8Array, cache: BlockCache): Promise<Segment> {
		const [head] = await this.parts(id, 'head', [0]);
		return new Segment(head!.content as SegmentHead, dead, { read: (kind, numbers) => this.blocks(id, kind, numbers) }, cache);
	}

	/** One that is to be stored under that id. Until `stored` is called, its blocks are read from memory. */
	openMade(id: string, parts: FrozenParts, dead: Uint8Array, cache: BlockCache): { segment: Segment; stored: () => void } {
		let inMemory: FrozenParts | undefined = parts;
		const read = async (kind: BlockKind, numbers: number[]) =>
			inMemory ? new Map(numbers.map((number) => [number, inMemory![kind][number]])) : this.blocks(id, kind, numbers);
		return { segment: new Segment(parts.head, dead, { read }, cache), stored: () => (inMemory = undefined) };
	}

	/**
	 * Writes one step, in one transaction, and moves the index's cursor behind the changes that are in it. False where the index is not
	 * what the step was made from, since it was thrown away or written from elsewhere meanwhile; then nothing is written.
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
			const { watermark, ...row } = manifest;
			await searchState.bulkPut([row, { name: 'progress', ...progress }]);
			await this.readers.advance('search', watermark);
			return true;
		});
	}

	private async blocks(id: string, kind: BlockKind, numbers: number[]): Promise<Map<number, unknown>> {
		const rows = await this.parts(id, kind, numbers);
		return new Map(rows.map(({ number, content }) => [number, content]));
	}

	/** Reads together what is asked for at one moment, of any segments: a query would else wait for each of them in turn. */
	private async parts(id: string, kind: SegmentPart['kind'], numbers: number[]): Promise<SegmentPart[]> {
		const batch = (this.asked ??= this.nextBatch());
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
			this.asked = undefined;
			return this.db.segments.bulkGet(keys);
		};
		return { keys, rows: Promise.resolve().then(read) };
	}
}

function partsOf(segment: string, { head, postings, places, keys }: FrozenParts): SegmentPart[] {
	return [
		{ segment, kind: 'head', number: 0, content: head },
		...postings.map((content, number): SegmentPart => ({ segment, kind: 'postings', number, content })),
		...places.map((content, number): SegmentPart => ({ segment, kind: 'places', number, content })),
		...keys.map((content, number): SegmentPart => ({ segment, kind: 'keys', number, content }))
	];
}

/** Estimates the size of a segment's parts in the store, in bytes. */
export function sizeOf({ head, postings, places, keys }: FrozenParts): number {
	const { columns, dictionary } = head;
	const perDocument = 4 + 1 + 2 + 4 + 8 + 4;
	const inLists = [...postings, ...places].reduce((sum, { byteLength }) => sum + byteLength, 0);
	const inKeys = keys.reduce((sum, { text, ends }) => sum + text.length + ends.byteLength, 0);
	return columns.length * perDocument + dictionary.terms.byteLength + inLists + inKeys;
}

/** Throws the index away. Whoever keeps it rebuilds it. */
export function discardIndex(db: Database): Promise<void> {
	const { segments, searchState } = db;
	return db.transaction('rw', segments, searchState, async () => {
		await segments.clear();
		await searchState.clear();
	});
}
