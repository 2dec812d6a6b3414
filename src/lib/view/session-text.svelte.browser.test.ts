import { flushSync } from 'svelte';
import { afterEach, expect, it, vi } from 'vitest';
import { newMessage, newSession } from '../../../tests/fixtures/database';
import { conversations } from '../app/conversations';
import { AppError } from '../shared/app-error';
import { newId } from '../shared/id';
import { append } from '../storage/append';
import { Database } from '../storage/database';
import { unsentOf, writeDraft } from '../storage/drafts';
import { NewChatText } from './composer.svelte';
import { forgetLeftOf, sessionsLeft } from '../storage/left-of-sessions';
import { nameOfLeft } from '../storage/left-texts';
import { textOfSession } from './session-text.svelte';

const db = new Database();

afterEach(() => {
	vi.restoreAllMocks();
	localStorage.clear();
});

async function storedSession(): Promise<string> {
	const id = newId();
	await append(db, { session: newSession({ id }), messages: [newMessage('user', 'Hello')] });
	return id;
}

const draftOf = async (id: string) => (await db.drafts.get(id))?.composer;

it('[A5] [E11] asks before it goes with words that another tab kept from being stored, and stores them as soon as it may', async () => {
	const id = await storedSession();
	const text = textOfSession(id);
	await text.sync();
	vi.spyOn(conversations.drafts, 'set').mockRejectedValueOnce(new AppError('taken-over', 'Another tab has taken over this chat.'));
	text.write('typed while another tab took over');
	await text.sync();
	expect([text.isRefused, await draftOf(id)]).toEqual([true, undefined]);
	await text.sync();
	expect([text.isRefused, await draftOf(id)]).toEqual([false, 'typed while another tab took over']);
});

it('[A5] [E11] does not write where another tab has the session, and says that it would be lost', async () => {
	const id = await storedSession();
	const text = textOfSession(id);
	vi.spyOn(conversations.writers, 'open').mockResolvedValueOnce(undefined);
	text.write('typed before it was known');
	await text.sync();
	expect(text.isRefused).toBe(true);
	await text.sync();
	expect([text.isRefused, await draftOf(id)]).toEqual([false, 'typed before it was known']);
});

it('[E11] a write that the browser ends is said and tried again, as one that the store refuses', async () => {
	const id = await storedSession();
	const text = textOfSession(id);
	await text.sync();
	const reported = vi.spyOn(globalThis, 'reportError').mockReturnValue();
	vi.spyOn(conversations.drafts, 'set').mockRejectedValueOnce(new DOMException('The transaction was aborted.', 'AbortError'));
	text.write('typed');
	await text.sync();
	expect([text.isRefused, await draftOf(id)]).toEqual([true, undefined]);
	expect(reported).toHaveBeenCalledOnce();
	await vi.waitFor(async () => expect([text.isRefused, await draftOf(id)]).toEqual([false, 'typed']), { timeout: 30_000 });
});

it('[E11] what is typed while a message is being sent is not taken for stored where the store refuses it', async () => {
	const id = await storedSession();
	const text = textOfSession(id);
	text.write('one');
	await text.sync();
	const sending = text.send(async ({ unsent }) => {
		await db.transaction('rw', db.drafts, async () => writeDraft(db, id, unsent!(unsentOf(await db.drafts.get(id)))));
		// The next write has begun and will be refused.
		const refused = new AppError('disk-full', 'There is no space left.', { retryable: true });
		vi.spyOn(conversations.drafts, 'set').mockImplementationOnce(async (_, next) => {
			next(unsentOf(await db.drafts.get(id)));
			await new Promise((resolve) => setTimeout(resolve, 50));
			throw refused;
		});
		text.write('two');
		await vi.waitFor(() => expect(conversations.drafts.set).toHaveBeenCalled());
		return 'sent';
	});
	await sending;
	await vi.waitFor(() => expect(text.isRefused).toBe(true));
	await text.sync();
	expect([text.unwritten, text.text, await draftOf(id)]).toEqual([false, 'two', 'two']);
});

