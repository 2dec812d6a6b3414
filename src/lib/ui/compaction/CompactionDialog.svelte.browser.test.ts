import { flushSync, mount, tick, unmount } from 'svelte';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newMessage, newSession } from '../../../../tests/fixtures/database';
import { conversations } from '../../app/conversations';
import type { StrategyName } from '../../conversation/boundary';
import type { Proposal, ProposeOptions } from '../../engine/compaction/compactor';
import { AppError } from '../../shared/app-error';
import { append, type NewMessage } from '../../storage/append';
import { Database } from '../../storage/database';
import { keptInTab } from '../../view/tab-text';
import { announcement } from '../../view/turns.svelte';
import CompactionDialog from './CompactionDialog.svelte';

let mounted: Record<string, unknown> | undefined;

afterEach(async () => {
	vi.restoreAllMocks();
	if (mounted) await unmount(mounted);
	mounted = undefined;
	document.body.replaceChildren();
});

/** A session of so many messages, and the dialog over it. */
async function draw({ messages = 40, strategy, blocked }: { messages?: number; strategy?: StrategyName; blocked?: string } = {}) {
	const db = new Database();
	const session = newSession({ status: 'success' });
	const roles = ['user', 'assistant'] as const;
	const written = Array.from({ length: messages }, (_, at) => newMessage(roles[at % 2]!, `Message ${at}: ${'word '.repeat(40)}`));
	await append(db, { session, messages: written as [NewMessage, ...NewMessage[]] });
	onTestFinished(async () => {
		await conversations.deleteSessions([session.id], 0);
		await conversations.purge();
		db.close();
	});
	const onclose = vi.fn();
	const request = strategy ? { sessionId: session.id, strategy } : { sessionId: session.id };
	mounted = mount(CompactionDialog, { target: document.body, props: { request, blocked, onclose } });
	flushSync();
	return { id: session.id, onclose };
}

/** A proposal as a model would have written it. */
function proposal(sessionId: string, more: Partial<Proposal> = {}): Proposal {
	return {
		sessionId,
		strategy: 'summary',
		upToId: 'm',
		depth: 30,
		excluded: [],
		summary: 'Wrote src/a.ts and fixed #42.',
		summaryTokens: 10,
		figures: { messagesBefore: 40, messagesAfter: 8, tokensBefore: 2400, tokensAfter: 600 },
		madeAtDepth: 39,
		readAt: 0,
		unverified: ['src/a.ts', '#42'],
		...more
	};
}

const dialog = () => document.querySelector('dialog')!;
const button = (name: string) => [...dialog().querySelectorAll('button')].find((one) => one.textContent.trim() === name)!;
const summary = () => dialog().querySelector('textarea');
const select = () => dialog().querySelector('select')!;
const figures = () => dialog().querySelector('.figures')?.textContent ?? '';
const unverified = () => [...dialog().querySelectorAll('.unverified span')].map((value) => value.textContent);

function write(text: string) {
	summary()!.value = text;
	summary()!.dispatchEvent(new Event('input', { bubbles: true }));
	flushSync();
}

function choose(strategy: StrategyName) {
	select().value = strategy;
	select().dispatchEvent(new Event('change', { bubbles: true }));
	flushSync();
}

