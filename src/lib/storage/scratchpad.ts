import { AppError } from '../shared/app-error';
import { Dexie } from 'dexie';
import type { Database } from './database';
import { noteDeletionId } from './deletions';
import type { ScratchpadEntry } from './tables/scratchpad';

/** The name of the entry that is the to-do list. */
export const todoName = 'todo';

/** The longest name of an entry, in characters; a backup takes none that is longer. */
export const maxNoteName = 1000;

/** Says why an entry can't have a name. */
export function alreadyThere(name: string): string {
	return `There is a note “${name}” already.`;
}

/** The notes of a session. They are not under its lease: any tab may write them, and each write takes up what is there by then. */
export class Scratchpad {
	constructor(private readonly db: Database) {}

	/** By name. */
	list(sessionId: string): Promise<ScratchpadEntry[]> {
		return this.db.scratchpad.where(':id').between([sessionId, Dexie.minKey], [sessionId, Dexie.maxKey]).toArray();
	}

	get(sessionId: string, name: string): Promise<ScratchpadEntry | undefined> {
		return this.db.scratchpad.get([sessionId, name]);
	}

	/** Writes an entry, as a whole. Throws as `change` does. */
	async set(sessionId: string, name: string, content: string, now: number): Promise<void> {
		await this.change(sessionId, name, () => content, now);
	}

	/** Begins an entry, empty. Throws as `change` does, and an AppError (`note-exists`) where its name is taken by then. */
	begin(sessionId: string, name: string, now: number): Promise<void> {
		return this.inSession(sessionId, async () => {
			await this.requireFree(sessionId, name);
			await this.add({ sessionId, name, content: '', createdAt: now, updatedAt: now });
		});
	}

	/**
	 * Writes what `next` makes of what is there by then, undefined where nothing is, and returns it. Throws an AppError
	 * (`session-absent`) where its session is gone for good.
	 */
	change(sessionId: string, name: string, next: (content: string | undefined) => string, now: number): Promise<string> {
		return this.inSession(sessionId, async () => {
			const entry = await this.get(sessionId, name);
			const content = next(entry?.content);
			if (!entry) requireShort(name);
			if (entry) await this.db.scratchpad.put({ ...entry, content, updatedAt: now });
			else await this.add({ sessionId, name, content, createdAt: now, updatedAt: now });
			return content;
		});
	}

	/**
	 * Stores an entry, as it is by then, under another name; nothing where it is not there. Throws as `change` does, and an AppError
	 * (`note-exists`) where that name is taken by then.
	 */
	rename(sessionId: string, from: string, to: string, now: number): Promise<void> {
		return this.inSession(sessionId, async () => {
			await this.requireFree(sessionId, to);
			const entry = await this.remove(sessionId, from, now);
			if (entry) await this.add({ ...entry, name: to, updatedAt: now });
		});
	}

	/** Returns what was there, to be put back. */
	remove(sessionId: string, name: string, now: number): Promise<ScratchpadEntry | undefined> {
		const { scratchpad, deletions } = this.db;
		return this.db.transaction('rw', scratchpad, deletions, async () => {
			const entry = await this.get(sessionId, name);
			if (!entry) return undefined;
			await scratchpad.delete([sessionId, name]);
			await deletions.put({ kind: 'note', id: noteDeletionId(sessionId, name), sessionId, at: now });
			return entry;
		});
	}

	/** Puts back what was removed, under a name of its own where another has taken its name meanwhile. Throws as `change` does. */
	putBack(entry: ScratchpadEntry): Promise<void> {
		return this.inSession(entry.sessionId, async () => {
			const taken = new Set((await this.list(entry.sessionId)).map(({ name }) => name));
			let { name } = entry;
			for (let count = 2; taken.has(name); count++) name = `${entry.name.slice(0, maxNoteName - 10)} ${count}`;
			await this.add({ ...entry, name });
		});
	}

	/** Stores an entry that is not there, also where one of its name was deleted. Part of the running transaction. */
	private async add(entry: ScratchpadEntry): Promise<void> {
		await this.db.scratchpad.put(entry);
		await this.db.deletions.delete(noteDeletionId(entry.sessionId, entry.name));
	}

	private async requireFree(sessionId: string, name: string): Promise<void> {
		requireShort(name);
		if (await this.get(sessionId, name)) throw new AppError('note-exists', alreadyThere(name));
	}

	/** One transaction, in a session that is there or can still be brought back: what is written then comes back with it. */
	private inSession<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
		const { scratchpad, trees, deletions } = this.db;
		const requireSession = async () => {
			if ((await trees.where('sessionId').equals(sessionId).count()) > 0) return;
			throw new AppError('session-absent', 'This chat was deleted, so the note was not kept.');
		};
		// At the same time: the sooner it ends, the less of it is lost with a page that goes, and what throws undoes all of it.
		return this.db.transaction('rw', scratchpad, trees, deletions, async () => (await Promise.all([work(), requireSession()]))[0]);
	}
}

function requireShort(name: string): void {
	if (name.length > maxNoteName) throw new AppError('note-name-too-long', `The name of a note can have up to ${maxNoteName.toLocaleString()} characters.`);
}
