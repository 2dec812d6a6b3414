import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newMessage, newSession } from '../../../../tests/fixtures/database';
import { app } from '../../app';
import { conversations } from '../../app/conversations';
import { append } from '../../storage/append';
import { Database } from '../../storage/database';
import { Drafts } from '../../storage/drafts';
import { unfenced } from '../../storage/fence';
import { compaction } from '../../view/compaction.svelte';
import { Conversation } from '../../view/conversation.svelte';
import { notices } from '../../view/notices.svelte';
import ContextPanel from './ContextPanel.svelte';

let mounted: Record<string, unknown> | undefined;

afterEach(async () => {
	if (mounted) await unmount(mounted);
	mounted = undefined;
	document.body.replaceChildren();
	notices.length = 0;
	compaction.close();
	await app.settings.unset('context');
});

/** The panel of a session with a system prompt, and `turns` questions that were answered: `Question 1`, `Answer 1` and so on. */
async function draw({ turns = 3, writable = true, changeable = true } = {}) {
	const db = new Database();
	onTestFinished(() => db.close());
	const { id } = newSession();
	const texts = Array.from({ length: turns }, (_, index) => [
		newMessage('user', `Question ${index + 1}`),
		newMessage('assistant', `Answer ${index + 1}`)
	]).flat();
	const messages = await append(db, {
		session: newSession({ id, status: 'success' }),
		messages: [newMessage('system', 'Be brief.'), ...texts]
	});
	onTestFinished(async () => {
		await conversations.deleteSessions([id], 0);
		await conversations.purge();
	});
	const onleave = vi.fn();
	const target = document.createElement('div');
	target.style = 'display: flex; flex-direction: column; width: 22rem; height: 4000px';
	document.body.append(target);
	const conversation = new Conversation(id);
	mounted = mount(ContextPanel, { target, props: { conversation, writable, changeable, onleave } });
	await vi.waitFor(() => expect(words()).toContain('Be brief.'));
	const type = (text: string) => new Drafts(db).set(id, { text, attachments: [] }, unfenced);
	return { id, type, conversation, onleave, idOf: (text: string) => messages.find(({ parts: [part] }) => part?.type === 'text' && part.text === text)!.id };
}

const rows = () => [...document.querySelectorAll<HTMLElement>('li')];
const words = () => rows().map((row) => row.querySelector('.words, .unread > span')!.textContent);
const row = (text: string) => rows().find((one) => one.querySelector('.words')?.textContent === text)!;
const state = (text: string) => row(text)?.querySelector('.state')?.textContent;
const toggle = (text: string, name: string) => row(text).querySelector<HTMLButtonElement>(`button[aria-label="${name}"]`)!;
const button = (name: string) => [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === name)!;

