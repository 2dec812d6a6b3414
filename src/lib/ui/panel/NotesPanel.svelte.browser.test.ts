import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newMessage, newSession } from '../../../../tests/fixtures/database';
import { app } from '../../app';
import { conversations } from '../../app/conversations';
import { newId } from '../../shared/id';
import { append } from '../../storage/append';
import { Database } from '../../storage/database';
import { notices } from '../../view/notices.svelte';
import { writeUnwritten } from '../../view/unwritten';
import NotesPanel from './NotesPanel.svelte';

let mounted: Record<string, unknown> | undefined;

async function close() {
	if (mounted) await unmount(mounted);
	mounted = undefined;
	document.body.replaceChildren();
}

afterEach(async () => {
	await close();
	notices.length = 0;
});

/** The panel of a session of this test's own, once it shows what is there. */
async function draw({ sessionId = newId(), writable = true, entries = {} as Record<string, string> } = {}) {
	onTestFinished(async () => {
		for (const { name } of await conversations.scratchpad.list(sessionId)) await conversations.scratchpad.remove(sessionId, name, app.clock());
	});
	const db = new Database();
	onTestFinished(() => db.close());
	await append(db, { session: newSession({ id: sessionId, key: sessionId }), messages: [newMessage('user', 'Hi')] });
	for (const [name, content] of Object.entries(entries)) await conversations.scratchpad.set(sessionId, name, content, app.clock());
	const props = $state({ sessionId, writable });
	mounted = mount(NotesPanel, { target: document.body, props });
	await vi.waitFor(() => expect(document.querySelector('.notes')?.childElementCount).toBeGreaterThan(0));
	return { sessionId, props };
}

const named = <E extends HTMLElement>(name: string) => document.querySelector<E>(`[aria-label="${name}"]`);
const textOf = (name: string) => named<HTMLTextAreaElement>(`Text of note ${name}`)!;
const tasks = () => [...document.querySelectorAll<HTMLTextAreaElement>('[data-part="text"]')].map(({ value }) => value);
const stored = async (sessionId: string, name: string) => (await conversations.scratchpad.get(sessionId, name))?.content;

function type(field: HTMLInputElement | HTMLTextAreaElement, text: string) {
	field.focus();
	field.value = text;
	field.dispatchEvent(new InputEvent('input', { bubbles: true }));
	flushSync();
}

function press(element: HTMLElement, key: string, more: KeyboardEventInit = {}) {
	element.focus();
	element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
	flushSync();
}