it('[E11] what was read when a chat was shown last does not come back into its composer', async () => {
	const id = await storedSession();
	const text = textOfSession(id);
	// The screen holds the lease while it shows the chat.
	const lease = await conversations.writers.open(id);
	const follow = () => {
		const stop = $effect.root(() => {
			$effect(() => text.follow());
		});
		flushSync();
		return stop;
	};
	text.write('one');
	await text.sync();
	const leave = follow();
	// What another tab writes shows that the draft is followed.
	await writeDraft(db, id, { text: 'one of both', attachments: [] });
	await vi.waitFor(() => expect(text.text).toBe('one of both'));
	leave();
	text.write('two');
	await text.sync();
	const end = follow();
	expect([text.text, await draftOf(id)]).toEqual(['two', 'two']);
	end();
	lease!.release();
});

const typed = (text: string) => ({ text, attachments: [] });
const leftKeys = () => Object.keys(localStorage).filter((key) => key.includes('unwritten'));

/** Leaves a text of a session as a page does that goes before it is written. Returns the page's id. */
function leaveAsPage(sessionId: string, left: object): string {
	const page = newId();
	localStorage.setItem(`snug:unwritten:${nameOfLeft('draft', sessionId)}:${page}`, JSON.stringify({ known: typed(''), pending: [], ...left }));
	return page;
}

it('[E11] what a page could not write before it went is merged and stored, once', async () => {
	const id = await storedSession();
	await writeDraft(db, id, typed('a'));
	const text = textOfSession(id);
	// Its last write was stored, without that page learning of it.
	leaveAsPage(id, { pending: [{ draft: typed('a'), here: typed('a') }], here: typed('ab') });
	await text.sync();
	expect([text.text, await draftOf(id), leftKeys()]).toEqual(['ab', 'ab', []]);
});

it('[E11] what a page was sending when it went comes back, unless it is a message', async () => {
	const id = await storedSession();
	const text = textOfSession(id);
	const [message] = await db.messages.where({ sessionId: id }).toArray();
	leaveAsPage(id, { here: typed('more'), sent: { id: newId(), ...typed('not stored') } });
	leaveAsPage(id, { here: typed(''), sent: { id: message!.id, ...typed('Hello') } });
	await text.sync();
	expect([text.text, await draftOf(id), leftKeys()]).toEqual(['not stored\n\nmore', 'not stored\n\nmore', []]);
});

it('[E11] what was left and can still not be written is left once, with what is typed since', async () => {
	const id = await storedSession();
	const text = textOfSession(id);
	leaveAsPage(id, { here: typed('one') });
	vi.spyOn(globalThis, 'reportError').mockReturnValue();
	const set = vi.spyOn(conversations.drafts, 'set').mockRejectedValue(new AppError('disk-full', 'There is no space left.'));
	await text.sync();
	text.write(`${text.text} two`);
	await text.sync();
	text.leave();
	const [key, ...others] = leftKeys();
	expect([JSON.parse(localStorage.getItem(key!)!), others]).toEqual([expect.objectContaining({ here: typed('one two') }), []]);
	set.mockRestore();
	await text.sync();
	expect([await draftOf(id), leftKeys()]).toEqual(['one two', []]);
});

it('[E11] what a page has left that is still there is its own until it goes', async () => {
	const id = await storedSession();
	const text = textOfSession(id);
	const page = leaveAsPage(id, { here: typed('of the other page') });
	let go = () => {};
	const gone = new Promise<void>((resolve) => (go = resolve));
	await new Promise<void>((granted) => {
		void navigator.locks.request(`page:${page}`, () => (granted(), gone));
	});
	text.write('of this page');
	await text.sync();
	expect([text.text, leftKeys()]).toEqual(['of this page', [expect.stringContaining(page)]]);
	go();
	await vi.waitFor(async () => expect([await draftOf(id), leftKeys()]).toEqual(['of the other page\n\nof this page', []]));
});

