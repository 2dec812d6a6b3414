import { mount, unmount } from 'svelte';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newMessage, newSession } from '../../../../tests/fixtures/database';
import { conversations } from '../../app/conversations';
import { newId } from '../../shared/id';
import { append, type NewMessage } from '../../storage/append';
import { Database } from '../../storage/database';
import { unfenced } from '../../storage/fence';
import { Conversation } from '../../view/conversation.svelte';
import { notices } from '../../view/notices.svelte';
import Transcript from './Transcript.svelte';

let mounted: Record<string, unknown> | undefined;

afterEach(async () => {
	if (mounted) await unmount(mounted);
	mounted = undefined;
	document.body.replaceChildren();
	notices.length = 0;
});

/** The 40 messages from this one on. */
function said(from: number): [NewMessage, ...NewMessage[]] {
	const roles = ['user', 'assistant'] as const;
	const messages = Array.from({ length: 40 }, (_, at) => newMessage(roles[at % 2]!, `Message ${from + at}: ${'word '.repeat(30)}`));
	return messages as [NewMessage, ...NewMessage[]];
}

/** A session of 40 messages, and after `compactions` as many that stand for older ones, drawn. */
async function draw({ compactions = 1, changeable = true } = {}) {
	const db = new Database();
	const session = newSession({ status: 'success' });
	const { id } = session;
	await append(db, { session, messages: [newMessage('system', ''), ...said(0)] });
	onTestFinished(async () => {
		await conversations.deleteSessions([id], 0);
		await conversations.purge();
		db.close();
	});
	for (let at = 0; at < compactions; at++) {
		if (at > 0) await append(db, { session: id, fence: unfenced, messages: said(at * 40) });
		const proposal = await conversations.compaction.propose(id, 'simple');
		await conversations.compaction.accept({ ...proposal, unverified: ['src/b.ts'] }, `Summary ${at} about <b>src/b.ts</b>.`);
	}
	mounted = mount(Transcript, {
		target: document.body,
		props: { conversation: new Conversation(id), turn: undefined, changeable, reading: false, onproblem: vi.fn() }
	});
	await vi.waitFor(() => expect(marks()).toHaveLength(compactions), 10_000);
	return { id };
}

const marks = () => [...document.querySelectorAll<HTMLElement>('section[aria-label="Compaction"]')];
const button = (name: string, within: ParentNode = document) =>
	[...within.querySelectorAll('button')].find((one) => one.textContent.trim() === name);

describe('a compaction in the transcript', () => {
	it('[A10] stands after the last message that it covers, with its figures, and opens to what it says', async () => {
		const { id } = await draw();
		const [boundary] = await conversations.compaction.ofSession(id);
		const [mark] = marks();
		const above = [...document.querySelectorAll<HTMLElement>('article')].filter(
			(article) => article.compareDocumentPosition(mark!) & Node.DOCUMENT_POSITION_FOLLOWING
		);
		expect(above.at(-1)!.dataset.id).toBe(boundary!.upToId);
		expect(mark!.querySelector('.rule')!.textContent).toMatch(/^\d+ → \d+ messages, [\d,]+ → [\d,]+ tokens$/);
		expect(mark!.textContent).toContain('Summarised (simple)');
		expect(mark!.querySelector('summary')!.textContent).toBe(`Replaces the ${boundary!.depth} messages above`);
		expect(mark!.querySelector('p.summary')).toBeNull();
		mark!.querySelector('summary')!.click();
		await vi.waitFor(() => expect(mark!.querySelector('details p.summary')).not.toBeNull());
		expect(mark!.querySelector('details p.summary')!.textContent.trim()).toBe('Summary 0 about <b>src/b.ts</b>.');
		expect([...mark!.querySelectorAll('mark')].map((value) => [value.textContent, value.title])).toEqual([
			['src/b.ts', 'Not found in the messages']
		]);
	});

	it('[A10] is undone at any time, and brought back', async () => {
		const { id } = await draw();
		const before = await conversations.compaction.ofSession(id);
		button('Undo')!.click();
		await vi.waitFor(() => expect(marks()).toHaveLength(0));
		expect(document.activeElement?.getAttribute('role')).toBe('log');
		expect(await conversations.compaction.ofSession(id)).toEqual([]);
		const notice = notices.find(({ action }) => action?.label === 'Restore');
		await notice!.action!.run();
		await vi.waitFor(() => expect(marks()).toHaveLength(1));
		expect(await conversations.compaction.ofSession(id)).toEqual(before);
	});

	it('[A10] says that a later one replaced it', async () => {
		await draw({ compactions: 2 });
		expect(marks().map((mark) => mark.textContent.includes('Replaced by a later compaction'))).toEqual([true, false]);
		button('Undo', marks()[1])!.click();
		await vi.waitFor(() => expect(marks()).toHaveLength(1));
		expect(marks()[0]!.textContent).not.toContain('Replaced');
	});

	it('[P8] is one of the newest ten after its message, until more is asked for', async () => {
		const { id } = await draw();
		const [boundary] = await conversations.compaction.ofSession(id);
		const db = new Database();
		onTestFinished(() => db.close());
		await db.boundaries.bulkPut(Array.from({ length: 15 }, () => ({ ...boundary!, id: newId() })));
		await vi.waitFor(() => expect(marks()).toHaveLength(10), 10_000);
		const newest = marks().map(({ dataset }) => dataset.boundary);
		button('Show more (6 compactions left)')!.click();
		await vi.waitFor(() => expect(marks()).toHaveLength(16));
		expect(marks().slice(-10).map(({ dataset }) => dataset.boundary)).toEqual(newest);
	});

	it('[A5] can’t be undone where another tab has the session open', async () => {
		await draw({ changeable: false });
		expect(button('Undo')).toBeUndefined();
	});
});