describe('NotesPanel', () => {
	it('[E11] asks before a new name goes that is not saved', async () => {
		await draw({ entries: { plan: 'words' } });
		const asks = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
		await vi.waitFor(() => expect(named('Rename note plan')).not.toBeNull());
		named('Rename note plan')!.click();
		flushSync();
		expect(asks()).toBe(false);
		type(named<HTMLInputElement>('New name of the note')!, 'plans');
		expect(asks()).toBe(true);
		press(named('New name of the note')!, 'Escape');
		expect(asks()).toBe(false);
	});

	it('[P8] draws very long words of a to-do list that is only read with places to break, and names its tasks shortly', async () => {
		const word = 'a'.repeat(5_000);
		await draw({ writable: false, entries: { todo: `${word}\n- [ ] ${word}` } });
		await vi.waitFor(() => expect(tasks()).toEqual([]));
		const [line, task] = document.querySelectorAll('section li');
		for (const row of [line!, task!]) expect([row.textContent.trim(), row.querySelectorAll('wbr').length]).toEqual([word, expect.toSatisfy((n: number) => n > 0)]);
		expect(task!.querySelector('input')!.getAttribute('aria-label')).toHaveLength(100);
	});

	it('[P8] draws 100 notes and 100 tasks until more is asked for, and goes to a note and a task that are added', async () => {
		const entries = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`n${String(index).padStart(3, '0')}`, 'text']));
		await draw({ entries: { ...entries, todo: '- [ ] task\n'.repeat(350) } });
		const notes = () => document.querySelectorAll('[aria-label^="Text of note"]').length;
		await vi.waitFor(() => expect([notes(), tasks().length]).toEqual([100, 100]));
		const button = (text: RegExp) => [...document.querySelectorAll('button')].find((other) => text.test(other.textContent))!;
		button(/251 lines left/).click();
		flushSync();
		expect(tasks()).toHaveLength(200);
		expect(button(/50 notes left/)).toBeDefined();

		type(named<HTMLInputElement>('Name of the new note')!, 'z');
		button(/New note/).click();
		await vi.waitFor(() => expect(document.activeElement).toBe(textOf('z')));
		expect(notes()).toBe(151);
		button(/151 lines left/).click();
		flushSync();
		type(named<HTMLInputElement>('New task')!, 'last');
		button(/^Add$/).click();
		await vi.waitFor(() => expect(tasks().at(-1)).toBe('last'));
	});

	it('[P8] shows a text that takes long in a field without one, once it is asked for', async () => {
		await draw({ entries: { a: 'plain', b: '\u05d0a'.repeat(10_000), todo: `- [ ] a${'\u0301'.repeat(50)}\n` } });
		await vi.waitFor(() => expect(textOf('a')).not.toBeNull());
		expect(textOf('b')).toBeNull();
		expect(tasks()).toEqual([]);
		const button = (text: RegExp) => [...document.querySelectorAll('button')].find((other) => text.test(other.textContent))!;
		expect(document.body.textContent).not.toContain('\u05d0a');
		button(/Show 20,000 characters/).click();
		button(/Show the to-do list/).click();
		flushSync();
		expect(textOf('b')).toBeNull();
		expect(tasks()).toEqual([]);
		expect(document.body.textContent).toContain('\u05d0a\u05d0a');
		expect(document.body.textContent).toContain('This note is too long or too complex to edit here.');
		expect(document.body.textContent).toContain('This list is too long or too complex to edit here.');
	});

	it('[A7] [E11] stores each key at once, one write at a time, also where the panel is closed meanwhile', async () => {
		const { sessionId } = await draw({ entries: { plan: '' } });
		const change = vi.spyOn(conversations.scratchpad, 'change');
		onTestFinished(() => change.mockRestore());
		type(textOf('plan'), 'a');
		expect(change).toHaveBeenCalledTimes(1);
		type(textOf('plan'), 'ab');
		type(textOf('plan'), 'abc');
		expect(change).toHaveBeenCalledTimes(1);
		await close();
		expect(await writeUnwritten()).toBe(true);
		expect(change).toHaveBeenCalledTimes(2);
		expect(await stored(sessionId, 'plan')).toBe('abc');
	});

	it('[A7] [A5] shows what another tab writes, and loses neither text where both write', async () => {
		const { sessionId } = await draw({ entries: { plan: 'one' } });
		await conversations.scratchpad.set(sessionId, 'plan', 'two', app.clock());
		await vi.waitFor(() => expect(textOf('plan').value).toBe('two'));
		// Their write is stored before this tab is told of it.
		const theirs = conversations.scratchpad.set(sessionId, 'plan', 'two from elsewhere', app.clock());
		type(textOf('plan'), 'two from here');
		await theirs;
		const both = 'two from elsewhere\n\n from here';
		await vi.waitFor(async () => expect(await stored(sessionId, 'plan')).toBe(both));
		await vi.waitFor(() => expect(textOf('plan').value).toBe(both));
	});

	it('[A7] [Z8] leaves the caret with its words where a tool changes the note meanwhile', async () => {
		const { sessionId } = await draw({ entries: { plan: 'Pears and plums\nFigs' } });
		await vi.waitFor(() => expect(textOf('plan')).not.toBeNull());
		const field = textOf('plan');
		field.focus();
		field.setSelectionRange(5, 9);
		const changed = async (next: (text: string) => string) => {
			await conversations.scratchpad.change(sessionId, 'plan', (text = '') => next(text), app.clock());
			await vi.waitFor(async () => expect(field.value).toBe(await stored(sessionId, 'plan')));
			return field.value.slice(field.selectionStart, field.selectionEnd);
		};
		expect(await changed((text) => `${text}\nNuts`)).toBe(' and');
		expect(await changed((text) => `Fruit\n${text}`)).toBe(' and');
		expect(await changed((text) => text.replace('Pears', 'Pea'))).toBe(' and');
		expect(await changed(() => 'Fruit')).toBe('');
	});

	it('[A7] [E11] holds the page while the store refuses a note, which goes with the note', async () => {
		const { sessionId } = await draw({ entries: { plan: 'one' } });
		const full = new DOMException('No room.', 'QuotaExceededError');
		const change = vi.spyOn(conversations.scratchpad, 'change').mockRejectedValue(full);
		onTestFinished(() => change.mockRestore());
		const leaves = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
		type(textOf('plan'), 'one, two');
		expect(await writeUnwritten()).toBe(false);
		expect(notices).toHaveLength(1);
		expect(leaves()).toBe(false);
		named('Delete note plan')!.click();
		await vi.waitFor(async () => expect(await stored(sessionId, 'plan')).toBeUndefined());
		await vi.waitFor(() => expect(leaves()).toBe(true));
		expect(await writeUnwritten()).toBe(true);
		await notices.at(-1)!.action!.run();
		expect(await stored(sessionId, 'plan')).toBe('one, two');
	});

	it('[A7] begins a note under a name that is not taken, and goes to its text', async () => {
		const { sessionId } = await draw({ entries: { plan: 'one' } });
		const field = named<HTMLInputElement>('Name of the new note')!;
		const submit = () => {
			field.form!.requestSubmit();
			flushSync();
		};
		for (const taken of ['plan', 'todo', '  ']) {
			type(field, taken);
			submit();
			expect(document.querySelector('[role="alert"]')).not.toBeNull();
		}
		expect(await stored(sessionId, 'plan')).toBe('one');
		type(field, ' ideas ');
		submit();
		await vi.waitFor(() => expect(document.activeElement).toBe(textOf('ideas')));
		expect(await stored(sessionId, 'ideas')).toBe('');
	});

	it('[A7] renames a note with what was just typed in it', async () => {
		const { sessionId } = await draw({ entries: { plan: 'one' } });
		type(textOf('plan'), 'two');
		named('Rename note plan')!.click();
		flushSync();
		const field = named<HTMLInputElement>('New name of the note')!;
		type(field, 'scheme');
		field.form!.requestSubmit();
		await vi.waitFor(() => expect(textOf('scheme')?.value).toBe('two'));
		expect((await conversations.scratchpad.list(sessionId)).map(({ name }) => name)).toEqual(['scheme']);
	});

	it('[A7] [A14] deletes a note and brings it back; where the session is gone meanwhile, that is said', async () => {
		const { sessionId } = await draw({ entries: { plan: 'one' } });
		named('Delete note plan')!.click();
		await vi.waitFor(async () => expect(await stored(sessionId, 'plan')).toBeUndefined());
		await vi.waitFor(() => expect(notices.at(-1)?.action).toBeDefined());
		await notices.at(-1)!.action!.run();
		expect(await stored(sessionId, 'plan')).toBe('one');
		const undo = notices.at(-1)!.action!;
		await conversations.deleteSessions([sessionId], 0);
		await conversations.purge();
		await undo.run();
		expect(await stored(sessionId, 'plan')).toBeUndefined();
		expect(notices.map(({ text }) => text)).toContain('This chat was deleted, so the note was not kept.');
	});

	it('[A7] [A14] brings a note back under another name where its own is taken by then', async () => {
		const { sessionId } = await draw({ entries: { plan: 'one' } });
		named('Delete note plan')!.click();
		await vi.waitFor(() => expect(notices.at(-1)?.action).toBeDefined());
		await conversations.scratchpad.set(sessionId, 'plan', 'another', app.clock());
		await notices.at(-1)!.action!.run();
		expect(await stored(sessionId, 'plan')).toBe('another');
		expect(await stored(sessionId, 'plan 2')).toBe('one');
	});

	it('[A7] only shows, where another tab writes the session', async () => {
		await draw({ writable: false, entries: { plan: 'one', todo: '- [x] Tidy up' } });
		expect(textOf('plan').readOnly).toBe(true);
		expect(document.querySelectorAll('button')).toHaveLength(0);
		expect(named<HTMLInputElement>('Tidy up')).toMatchObject({ checked: true, disabled: true });
	});
});

