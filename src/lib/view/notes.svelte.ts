import { app } from '../app';
import { conversations } from '../app/conversations';
import { formatTodo, newTask, parseTodo, type TodoItem } from '../conversation/todo';
import { AppError } from '../shared/app-error';
import { todoName, type ScratchpadEntry } from '../storage/scratchpad';
import { explainStorageFailure } from '../storage/storage-failure';
import { Live } from './live.svelte';
import { notify, offerBack } from './notices.svelte';
import { writesBeforeLeaving, writeUnwritten } from './unwritten.svelte';

/** How long after the last key what was typed is written. */
const pause = 400;

/** The scratchpad of a session [A7]: its notes, by name, and the to-do list, which is a note as well. */
export class Notes {
	private readonly live: Live<ScratchpadEntry[]>;

	constructor(readonly sessionId: string) {
		this.live = new Live(() => conversations.scratchpad.list(sessionId));
	}

	get loading(): boolean {
		return this.live.loading;
	}

	get failure(): unknown {
		return this.live.failure;
	}

	get todo(): ScratchpadEntry | undefined {
		return this.live.current?.find(({ name }) => name === todoName);
	}

	get others(): ScratchpadEntry[] {
		return this.live.current?.filter(({ name }) => name !== todoName) ?? [];
	}

	/** Why there can't be a note of this name, as a sentence; undefined where there can. */
	problemWith(name: string): string | undefined {
		const wanted = name.trim();
		if (wanted === '') return 'A note needs a name.';
		if (wanted === todoName) return `“${todoName}” is the to-do list, above.`;
		return this.others.some((note) => note.name === wanted) ? `There is a note “${wanted}” already.` : undefined;
	}

	/** Begins a note, or overwrites the to-do list. */
	write(name: string, content: string): Promise<boolean> {
		return told(() => conversations.scratchpad.set(this.sessionId, name, content, app.clock()));
	}

	rename(entry: ScratchpadEntry, name: string): Promise<boolean> {
		// First the new one: a crash between the two leaves the note twice, not lost.
		return told(async () => {
			await conversations.scratchpad.put({ ...this.withLastWords(entry), name, updatedAt: app.clock() });
			await conversations.scratchpad.remove(this.sessionId, entry.name);
			unwrittenNotes[keyOf(this.sessionId, entry.name)]?.drop();
		});
	}

	/** Deletes a note, and offers it back for a while. */
	remove(name: string): Promise<boolean> {
		return told(async () => {
			const entry = await conversations.scratchpad.remove(this.sessionId, name);
			if (!entry) return;
			const whole = this.withLastWords(entry);
			unwrittenNotes[keyOf(this.sessionId, name)]?.drop();
			offerBack(`Note “${name}” deleted.`, () => putBack(whole));
		});
	}

	/** The note with what was typed in it and could not be written. */
	private withLastWords(entry: ScratchpadEntry): ScratchpadEntry {
		const { text: content = entry.content } = unwrittenNotes[keyOf(this.sessionId, entry.name)] ?? {};
		return { ...entry, content };
	}
}

/** Not into a session that is gone. Where another note has taken the name meanwhile, it gets one of its own. */
async function putBack(entry: ScratchpadEntry): Promise<void> {
	const [session, notes] = await Promise.all([app.sessions.get(entry.sessionId), conversations.scratchpad.list(entry.sessionId)]);
	if (!session) return;
	const taken = new Set(notes.map(({ name }) => name));
	let { name } = entry;
	for (let count = 2; taken.has(name); count++) name = `${entry.name} ${count}`;
	await conversations.scratchpad.put({ ...entry, name });
}

/** The notes whose last words are not written yet, by `keyOf`: they outlive their panel, and go on where it is opened again. */
const unwrittenNotes = Object.create(null) as Record<string, NoteText>;

const keyOf = (sessionId: string, name: string) => `${sessionId} ${name}`;

/** The text of a note, to be shown and changed. */
export function openNote(sessionId: string, name: string): NoteText {
	return unwrittenNotes[keyOf(sessionId, name)] ?? new NoteText(sessionId, name);
}

/**
 * The text of one note while it is open. It is written a moment after the last key. What is stored by others shows here,
 * but never in the place of what was typed here and is not written yet.
 */
export class NoteText {
	text = $state('');
	private unwritten = false;
	private writtenAt = 0;
	private complained = false;
	private timer: ReturnType<typeof setTimeout> | undefined;
	private writing: Promise<void> | undefined;
	private forget: (() => void) | undefined;

	constructor(
		private readonly sessionId: string,
		private readonly name: string
	) {}

