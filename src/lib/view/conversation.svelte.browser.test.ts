import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { spoken } from '../../../tests/fixtures/answers';
import { newMessage, newSession } from '../../../tests/fixtures/database';
import { conversations } from '../app/conversations';
import { textOf, type Message } from '../conversation/message';
import { append, type NewMessage } from '../storage/append';
import { Database } from '../storage/database';
import { Drafts } from '../storage/drafts';
import { unfenced } from '../storage/fence';
import { TurnStore } from '../storage/turn-store';
import { Conversation } from './conversation.svelte';

/** A session of so many messages, and `branch` more that leave it after `forkAt`; the head is the end of the first. */
async function stored(length: number, branch = 0, forkAt = 0) {
	const db = new Database();
	onTestFinished(() => db.close());
	const { id } = newSession();
	const rows = (count: number) =>
		Array.from({ length: count }, (_, index) => newMessage(index % 2 === 0 ? 'user' : 'assistant', String(index))) as [NewMessage];
	const trunk = await append(db, { session: newSession({ id, status: 'success' }), messages: rows(length) });
	const side = branch === 0 ? [] : await append(db, { session: id, fence: unfenced, parentId: trunk[forkAt]!.id, messages: rows(branch) });
	if (branch > 0) await conversations.moveHead(id, trunk.at(-1)!.id);
	onTestFinished(async () => {
		await conversations.deleteSessions([id], 0);
		await conversations.purge();
	});
	return { id, trunk, side };
}

/** Keeps what the conversation reads in step, as a screen that draws it would. */
function watch(conversation: Conversation) {
	const stop = $effect.root(() => {
		$effect(() => void conversation.messages);
	});
	onTestFinished(stop);
	return conversation;
}

const depths = ({ messages }: Conversation) => [messages[0]?.depth, messages.at(-1)?.depth];
const shows = (conversation: Conversation, first: number, last: number) => vi.waitFor(() => expect(depths(conversation)).toEqual([first, last]));
const idAt = (path: Message[], depth: number) => path[depth]!.id;

describe('Conversation', () => {
	it('[P5] shows a message with what is around it, and goes on from there both ways to the ends', async () => {
		const { id, trunk } = await stored(1000);
		const conversation = watch(new Conversation(id, { messageId: idAt(trunk, 500) }));
		await shows(conversation, 400, 599);
		expect(conversation.goal).toEqual({ messageId: idAt(trunk, 500) });
		expect([conversation.hasEarlier, conversation.reachesEnd, conversation.whole, conversation.at]).toEqual([true, false, false, undefined]);
		conversation.showEarlier();
		await shows(conversation, 200, 599);
		conversation.showLater();
		await shows(conversation, 200, 799);
		// What is far at the other end is let go of.
		conversation.showLater();
		await shows(conversation, 400, 999);
		expect(conversation.reachesEnd).toBe(true);
		conversation.showEarlier();
		await shows(conversation, 200, 799);
		conversation.showEarlier();
		await shows(conversation, 0, 599);
		expect([conversation.hasEarlier, conversation.whole]).toEqual([false, false]);
		conversation.showStart();
		expect(conversation.goal).toEqual({ start: true });
		conversation.showEnd();
		await shows(conversation, 800, 999);
	});

	it('[P5] reads no more where the message is drawn already, or is near the end', async () => {
		const { id, trunk } = await stored(1000);
		const conversation = watch(new Conversation(id));
		await shows(conversation, 800, 999);
		await conversation.goTo({ messageId: idAt(trunk, 810) });
		expect([depths(conversation), conversation.found]).toEqual([[800, 999], idAt(trunk, 810)]);
		await conversation.goTo({ messageId: idAt(trunk, 3) });
		await shows(conversation, 0, 199);
		await conversation.goTo({ messageId: idAt(trunk, 950) });
		await shows(conversation, 800, 999);
	});

	it('[P5] shows a message of another branch in that branch, and what nothing is asked of stays', async () => {
		const { id, trunk, side } = await stored(600, 400, 99);
		const conversation = watch(new Conversation(id, { messageId: idAt(side, 200) }));
		await shows(conversation, 200, 399);
		expect([conversation.at, conversation.inOtherBranch]).toEqual([side.at(-1)!.id, true]);
		// What both share is shown in the branch that is read.
		await conversation.goTo({ messageId: idAt(trunk, 50) });
		await shows(conversation, 0, 199);
		expect(conversation.at).toBe(side.at(-1)!.id);
		await conversation.goTo({ at: side.at(-1)!.id });
		expect([depths(conversation), conversation.found]).toEqual([[0, 199], undefined]);
		await conversation.goTo({});
		await shows(conversation, 400, 599);
		expect([conversation.at, conversation.goal]).toEqual([undefined, {}]);
	});

	it('[Z9] goes to the end when the path leads elsewhere than through the message that was gone to', async () => {
		const { id, trunk, side } = await stored(600, 5, 99);
		const conversation = watch(new Conversation(id, { messageId: idAt(trunk, 300) }));
		await shows(conversation, 200, 399);
		await conversations.moveHead(id, side.at(-1)!.id);
		await shows(conversation, 0, 104);
		expect(conversation.reachesEnd).toBe(true);
	});

	it('[P5] tells that a message is not there, and shows the session as it is', async () => {
		const { id, trunk } = await stored(10);
		const conversation = watch(new Conversation(id, { messageId: 'nothing', query: 'words' }));
		await shows(conversation, 0, 9);
		expect([conversation.lost, conversation.found]).toEqual([true, undefined]);
		await conversation.goTo({ messageId: idAt(trunk, 4), query: 'words' });
		expect([conversation.lost, conversation.found]).toEqual([false, idAt(trunk, 4)]);
		await conversation.goTo({ at: 'n99' });
		expect(conversation.missing).toBe('n99');
	});

	it('[P3] what streams and what is typed is read apart from the messages; an answer that becomes one is never gone in between', async () => {
		const { id, trunk } = await stored(11);
		const db = new Database();
		onTestFinished(() => db.close());
		const parentId = trunk.at(-1)!.id;
		const answer = { messageId: crypto.randomUUID(), parentId, parts: spoken('So'), model: 'm', startedAt: 1 };
		const conversation = new Conversation(id);
		const paths = new Set<Message[]>();
		const seen: string[] = [];
		onTestFinished(
			$effect.root(() => {
				$effect(() => {
					const { messages, unfinished } = conversation;
					paths.add(messages);
					const isMessage = messages.some((message) => message.id === answer.messageId);
					seen.push(isMessage ? 'message' : (unfinished ? textOf(unfinished) : 'nothing'));
				});
			})
		);
		await shows(conversation, 0, 10);
		const read = paths.size;
		for (const text of ['So', 'So far', 'So far so']) {
			await new Drafts(db).set(id, { text, attachments: [] }, unfenced);
			await new TurnStore(db, unfenced).journal(id, { ...answer, parts: spoken(text) });
			await vi.waitFor(() => expect(conversation.unfinished?.parts).toEqual(spoken(text)));
		}
		expect(paths.size).toBe(read);
		await new TurnStore(db, unfenced).answer(id, parentId, { ...newMessage('assistant', 'So far so good'), id: answer.messageId }, { status: 'success', stopReason: '' });
		await vi.waitFor(() => expect(seen.at(-1)).toBe('message'));
		await vi.waitFor(() => expect(conversation.unfinished).toBeUndefined());
		const afterwards = seen.slice(seen.indexOf('So far so'));
		expect(afterwards).not.toContain('nothing');
	});
});
