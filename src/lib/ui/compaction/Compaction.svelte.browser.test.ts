import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newMessage, newSession } from '../../../../tests/fixtures/database';
import { app } from '../../app';
import { conversations } from '../../app/conversations';
import type { Boundary } from '../../conversation/boundary';
import type { Compacted } from '../../engine/compaction/compactor';
import { append } from '../../storage/append';
import { Database } from '../../storage/database';
import { commandOutput, runCommand } from '../../view/commands.svelte';
import { compaction } from '../../view/compaction.svelte';
import { dismissNotice, notices } from '../../view/notices.svelte';
import { panel } from '../../view/panel.svelte';
import Compaction from './Compaction.svelte';

let mounted: Record<string, unknown> | undefined;
let listeners: Set<(compacted: Compacted) => void>;

beforeEach(() => {
	listeners = new Set();
	vi.spyOn(conversations.compaction, 'onCompacted').mockImplementation((listener) => {
		listeners.add(listener);
		return () => listeners.delete(listener);
	});
});

afterEach(async () => {
	await close();
	vi.restoreAllMocks();
	notices.length = 0;
	panel.open = undefined;
});

async function close() {
	if (mounted) await unmount(mounted);
	mounted = undefined;
}

/** Draws the component for the session that is open. */
async function draw({ answering = false, writable = true } = {}) {
	const db = new Database();
	const session = newSession({ status: 'success' });
	const { id } = session;
	await append(db, { session, messages: [newMessage('user', 'Hello'), newMessage('assistant', 'Hi')] });
	onTestFinished(async () => {
		await conversations.deleteSessions([id], 0);
		await conversations.purge();
		db.close();
	});
	mounted = mount(Compaction, { target: document.body, props: { sessionId: id, answering, writable } });
	flushSync();
	return { id, place: { sessionId: id, workspace: undefined } };
}

function boundary(sessionId: string, more: Partial<Boundary> = {}): Boundary {
	return {
		id: 'b',
		sessionId,
		upToId: 'm',
		depth: 54,
		excluded: [],
		strategy: 'code-aware',
		summary: 'Summary',
		figures: { messagesBefore: 1061, messagesAfter: 8, tokensBefore: 14_200, tokensAfter: 2100 },
		madeAtDepth: 60,
		automatic: true,
		unverified: [],
		createdAt: 1,
		...more
	};
}

const tell = (compacted: Compacted) => listeners.forEach((listener) => listener(compacted));
const dialog = () => document.querySelector('dialog');

describe('what is said of the open session', () => {
	it('[Z6] a compaction that was made by itself is told in these words, and can be undone', async () => {
		const { id } = await draw();
		const undo = vi.fn(() => Promise.resolve());
		tell({ boundary: boundary(id), undo });
		expect(notices.map(({ text }) => text)).toEqual(['[context compacted: 1061 → 8 messages]']);
		expect(notices[0]!.milliseconds).toBe(10_000);
		expect(notices[0]!.action!.label).toBe('Undo');
		await dismissNotice(notices[0]!, { act: true });
		expect(undo).toHaveBeenCalledOnce();
	});

	it('[S6] and why it was by another strategy', async () => {
		const { id } = await draw();
		tell({ boundary: boundary(id, { note: 'The model is offline.' }), undo: vi.fn() });
		expect(notices[0]!.text).toBe('[context compacted: 1061 → 8 messages] The model is offline.');
	});

	it('[Z6] one of another session is not told here, nor one after it was left', async () => {
		const { id } = await draw();
		tell({ boundary: boundary('another'), undo: vi.fn() });
		await close();
		tell({ boundary: boundary(id), undo: vi.fn() });
		expect(notices).toEqual([]);
	});
});

describe('commands', () => {
	it('[A10] /compact opens the dialog of this session, which closes with it', async () => {
		const { id, place } = await draw();
		expect(await runCommand('/compact simple', place)).toBe(true);
		expect(compaction.request).toMatchObject({ sessionId: id, strategy: 'simple' });
		await vi.waitFor(() => expect(dialog()?.open).toBe(true), 10_000);
		await close();
		expect(compaction.request).toBeUndefined();
	});

	it('[A10] /compact of another session opens nothing here', async () => {
		await draw();
		compaction.open({ sessionId: 'another' });
		flushSync();
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(dialog()).toBeNull();
	});

	it.each([
		[{ answering: true }, 'An answer is being written.'],
		[{ writable: false }, 'This chat is open in another tab']
	])('[A5] where there is %j, the dialog says why nothing can be compacted', async (given, reason) => {
		const { place } = await draw(given);
		await runCommand('/summarize', place);
		await vi.waitFor(() => expect(dialog()?.textContent).toContain(reason), 10_000);
	});

	it('[S7] /context opens its panel', async () => {
		const { place } = await draw();
		expect(await runCommand('/context', place)).toBe(true);
		expect(panel.open).toBe('context');
	});

	it('[S7] /tokens switches the setting, and its notice switches it back', async () => {
		const { place } = await draw();
		onTestFinished(() => app.settings.unset('showTokens'));
		await runCommand('/tokens', place);
		expect(await app.settings.get('showTokens')).toBe(true);
		await dismissNotice(notices[0]!, { act: true });
		expect(await app.settings.get('showTokens')).toBeUndefined();
	});

	it('[E9] /usage reads what is stored', async () => {
		const { place } = await draw();
		expect(await runCommand('/usage', place)).toBe(true);
		expect(commandOutput.current).toMatchObject({ outcome: { kind: 'text', listing: expect.stringContaining('Compactions') as string } });
		commandOutput.close();
	});
});