	/** Takes over what is stored. */
	follow({ content, updatedAt }: Pick<ScratchpadEntry, 'content' | 'updatedAt'>): void {
		if (!this.unwritten && updatedAt >= this.writtenAt) this.text = content;
	}

	/** Tells that the person has typed. */
	changed(): void {
		this.unwritten = true;
		unwrittenNotes[keyOf(this.sessionId, this.name)] = this;
		this.forget ??= writesBeforeLeaving(async () => {
			await this.flush();
			return !this.unwritten;
		});
		clearTimeout(this.timer);
		this.timer = setTimeout(() => void this.flush(), pause);
	}

	/** Forgets what was typed and is not written: the note is gone. */
	drop(): void {
		clearTimeout(this.timer);
		this.settle();
	}

	/** Resolves when everything that was typed is written, or could not be. */
	flush(): Promise<void> {
		clearTimeout(this.timer);
		if (!this.unwritten) return Promise.resolve();
		return (this.writing ??= this.store().finally(() => (this.writing = undefined)));
	}

	private async store(): Promise<void> {
		try {
			for (let written: string | undefined; written !== this.text; ) {
				written = this.text;
				this.writtenAt = app.clock();
				await conversations.scratchpad.set(this.sessionId, this.name, written, this.writtenAt);
			}
			this.settle();
		} catch (error) {
			const failure = explainStorageFailure(error);
			if (!(failure instanceof AppError)) throw failure;
			if (!this.complained) notify({ text: failure.message });
			if (failure.code === 'session-absent') this.drop();
			this.complained = true;
		}
	}

	private settle(): void {
		this.unwritten = this.complained = false;
		this.forget?.();
		this.forget = undefined;
		delete unwrittenNotes[keyOf(this.sessionId, this.name)];
	}
}

/** Into the list as it is by then, which may be open elsewhere, or in no panel any more. */
async function putTaskBack(sessionId: string, index: number, item: TodoItem): Promise<void> {
	await writeUnwritten();
	const [session, list] = await Promise.all([app.sessions.get(sessionId), conversations.scratchpad.get(sessionId, todoName)]);
	if (!session && !list) return;
	const items = parseTodo(list?.content ?? '');
	await conversations.scratchpad.set(sessionId, todoName, formatTodo(items.toSpliced(index, 0, item)), app.clock());
}

/** The to-do list while it is open: the note `todo`, line by line. Lines that are no tasks stay where they are. */
export class TodoText {
	private readonly note: NoteText;
	readonly items = $derived.by(() => parseTodo(this.note.text));

	constructor(private readonly sessionId: string) {
		this.note = openNote(sessionId, todoName);
	}

	/** Takes over what is stored; nothing where there is no list. */
	follow(entry: ScratchpadEntry | undefined): void {
		this.note.follow(entry ?? { content: '', updatedAt: Infinity });
	}

	flush(): Promise<void> {
		return this.note.flush();
	}

	add(text: string): void {
		if (text.trim() !== '') void this.change([...this.items, newTask(text)]);
	}

	toggle(index: number): void {
		void this.change(this.items.map((item, at) => (at === index && item.kind === 'task' ? { ...item, done: !item.done } : item)));
	}

	/** Gives a task another text, which is written a moment later. */
	edit(index: number, text: string): void {
		this.put(this.items.map((item, at) => (at === index ? { ...item, text } : item)));
	}

	/** Deletes a task, and offers it back for a while. */
	remove(index: number): void {
		const item = this.items[index];
		if (!item) return;
		void this.change(this.items.toSpliced(index, 1));
		offerBack('Task deleted.', () => putTaskBack(this.sessionId, index, item));
	}

	/** Moves a task past the next task above or below it, and returns where it is then. */
	move(index: number, by: -1 | 1): number {
		const { items } = this;
		let to = index + by;
		while (items[to]?.kind === 'line') to += by;
		if (!items[to]) return index;
		void this.change(items.with(index, items[to]!).with(to, items[index]!));
		return to;
	}

	private put(items: TodoItem[]): void {
		this.note.text = formatTodo(items);
		this.note.changed();
	}

	private change(items: TodoItem[]): Promise<void> {
		this.put(items);
		return this.flush();
	}
}

/** Whether it worked; where the store refuses, that is said. */
async function told(work: () => Promise<void>): Promise<boolean> {
	try {
		await work();
		return true;
	} catch (error) {
		const failure = explainStorageFailure(error);
		if (!(failure instanceof AppError)) throw failure;
		notify({ text: failure.message, milliseconds: 8000 });
		return false;
	}
}