it('[E11] what is typed back to what is stored, while another text is being stored, is left in the place of that', async () => {
	const id = await storedSession();
	const text = textOfSession(id);
	text.write('abc def');
	await text.sync();
	const { set } = conversations.drafts;
	let store = () => {};
	const held = new Promise<void>((resolve) => (store = resolve));
	const left = () => leftKeys().map((key) => (JSON.parse(localStorage.getItem(key)!) as { here: { text: string } }).here.text);
	vi.spyOn(conversations.drafts, 'set').mockImplementationOnce(async (writer, next) => {
		next(typed('abc def'));
		await held;
		await set(writer, () => typed('abc'));
	});
	text.write('abc');
	await vi.waitFor(() => expect(conversations.drafts.set).toHaveBeenCalled());
	text.leave();
	expect(left()).toEqual(['abc']);
	text.write('abc def');
	text.leave();
	expect(left()).toEqual(['abc def']);
	store();
	await text.sync();
	expect([await draftOf(id), left()]).toEqual(['abc def', []]);
});

it('[E11] words of a new chat that were given to its session are left once', async () => {
	const id = await storedSession();
	const text = textOfSession(id);
	vi.spyOn(conversations.drafts, 'set').mockRejectedValue(new AppError('disk-full', 'There is no space left.'));
	const newChat = new NewChatText();
	newChat.text = 'second words';
	newChat.giveTo(text);
	await vi.waitFor(() => expect(sessionStorage.getItem('snug:new-chat')).toContain('second words'));
	text.leave();
	await newChat.sync();
	expect([leftKeys().filter((key) => key.includes(id)).length, sessionStorage.getItem('snug:new-chat')]).toEqual([1, null]);
});

it('[E11] words of a new chat that were given to a session are kept where only an older text of it was left', async () => {
	const id = await storedSession();
	const text = textOfSession(id);
	const refused = vi.spyOn(conversations.drafts, 'set').mockRejectedValue(new AppError('disk-full', 'There is no space left.'));
	text.write('first words');
	await text.sync();
	text.leave();
	const newChat = new NewChatText();
	newChat.text = 'second words';
	newChat.giveTo(text);
	await vi.waitFor(() => expect(sessionStorage.getItem('snug:new-chat')).toContain('second words'));
	refused.mockRestore();
	await text.sync();
	await newChat.sync();
	expect([await draftOf(id), leftKeys(), sessionStorage.getItem('snug:new-chat')]).toEqual(['first words\n\nsecond words', [], null]);
});

it('[E11] what is left of a session whose id has a colon is its own', async () => {
	const [id, other] = ['of:two', 'of'];
	localStorage.setItem(`snug:unwritten:${nameOfLeft('draft', id)}:${newId()}`, 'null');
	localStorage.setItem(`snug:unwritten:${nameOfLeft('note', other, 'a:b')}:${newId()}`, 'null');
	localStorage.setItem(`snug:unwritten:${nameOfLeft('prompt', other)}:${newId()}`, 'null');
	// The default prompt belongs to no session.
	const ofNone = `snug:unwritten:prompt:${newId()}`;
	localStorage.setItem(ofNone, 'null');
	expect(sessionsLeft().toSorted()).toEqual([other, id]);
	forgetLeftOf(other);
	expect(sessionsLeft()).toEqual([id]);
	localStorage.removeItem(ofNone);
});

it('[E11] an edit that is taken out with its message comes back as it was, also what could not be stored of it', async () => {
	const id = await storedSession();
	const message = (await db.messages.where({ sessionId: id }).first())!;
	const text = textOfSession(id);
	text.edit(message.id, 'Hello, stored', 'Hello');
	await text.sync();
	const refused = vi.spyOn(conversations.drafts, 'set').mockRejectedValue(new AppError('disk-full', 'There is no space left.'));
	text.edit(message.id, 'Hello, newer', 'Hello');
	await text.sync();
	const putBack = text.takeOutEdit(message.id);
	expect(text.editOf(message.id)).toBeUndefined();
	refused.mockRestore();
	await text.refresh();
	putBack();
	await text.sync();
	expect([text.editOf(message.id), (await db.drafts.get(id))?.edits]).toEqual(['Hello, newer', { [message.id]: 'Hello, newer' }]);
});

