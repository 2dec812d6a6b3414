import { app } from '../app';
import { conversations } from '../app/conversations';
import { changedStretch } from '../conversation/merge-unsent';
import { formatTodo, newTask, parseTodo, type TodoItem } from '../conversation/todo';
import type { AppError } from '../shared/app-error';
import { alreadyThere, todoName } from '../storage/scratchpad';
import type { ScratchpadEntry } from '../storage/tables/scratchpad';
import { forgetAllLeft, renameLeft } from '../storage/left-of-sessions';
import { nameOfLeft } from '../storage/left-texts';
import { Live } from './live.svelte';
import { offerBack, tryOrReport } from './notices.svelte';
import { TypedText } from './typed-text.svelte';

/** The scratchpad of a session [A7]: its notes, by name, and the to-do list, which is a note as well. */
export class Notes {
	private readonly live: Live<ScratchpadEntry[]>;

	constructor(readonly sessionId: string) {
		this.live = new Live(() => conversations.scratchpad.list(sessionId));
	}

	get loading(): boolean {
		return this.live.loading;
	}

	get failure(): AppError | undefined {
		return this.live.failure;
	}

	get todo(): ScratchpadEntry | undefined {
		return this.live.current?.find(({ name }) => name === todoName);
	}

	get others(): ScratchpadEntry[] {
		return this.live.current?.filter(({ name }) => name !== todoName) ?? [];
	}

	/** Returns the reason why there can't be a note of this name, as a sentence; undefined where there can. */
	problemWith(name: string): string | undefined {
		const wanted = name.trim();
		if (wanted === '') return 'A note needs a name.';
		if (wanted === todoName) return `“${todoName}” is the to-do list, above.`;
		return this.others.some((note) => note.name === wanted) ? alreadyThere(wanted) : undefined;
	}

	/** Begins a note. */
	begin(name: string): Promise<boolean> {
		return tryOrReport(() => conversations.scratchpad.begin(this.sessionId, name, app.clock()));
	}

	/** Renames a note; what is typed in it meanwhile goes on under the new name. */
	rename(from: string, to: string): Promise<boolean> {
		return tryOrReport(() =>
			openNote(this.sessionId, from).between(async () => {
				await conversations.scratchpad.rename(this.sessionId, from, to, app.clock());
				moveNote(this.sessionId, from, to);
			})
		);
	}

	/** Deletes a note, and offers it back for a while, with what was typed in it and could not be written. */
	remove(name: string): Promise<boolean> {
		const note = openNote(this.sessionId, name);
		return tryOrReport(() =>
			note.between(async () => {
				const entry = await conversations.scratchpad.remove(this.sessionId, name, app.clock());
				if (!entry) return;
				const whole = note.unwritten ? { ...entry, content: note.text } : entry;
				closeNote(this.sessionId, name);
				offerBack(`Note “${name}” deleted.`, () => conversations.scratchpad.putBack(whole));
			})
		);
	}
}

interface OpenNote {
	name: string;
	text: TypedText;
}

/** The notes whose texts were shown, the same as long as the page lives, by `keyOf`. */
const openNotes = Object.create(null) as Record<string, OpenNote>;

const keyOf = (sessionId: string, name: string) => `${sessionId} ${name}`;

/** The text of a note, to be shown and changed. */
export function openNote(sessionId: string, name: string): TypedText {
	return (openNotes[keyOf(sessionId, name)] ??= shown(sessionId, name)).text;
}

function shown(sessionId: string, name: string): OpenNote {
	const write = (next: (stored: string | undefined) => string) => conversations.scratchpad.change(sessionId, open.name, next, app.clock());
	const open: OpenNote = { name, text: new TypedText(write, () => nameOfLeft('note', sessionId, open.name)) };
	return open;
}

/** Stores what is typed in a note under its new name from now on. */
function moveNote(sessionId: string, from: string, to: string): void {
	const open = openNotes[keyOf(sessionId, from)];
	if (!open) return;
	open.name = to;
	renameLeft(nameOfLeft('note', sessionId, from), nameOfLeft('note', sessionId, to));
	openNotes[keyOf(sessionId, to)] = open;
	delete openNotes[keyOf(sessionId, from)];
}

