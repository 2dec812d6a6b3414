import { expect, it } from 'vitest';
import { newId } from '../shared/id';
import { holdWhenFree, steal, tryHold } from './session';

const { locks } = navigator;

it('[A5] one at a time holds a session', async () => {
	const id = newId();
	const first = await tryHold(locks, id);
	expect(first?.lost.aborted).toBe(false);
	expect(await tryHold(locks, id)).toBeUndefined();
	expect(await tryHold(locks, newId())).toBeDefined();
	first!.release();
	await expect.poll(() => tryHold(locks, id)).toBeDefined();
});

it('[A5] who steals it has it, and the preempted one is told', async () => {
	const id = newId();
	const preempted = (await tryHold(locks, id))!;
	const thief = await steal(locks, id, (hold) => Promise.resolve(hold));
	await expect.poll(() => preempted.lost.aborted).toBe(true);
	expect(thief.lost.aborted).toBe(false);
	preempted.release();
	expect(await tryHold(locks, id)).toBeUndefined();
});

it('[A5] who waits gets it when it is free', async () => {
	const id = newId();
	const first = (await tryHold(locks, id))!;
	const waiting = holdWhenFree(locks, id, new AbortController().signal);
	first.release();
	expect((await waiting).lost.aborted).toBe(false);
	expect(await tryHold(locks, id)).toBeUndefined();
});

it('who waits can leave', async () => {
	const id = newId();
	await tryHold(locks, id);
	const leave = new AbortController();
	const waiting = holdWhenFree(locks, id, leave.signal);
	leave.abort(new Error('enough'));
	await expect(waiting).rejects.toThrow('enough');
});
