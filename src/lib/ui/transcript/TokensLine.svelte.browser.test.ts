import { mount, unmount } from 'svelte';
import { afterEach, expect, it, onTestFinished, test, vi } from 'vitest';
import { newMessage, newSession } from '../../../../tests/fixtures/database';
import { app } from '../../app';
import { conversations } from '../../app/conversations';
import type { AnswerTimes, Usage } from '../../conversation/message';
import { append } from '../../storage/append';
import { Database } from '../../storage/database';
import { Conversation } from '../../view/conversation.svelte';
import TokensLine from './TokensLine.svelte';
import Transcript from './Transcript.svelte';

let mounted: Record<string, unknown> | undefined;

afterEach(async () => {
	if (mounted) await unmount(mounted);
	mounted = undefined;
	document.body.replaceChildren();
});

test.each<[Usage, string, AnswerTimes?]>([
	[{ inputTokens: 1204, cacheReadTokens: 380, outputTokens: 96 }, '1,204 in · 380 cached · 96 out'],
	[{ inputTokens: 1204, cacheWriteTokens: 0, outputTokens: 96, costUsd: 0.0021 }, '1,204 in · 0 to the cache · 96 out · $0.0021'],
	[{ outputTokens: 96 }, '96 out'],
	[{ outputTokens: 96 }, '96 out · 48 tokens/s · 3 s', { first: 500, total: 2500, thinking: 0 }],
	[{ outputTokens: 96 }, '96 out · 1 s', { first: 500, total: 600, thinking: 0 }],
	[{}, '']
])('[S7] of %j the line is %j', (usage, line, times) => {
	mounted = mount(TokensLine, { target: document.body, props: { usage, times } });
	expect(document.body.textContent.trim()).toBe(line);
});

it('[S7] answers show their tokens while that is switched on, and only then', async () => {
	const db = new Database();
	const session = newSession({ status: 'success' });
	await append(db, { session, messages: [newMessage('user', 'Hello'), newMessage('assistant', 'Hi', { usage: { inputTokens: 12, outputTokens: 3 } })] });
	onTestFinished(async () => {
		await app.settings.unset('showTokens');
		await conversations.deleteSessions([session.id], 0);
		await conversations.purge();
		db.close();
	});
	mounted = mount(Transcript, {
		target: document.body,
		props: { conversation: new Conversation(session.id), turn: undefined, changeable: true, reading: false, onproblem: vi.fn() }
	});
	const line = () => document.querySelector('article[aria-label="Assistant"] [title="Tokens"]')?.textContent;
	await vi.waitFor(() => expect(document.querySelectorAll('article')).toHaveLength(2));
	expect(line()).toBeUndefined();
	await app.settings.set('showTokens', true);
	await vi.waitFor(() => expect(line()).toBe('12 in · 3 out'));
	await app.settings.unset('showTokens');
	await vi.waitFor(() => expect(line()).toBeUndefined());
});