/** Forgets the text of a note that is not there any more. */
function closeNote(sessionId: string, name: string): void {
	openNotes[keyOf(sessionId, name)]?.text.drop();
	forgetAllLeft(nameOfLeft('note', sessionId, name));
	delete openNotes[keyOf(sessionId, name)];
}

/** Into the list as it is by then, which may be open elsewhere, or in no panel any more. */
async function putTaskBack(sessionId: string, index: number, item: TodoItem): Promise<void> {
	const note = openNote(sessionId, todoName);
	const withTask = (list = '') => formatTodo(parseTodo(list).toSpliced(index, 0, item));
	await note.flush();
	if (note.unwritten) {
		note.text = withTask(note.text);
		return note.changed();
	}
	await conversations.scratchpad.change(sessionId, todoName, withTask, app.clock());
}

/** A line of the to-do list as it is drawn, under its key. */
type TodoRow = TodoItem & { key: number };

let keys = 0;

/**
 * Gives the lines of a list the keys that they had in `before`, so that who is in one stays in it as others come and go around it, and
 * one that has changed that of what stood in its place.
 */
function withKeys(items: TodoItem[], before: TodoRow[]): TodoRow[] {
	const [lines, were] = [items, before].map((list) => list.map((item) => formatTodo([item]))) as [string[], string[]];
	const { from, same } = changedStretch(were, lines);
	const left = before.slice(from, before.length - same);
	const take = (at: number) => (at < 0 ? undefined : left.splice(at, 1)[0]!.key);
	const kept = lines.map((line, index) => {
		if (index < from) return before[index]!.key;
		if (index >= lines.length - same) return before[index - lines.length + before.length]!.key;
		return take(left.findIndex((item) => formatTodo([item]) === line));
	});
	return items.map((item, index) => ({ ...item, key: kept[index] ?? left.shift()?.key ?? keys++ }));
}

/** The to-do list while it is open: the note `todo`, line by line. Lines that are no tasks stay where they are. */
export class TodoText {
	private readonly note: TypedText;
	private shown: TodoRow[] = [];
	readonly items = $derived.by(() => (this.shown = withKeys(parseTodo(this.note.text), this.shown)));

	constructor(private readonly sessionId: string) {
		this.note = openNote(sessionId, todoName);
	}

	/** Takes over what is stored; nothing where there is no list. */
	follow(entry: ScratchpadEntry | undefined): void {
		this.note.follow(entry?.content ?? '');
	}

	add(text: string): void {
		if (text.trim() !== '') void this.put([...this.items, newTask(text)]);
	}

	toggle(index: number): void {
		void this.put(this.items.map((item, at) => (at === index && item.kind === 'task' ? { ...item, done: !item.done } : item)));
	}

	/** Gives a task another text. */
	edit(index: number, text: string): void {
		void this.put(this.items.map((item, at) => (at === index ? { ...item, text } : item)));
	}

	/** Deletes a task, and offers it back for a while. */
	async remove(index: number): Promise<void> {
		const item = this.items[index];
		if (!item) return;
		const stored = await this.put(this.items.toSpliced(index, 1));
		offerBack(stored ? 'Task deleted.' : 'Task deleted here, but not stored yet.', () => putTaskBack(this.sessionId, index, item));
	}

	/** Moves a task past the next task above or below it, and returns where it is then. */
	move(index: number, by: -1 | 1): number {
		const { items } = this;
		let to = index + by;
		while (items[to]?.kind === 'line') to += by;
		if (!items[to]) return index;
		void this.put(items.with(index, items[to]!).with(to, items[index]!));
		return to;
	}

	private async put(items: TodoItem[]): Promise<boolean> {
		this.note.text = formatTodo(items);
		this.note.changed();
		await this.note.flush();
		return !this.note.unwritten;
	}
}