describe('ContextPanel', () => {
	it('[S7] shows what the next turn sends, newest first, and the system prompt at the end', async () => {
		await draw({ turns: 5 });
		expect(document.body.textContent).toMatch(/The next message sends 10 messages, \d+ of .+ tokens\./);
		expect(words()).toEqual([
			...[5, 4, 3, 2, 1].flatMap((turn) => [`Answer ${turn}`, `Question ${turn}`]),
			'Be brief.'
		]);
		expect(state('Question 3')).toBe('Sent (recent)');
		expect(state('Answer 2')).toBe('Sent');
		expect(state('Be brief.')).toBe('Sent first');
		expect(document.querySelectorAll('meter')).toHaveLength(1);
		expect(document.body.textContent).toMatch(/Counted with|Estimate/);
	});

	it('[S7] pins and excludes at once, one or the other', async () => {
		const { id, idOf } = await draw();
		toggle('Answer 1', 'Exclude').click();
		await vi.waitFor(() => expect(state('Answer 1')).toBe('Excluded'));
		expect(toggle('Answer 1', 'Exclude').ariaPressed).toBe('true');
		expect(document.body.textContent).toContain('sends 5 messages');
		expect((await conversations.context.rows(id))!.excludes).toEqual([idOf('Answer 1')]);

		toggle('Answer 1', 'Pin').click();
		await vi.waitFor(() => expect(state('Answer 1')).toBe('Sent (pinned)'));
		expect(toggle('Answer 1', 'Exclude').ariaPressed).toBe('false');
		toggle('Answer 1', 'Pin').click();
		await vi.waitFor(() => expect(state('Answer 1')).toBe('Sent (recent)'));
		expect(await conversations.context.rows(id)).toMatchObject({ pins: [], excludes: [] });
	});

	it('[S7] counts what is in the composer, unless it is a command', async () => {
		const { type } = await draw();
		await type(' And then? ');
		await vi.waitFor(() => expect(words()[0]).toBe('And then?'));
		expect(row('And then?').textContent).toContain('Not sent yet');
		expect(row('And then?').querySelectorAll('button')).toHaveLength(0);
		expect(document.body.textContent).toContain('sends 7 messages');
		await type('/context');
		await vi.waitFor(() => expect(words()[0]).toBe('Answer 3'));
	});

	it('[A9, S7] says of how many older messages it did not read, and shows them when asked', async () => {
		await app.settings.set('context', { contextMessages: 2 });
		await draw({ turns: 4 });
		expect(words()).toEqual(['Answer 4', 'Question 4', '6 older messages, left out: older than the newest 2.', 'Be brief.']);
		button('Show more').click();
		await vi.waitFor(() => expect(words()).toHaveLength(9));
		await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Answer 3'));
		expect(state('Question 1')).toBe('Left out: older than the newest 2');
		toggle('Question 1', 'Pin').click();
		await vi.waitFor(() => expect(state('Question 1')).toBe('Sent (pinned)'));
		expect(words().at(-2)).toBe('Question 1');
	});

	it('[A9] follows the settings', async () => {
		const { id } = await draw();
		await conversations.context.setSession(id, { contextMessages: 2, minRecent: 1 });
		await vi.waitFor(() => expect(document.body.textContent).toContain('sends 2 messages'));
	});

	it('[S7] goes to a message, and tells that the user left', async () => {
		const { conversation, onleave, idOf } = await draw();
		const forget = $effect.root(() => {
			$effect(() => void conversation.messages);
		});
		await vi.waitFor(() => expect(conversation.messages).not.toEqual([]));
		row('Question 1').querySelector<HTMLButtonElement>('button.words')!.click();
		expect(conversation.goal).toEqual({ messageId: idOf('Question 1') });
		forget();
		expect(onleave).toHaveBeenCalled();
	});

	it('[S7] copies what would be sent, with what is in the composer', async () => {
		const { type } = await draw();
		await type('And then?');
		await vi.waitFor(() => expect(words()[0]).toBe('And then?'));
		const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
		button('Copy as sent').click();
		await vi.waitFor(() => expect(notices.at(-1)?.text).toBe('Copied as it would be sent.'));
		const sent = JSON.stringify(JSON.parse(written.mock.lastCall![0]));
		for (const text of ['Be brief.', 'Question 1', 'Answer 3', 'And then?']) expect(sent).toContain(text);
		written.mockRestore();
	});

	it('[A10] opens the dialog of compaction for this session', async () => {
		const { id } = await draw();
		button('Compact…').click();
		expect(compaction.request).toEqual({ sessionId: id });
	});

	it('[A11] opens the settings of this conversation, which count here alone', async () => {
		const { id } = await draw();
		button('Settings').click();
		await vi.waitFor(() => expect(document.querySelector('dialog input[type="number"]')).not.toBeNull());
		expect([...document.querySelectorAll('dialog input[type="radio"]')].map((radio) => radio.parentElement!.textContent.trim())).toEqual([
			'This chat',
			'Every chat'
		]);
		const input = document.querySelector<HTMLInputElement>('dialog input[type="number"]')!;
		input.value = '4';
		input.dispatchEvent(new Event('change', { bubbles: true }));
		flushSync();
		const scopes = { everywhere: {}, persona: {}, session: { contextMessages: 4 } };
		await vi.waitFor(async () => expect((await conversations.context.rows(id))!.scopes).toEqual(scopes));
		document.querySelectorAll<HTMLInputElement>('dialog input[type="radio"]')[1]!.click();
		await vi.waitFor(() => expect(document.querySelector<HTMLInputElement>('dialog input[type="number"]')!.value).toBe(''));
	});

	it('[A5] changes nothing where another tab writes the session', async () => {
		await draw({ writable: false, changeable: false });
		expect(toggle('Answer 1', 'Pin').disabled).toBe(true);
		expect(toggle('Answer 1', 'Exclude').disabled).toBe(true);
		expect(button('Compact…').disabled).toBe(true);
		expect(button('Copy as sent').disabled).toBe(false);
	});
});
