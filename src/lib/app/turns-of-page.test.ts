import { expect, onTestFinished, test, vi } from 'vitest';
import type { TurnEvent } from '../engine/turns/turn';
import { followTurns, runTurn } from './turns-of-page';

test('[E11] a turn goes on to its end, and others hear of it, whatever a follower throws', async () => {
	const report = vi.fn();
	vi.stubGlobal('reportError', report);
	onTestFinished(() => void vi.unstubAllGlobals());
	const heard: string[] = [];
	let ended = false;
	async function* events(): AsyncGenerator<TurnEvent, void> {
		yield { type: 'text-delta', text: 'one' };
		yield { type: 'turn-end', status: 'success' };
		ended = true;
	}
	followTurns(() => {
		throw new Error('not at all');
	});
	followTurns(() => () => {
		throw new Error('not this one');
	});
	followTurns(({ sessionId }) => (event) => void heard.push(`${sessionId} ${event.type}`));
	await runTurn({ sessionId: 's', parentId: 'p', events: events() }, (event) => void heard.push(event.type));
	expect(heard).toEqual(['s text-delta', 'text-delta', 's turn-end', 'turn-end']);
	expect(ended).toBe(true);
	expect(report).toHaveBeenCalledTimes(3);
});
