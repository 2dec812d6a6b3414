import { expect, it } from 'vitest';
import { AnswerStopwatch } from './answer-stopwatch';

it('[S7] tells when an answer began, how long it thought, and how long it took in all', () => {
	let now = 1000;
	const stopwatch = new AnswerStopwatch(() => now);
	stopwatch.start();
	for (const [at, event] of [[1400, 'reasoning-delta'], [2000, 'reasoning-delta'], [2400, 'text-delta'], [2500, 'reasoning-delta'], [2600, 'tool-call']] as const) {
		now = at;
		stopwatch.note(event);
	}
	now = 3000;
	expect(stopwatch.stop()).toEqual({ first: 400, total: 2000, thinking: 1100 });
});

it('[S7] counts thinking to its end where nothing follows, and nothing below zero where the clock was set back', () => {
	let now = 1000;
	const stopwatch = new AnswerStopwatch(() => now);
	stopwatch.start();
	stopwatch.note('reasoning-delta');
	now = 1700;
	expect(stopwatch.stop()).toEqual({ first: 0, total: 700, thinking: 700 });
	now = 10;
	expect(stopwatch.stop()).toEqual({ first: 0, total: 0, thinking: 700 });
});
