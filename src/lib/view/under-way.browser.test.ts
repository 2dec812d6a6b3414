import { expect, it } from 'vitest';
import { whenQuiet, withoutLeaving } from './under-way';

it('[P2] waits for work that begins while it waits for others, and for others after the work', async () => {
	const steps: string[] = [];
	const first = Promise.withResolvers<void>();
	const second = Promise.withResolvers<void>();
	const others = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	let asked = 0;
	void withoutLeaving(first.promise);
	const quiet = whenQuiet(() => {
		steps.push(`others ${asked}`);
		return others[asked++]!.promise;
	}).then(() => steps.push('quiet'));
	await Promise.resolve();
	expect(steps).toEqual([]);
	first.resolve();
	await expect.poll(() => steps).toEqual(['others 0']);
	void withoutLeaving(second.promise).catch(() => undefined);
	others[0]!.resolve();
	await Promise.resolve();
	second.reject(new Error('it may fail'));
	await expect.poll(() => steps).toEqual(['others 0', 'others 1']);
	others[1]!.resolve();
	await quiet;
	expect(steps).toEqual(['others 0', 'others 1', 'quiet']);
});