it.each<[string, string, number]>([
	['sent', '', 0],
	['taken the file out of', 'Buy pears', 0],
	['changed', 'Buy plums', 1],
	['written on in', 'Buy pears and plums', 1],
	['written below', 'Buy pears\n\nAnd plums', 1]
])('[E11] [A5] what is queued here and another tab has %s is as that tab has left it', async (_, text, files) => {
	const id = await storedSession();
	const composer = textOfSession(id);
	const file = { type: 'file' as const, attachmentId: 'a'.repeat(64), name: 'list.txt', mediaType: 'text/plain', bytes: 1 };
	composer.write('Buy pears');
	composer.attach([file]);
	composer.enqueue({ text: 'Buy pears', attachments: [file] });
	await composer.sync();
	expect(await draftOf(id)).toBe('Buy pears');
	await db.transaction('rw', db.drafts, () => writeDraft(db, id, { text, attachments: [file].slice(0, files) }));
	await composer.refresh();
	expect([composer.queued, composer.text]).toEqual([undefined, text]);
	expect(await db.drafts.get(id).then(unsentOf)).toEqual({ text, attachments: [file].slice(0, files) });
});

it('[E11] [A5] what is being sent and another tab has changed does not return a second time', async () => {
	const id = await storedSession();
	const composer = textOfSession(id);
	composer.write('Buy pears');
	await composer.sync();
	let refuse!: (reason: Error) => void;
	const sending = composer.send(() => new Promise((_, reject) => (refuse = reject)));
	await composer.sync();
	await db.transaction('rw', db.drafts, () => writeDraft(db, id, { text: 'Buy plums', attachments: [] }));
	await composer.refresh();
	refuse(new AppError('taken-over', 'Another tab has taken over this chat.'));
	await expect(sending).rejects.toMatchObject({ code: 'taken-over' });
	await composer.sync();
	expect([composer.text, await draftOf(id)]).toEqual(['Buy plums', 'Buy plums']);
});

it('[E11] [A5] what is being sent and another tab has changed is not sent as it was, also where this tab may write again', async () => {
	const id = await storedSession();
	const composer = textOfSession(id);
	composer.write('Buy pears');
	await composer.sync();
	let goOn!: () => void;
	const isHeld = new Promise<void>((resolve) => (goOn = resolve));
	const sending = composer.send(async ({ unsent }) => {
		await isHeld;
		await db.transaction('rw', db.drafts, async () => writeDraft(db, id, unsent!(unsentOf(await db.drafts.get(id)))));
		return id;
	});
	await composer.sync();
	await db.transaction('rw', db.drafts, () => writeDraft(db, id, { text: 'Buy plums', attachments: [] }));
	await composer.refresh();
	goOn();
	await expect(sending).rejects.toMatchObject({ code: 'sent-elsewhere' });
	expect([composer.text, await draftOf(id)]).toEqual(['Buy plums', 'Buy plums']);
});

it('[E11] [S11] what is queued stays there where its files come back in another order', async () => {
	const id = await storedSession();
	const composer = textOfSession(id);
	const file = (name: string) => ({ type: 'file' as const, attachmentId: name.repeat(64), name, mediaType: 'text/plain', bytes: 1 });
	const queue = (text: string, name: string) => {
		composer.write(text);
		composer.attach([file(name)]);
		composer.enqueue({ text, attachments: [file(name)] });
	};
	queue('First', 'a');
	await composer.sync();
	const putBack = composer.takeOutQueued();
	await composer.sync();
	queue('Second', 'b');
	await composer.sync();
	putBack();
	await composer.sync();
	expect([composer.queued?.text, composer.text]).toEqual(['Second', 'First']);
	expect(composer.attachments.map(({ name }) => name)).toEqual(['a']);
});
