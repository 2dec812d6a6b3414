import { describe, expect, it } from 'vitest';
import { newId } from '../shared/id';
import { answeringSessions, holdAnswering, whenNothingAnswers } from './answering';

const { locks } = navigator;

/** Tells whether `promise` settles within 50 ms. */
function settles(promise: Promise<unknown>): Promise<boolean> {
	const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 50));
	return Promise.race([promise.then(() => true), late]);
}

describe('holdAnswering', () => {
	it('tells which sessions are answered, until each is freed', async () => {
		const [id, other] = [newId(), newId()];
		const [release, releaseOther] = [await holdAnswering(locks, id), await holdAnswering(locks, other)];
		expect((await answeringSessions(locks)).sort()).toEqual([id, other].sort());
		release();
		await expect.poll(() => answeringSessions(locks)).toEqual([other]);
		releaseOther();
		await expect.poll(() => answeringSessions(locks)).toEqual([]);
	});

	it('does not wait for a turn that was preempted', async () => {
		const id = newId();
		const [preempted, release] = [await holdAnswering(locks, id), await holdAnswering(locks, id)];
		preempted();
		expect(await answeringSessions(locks)).toEqual([id]);
		release();
		await expect.poll(() => answeringSessions(locks)).toEqual([]);
	});

	it('rejects where the browser refuses the lock', async () => {
		const refusing = { request: () => Promise.reject(new DOMException('', 'SecurityError')) } as unknown as LockManager;
		await expect(holdAnswering(refusing, newId())).rejects.toMatchObject({ name: 'SecurityError' });
	});
});

it('answeringSessions sees no locks of other kinds', async () => {
	await locks.request(`model:${newId()}`, async () => {
		expect(await answeringSessions(locks)).toEqual([]);
	});
});

describe('whenNothingAnswers', () => {
	it('resolves at once where nothing answers', async () => {
		await whenNothingAnswers(locks);
	});

	it('waits for every answer, also for one that begins meanwhile', async () => {
		const [first, second] = [newId(), newId()];
		const releaseFirst = await holdAnswering(locks, first);
		const quiet = whenNothingAnswers(locks);
		const releaseSecond = await holdAnswering(locks, second);
		releaseFirst();
		expect(await settles(quiet)).toBe(false);
		releaseSecond();
		await quiet;
	});

	it('keeps no session from being answered again afterwards', async () => {
		const id = newId();
		const release = await holdAnswering(locks, id);
		const quiet = whenNothingAnswers(locks);
		release();
		await quiet;
		const again = await holdAnswering(locks, id);
		expect(await answeringSessions(locks)).toEqual([id]);
		again();
	});
});