describe('CompactionDialog', () => {
	it('[A10] shows a summary with its figures, which follow what is edited, and stores it as it was edited', async () => {
		const { id, onclose } = await draw({ strategy: 'simple' });
		await vi.waitFor(() => expect(figures()).toMatch(/^\d+ → \d+ messages, [\d,]+ → [\d,]+ tokens$/), 10_000);
		const before = figures();
		write('They counted words.');
		await vi.waitFor(() => expect(figures()).not.toBe(before));
		button('Compact').click();
		await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
		const [boundary, ...others] = await conversations.compaction.ofSession(id);
		expect(others).toEqual([]);
		expect(boundary).toMatchObject({ strategy: 'simple', summary: 'They counted words.', automatic: false });
		expect(announcement.text).toMatch(/^Compacted: \d+ → \d+ messages/);
		expect(await conversations.messages.all(id)).toHaveLength(40);
	});

	it('[E11] an edited summary can be had back after another strategy, a closed dialog and a reload, until it is accepted', async () => {
		const { id } = await draw({ strategy: 'simple' });
		await vi.waitFor(() => expect(summary()).not.toBeNull(), 10_000);
		const back = 'Use the text you edited before';
		expect(button(back)).toBeUndefined();
		write('My own words.');
		choose('role-budget');
		await vi.waitFor(() => expect(button(back)).toBeDefined(), 10_000);
		await unmount(mounted!);
		const onclose = vi.fn();
		mounted = mount(CompactionDialog, { target: document.body, props: { request: { sessionId: id }, blocked: undefined, onclose } });
		flushSync();
		await vi.waitFor(() => expect(button(back)).toBeDefined(), 10_000);
		write('Other words.');
		button(back).click();
		flushSync();
		expect(summary()!.value).toBe('My own words.');
		button(back).click();
		flushSync();
		expect(summary()!.value).toBe('Other words.');
		button(back).click();
		flushSync();
		expect(summary()!.value).toBe('My own words.');
		button('Compact').click();
		await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
		expect(await conversations.compaction.ofSession(id)).toMatchObject([{ summary: 'My own words.', strategy: 'simple' }]);
		expect(keptInTab(`summary:${id}`)).toBeUndefined();
	});

	it('[Z6] proposes again by another strategy, and says what each does', async () => {
		await draw({ strategy: 'simple' });
		await vi.waitFor(() => expect(summary()).not.toBeNull(), 10_000);
		const line = () => document.getElementById(select().getAttribute('aria-describedby')!)!.textContent;
		const [text, said] = [summary()!.value, line()];
		choose('role-budget');
		await vi.waitFor(() => expect(summary()?.value).toBeTruthy(), 10_000);
		expect(summary()!.value).not.toBe(text);
		expect(line()).not.toBe(said);
	});

	it('[A10] uses the strategy of the settings where none is named', async () => {
		await draw();
		await vi.waitFor(() => expect(select().value).toBe('code-aware'), 10_000);
	});

	it('[P3] draws what a model writes once a frame, however many pieces come', async () => {
		let options: ProposeOptions = {};
		vi.spyOn(conversations.compaction, 'propose').mockImplementation((_id, _strategy, given = {}) => {
			options = given;
			return new Promise((_, reject) => given.signal!.addEventListener('abort', () => reject(given.signal!.reason as Error)));
		});
		await draw({ strategy: 'summary' });
		const growing = () => dialog().querySelector('.growing')!;
		options.onProgress!({ piece: 1, pieces: 1, text: 'They' });
		await vi.waitFor(() => expect(growing()?.textContent).toBe('They'));

		let drawn = 0;
		new MutationObserver((changes) => (drawn += changes.length)).observe(growing(), { characterData: true, childList: true, subtree: true });
		let frames = 0;
		const count = () => void (frames++, requestAnimationFrame(count));
		requestAnimationFrame(count);
		let text = 'They';
		for (let at = 0; at < 2000; at++) {
			text += ' and';
			options.onProgress!({ piece: 1, pieces: 1, text });
			// Lets effects run, as between the pieces of a stream.
			await Promise.resolve();
			await tick();
		}
		await vi.waitFor(() => expect(growing().textContent).toBe(text));
		expect(drawn).toBeLessThanOrEqual(frames + 2);
	});

	it('[S6] shows what the model writes and which piece it reads, and cancels it', async () => {
		let options: ProposeOptions = {};
		vi.spyOn(conversations.compaction, 'propose').mockImplementation((_id, _strategy, given = {}) => {
			options = given;
			return new Promise((_, reject) => given.signal!.addEventListener('abort', () => reject(given.signal!.reason as Error)));
		});
		const { id, onclose } = await draw({ strategy: 'summary' });
		options.onProgress!({ piece: 2, pieces: 3, text: 'They dec' });
		await vi.waitFor(() => expect(dialog().querySelector('.growing')?.textContent).toBe('They dec'));
		expect(dialog().textContent).toContain('part 2 of 3');
		expect(button('Compact').disabled).toBe(true);
		button('Cancel').click();
		await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
		await unmount(mounted!);
		mounted = undefined;
		expect(options.signal!.aborted).toBe(true);
		expect(await conversations.compaction.ofSession(id)).toEqual([]);
	});

	it('[S6] an answer to a strategy that was left does not come in the place of the next', async () => {
		const answers: ((proposal: Proposal) => void)[] = [];
		vi.spyOn(conversations.compaction, 'propose').mockImplementation(() => new Promise((resolve) => void answers.push(resolve)));
		const { id } = await draw({ strategy: 'summary' });
		choose('simple');
		answers[1]!(proposal(id, { strategy: 'simple', summary: 'The second' }));
		await vi.waitFor(() => expect(summary()?.value).toBe('The second'));
		answers[0]!(proposal(id, { summary: 'The first' }));
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(summary()!.value).toBe('The second');
	});

	it('[S6] lists what the messages do not say as long as the summary says it', async () => {
		vi.spyOn(conversations.compaction, 'propose').mockImplementation((id) => Promise.resolve(proposal(id)));
		await draw({ strategy: 'summary' });
		await vi.waitFor(() => expect(unverified()).toEqual(['src/a.ts', '#42']));
		write('Wrote a file and fixed #42.');
		expect(unverified()).toEqual(['#42']);
		write('Fixed something.');
		expect(unverified()).toEqual([]);
		expect(dialog().textContent).not.toContain('Not found');
	});

	it('[S6] says why another strategy was used, and which', async () => {
		const note = 'The model is offline, so this is by code-aware.';
		vi.spyOn(conversations.compaction, 'propose').mockImplementation((id) => Promise.resolve(proposal(id, { strategy: 'code-aware', note })));
		await draw({ strategy: 'summary' });
		await vi.waitFor(() => expect(dialog().textContent).toContain(note));
		expect(select().value).toBe('code-aware');
	});

	it('[A10] says why there is nothing to compact', async () => {
		await draw({ messages: 2 });
		await vi.waitFor(() => expect(dialog().querySelector('[role="status"].quiet')?.textContent).toContain('nothing to compact'), 10_000);
		expect(dialog().querySelector('[role="alert"]')).toBeNull();
		// The one that it would have been, by the settings.
		await vi.waitFor(() => expect(dialog().querySelector('select')!.value).toBe('code-aware'));
		expect(button('Compact').disabled).toBe(true);
		expect(summary()).toBeNull();
	});

	it('[A5] stays open with what was written where the store refuses', async () => {
		const { id, onclose } = await draw({ strategy: 'simple' });
		await vi.waitFor(() => expect(summary()).not.toBeNull(), 10_000);
		write('Mine');
		vi.spyOn(conversations.compaction, 'accept').mockRejectedValue(new AppError('taken-over', 'Another tab has it.'));
		button('Compact').click();
		await vi.waitFor(() => expect(dialog().querySelector('[role="alert"]')?.textContent.trim()).toBe('Another tab has it.'));
		expect(summary()!.value).toBe('Mine');
		expect(onclose).not.toHaveBeenCalled();
		expect(await conversations.compaction.ofSession(id)).toEqual([]);
	});

	it('[A5] asks nothing of the model while it may not compact, and says why', async () => {
		const propose = vi.spyOn(conversations.compaction, 'propose');
		await draw({ strategy: 'simple', blocked: 'An answer is being written.' });
		expect(dialog().textContent).toContain('An answer is being written.');
		expect(select().disabled).toBe(true);
		expect(button('Compact').disabled).toBe(true);
		expect(propose).not.toHaveBeenCalled();
	});

	it('[A10] keeps no summary that says nothing', async () => {
		await draw({ strategy: 'simple' });
		await vi.waitFor(() => expect(summary()).not.toBeNull(), 10_000);
		write('  ');
		expect(button('Compact').disabled).toBe(true);
	});
});