describe('the to-do list', () => {
	const list = '# Trip\n- [ ] Pack\n- [x] Book';

	it('[A7] is a Markdown task list, whose other lines are kept', async () => {
		const { sessionId } = await draw({ entries: { todo: list } });
		await vi.waitFor(() => expect(tasks()).toEqual(['Pack', 'Book']));
		named('Pack')!.click();
		await vi.waitFor(async () => expect(await stored(sessionId, 'todo')).toBe('# Trip\n- [x] Pack\n- [x] Book'));
		const field = named<HTMLInputElement>('New task')!;
		type(field, 'Leave');
		field.form!.requestSubmit();
		await vi.waitFor(async () => expect(await stored(sessionId, 'todo')).toBe('# Trip\n- [x] Pack\n- [x] Book\n- [ ] Leave'));
		type(named<HTMLTextAreaElement>('Text of task “Pack”')!, 'Pack light');
		await vi.waitFor(async () => expect(await stored(sessionId, 'todo')).toBe('# Trip\n- [x] Pack light\n- [x] Book\n- [ ] Leave'));
	});

	it('[A7] [Z8] keeps who types in a task in it, where a tool changes other lines meanwhile', async () => {
		const { sessionId } = await draw({ entries: { todo: '- [ ] a\n- [ ] b\n- [ ] c\n- [ ] d' } });
		await vi.waitFor(() => expect(tasks()).toEqual(['a', 'b', 'c', 'd']));
		const field = named<HTMLTextAreaElement>('Text of task “c”')!;
		type(field, 'see');
		field.setSelectionRange(1, 1);
		const put = async (list: string[]) => {
			await conversations.scratchpad.change(sessionId, 'todo', () => list.map((text) => `- [ ] ${text}`).join('\n'), app.clock());
			await vi.waitFor(() => expect(tasks()).toEqual(list));
		};
		await vi.waitFor(async () => expect(await stored(sessionId, 'todo')).toContain('see'));
		for (const list of [['b', 'see', 'd'], ['new', 'b', 'see', 'd', 'e'], ['see', 'd'], ['see!', 'd']]) {
			await put(list);
			expect([document.activeElement, field.value, field.selectionStart]).toEqual([field, list.find((text) => text.startsWith('see')), 1]);
		}
	});

	it('[A7] moves tasks by keys and by buttons, and the focus goes with them', async () => {
		const { sessionId } = await draw({ entries: { todo: '- [ ] a\n- [ ] b\n\n- [ ] c' } });
		await vi.waitFor(() => expect(tasks()).toEqual(['a', 'b', 'c']));
		press(named('Text of task “c”')!, 'ArrowUp', { altKey: true });
		await vi.waitFor(async () => expect(await stored(sessionId, 'todo')).toBe('- [ ] a\n- [ ] c\n\n- [ ] b'));
		expect(document.activeElement).toBe(named('Text of task “c”'));
		named('Move “a” down')!.focus();
		named('Move “a” down')!.click();
		await vi.waitFor(async () => expect(await stored(sessionId, 'todo')).toBe('- [ ] c\n- [ ] a\n\n- [ ] b'));
		expect(document.activeElement).toBe(named('Move “a” down'));
	});

	it('[A7] deletes a task and brings it back to its place', async () => {
		const { sessionId } = await draw({ entries: { todo: list } });
		await vi.waitFor(() => expect(tasks()).toEqual(['Pack', 'Book']));
		named('Delete “Pack”')!.click();
		await vi.waitFor(async () => expect(await stored(sessionId, 'todo')).toBe('# Trip\n- [x] Book'));
		await notices.at(-1)!.action!.run();
		expect(await stored(sessionId, 'todo')).toBe(list);
	});
});
