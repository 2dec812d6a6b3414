import { expect, it, onTestFinished } from 'vitest';
import { spoken } from '../../../../tests/fixtures/answers';
import { AppError } from '../../shared/app-error';
import { newId } from '../../shared/id';
import type { UnfinishedAnswer } from '../../conversation/growing-answer';
import { LiveTurns, type WritingTab } from './live-turns';
import type { TurnEvent } from './turn';

const begun = { messageId: 'm', parentId: 'p', model: 'parrot', startedAt: 1000 };

/** Two tabs of one browser, and what the second is told of a session. */
function openTabs() {
	const name = newId();
	const open = () => {
		const channel = new BroadcastChannel(name);
		onTestFinished(() => channel.close());
		return new LiveTurns({ channel, surface: 'web' });
	};
	const [writer, reader] = [open(), open()];
	const told: (TurnEvent | WritingTab | UnfinishedAnswer)[] = [];
	const follow = () =>
		reader.follow('s', {
			onWriter: (tab) => void told.push(tab),
			onAnswer: (answer) => void (answer && told.push(answer)),
			onEvent: (event) => void told.push(event)
		});
	return { writer, reader, told, follow };
}

it('[A5] a second tab is told every event of an answer, in order', async () => {
	const { writer, told, follow } = openTabs();
	follow();
	const events: TurnEvent[] = [
		{ type: 'step-start', ...begun },
		{ type: 'text-delta', text: 'Hel' },
		{ type: 'text-delta', text: 'lo' },
		{ type: 'turn-end', status: 'success' }
	];
	for (const event of events) writer.publish('s', event);
	writer.publish('another session', { type: 'text-delta', text: 'not this' });
	await expect.poll(() => told).toEqual(events);
});

it('[A5] a tab that comes later is told who writes and what there is of the answer, then the rest', async () => {
	const { writer, told, follow } = openTabs();
	writer.writes('s');
	writer.publish('s', { type: 'step-start', ...begun });
	writer.publish('s', { type: 'reasoning-delta', text: 'Hm.' });
	writer.publish('s', { type: 'text-delta', text: 'Hel' });
	await new Promise((resolve) => setTimeout(resolve, 50));
	follow();
	await expect.poll(() => told.length).toBe(2);
	writer.publish('s', { type: 'text-delta', text: 'lo' });
	await expect
		.poll(() => told)
		.toEqual([{ surface: 'web' }, { ...begun, parts: spoken('Hel', 'Hm.') }, { type: 'text-delta', text: 'lo' }]);
});

it('a failure arrives as the AppError that it was', async () => {
	const { writer, told, follow } = openTabs();
	follow();
	const failure = new AppError('server-down', 'The server is down.', { retryable: true, cause: () => 'not to be cloned' });
	writer.publish('s', { type: 'turn-end', status: 'failed', failure });
	await expect.poll(() => told).toHaveLength(1);
	expect((told[0] as { failure: unknown }).failure).toBeInstanceOf(AppError);
	expect(told[0]).toMatchObject({ failure: { code: 'server-down', message: 'The server is down.', retryable: true } });
});

it('who stopped following, or stopped writing, is silent', async () => {
	const { writer, told, follow } = openTabs();
	writer.writes('s')();
	const leave = follow();
	leave();
	writer.publish('s', { type: 'step-start', ...begun });
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(told).toEqual([]);
});
