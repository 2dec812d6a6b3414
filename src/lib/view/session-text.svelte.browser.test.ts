import { flushSync } from 'svelte';
import { afterEach, expect, it, vi } from 'vitest';
import { newMessage, newSession } from '../../../tests/fixtures/database';
import { conversations } from '../app/conversations';
import { AppError } from '../shared/app-error';
import { newId } from '../shared/id';
import { append } from '../storage/append';
import { Database } from '../storage/database';
import { unsentOf, writeDraft } from '../storage/drafts';
import { textOfSession } from './session-text.svelte';

const db = new Database();

afterEach(() => void vi.restoreAllMocks());

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
