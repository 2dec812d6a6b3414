import type { Page } from '@playwright/test';
import { expect } from './app';

/**
 * Begins to note what the page's own thread does. Returns a function that ends it, and says how much work the longest task was, in the thread's own
 * time: other programs take none of it. The unit is the work of {@link calibrate}, so that it is the same on a slow machine.
 */
export async function watchLongestTask(page: Page): Promise<() => Promise<number>> {
	const devtools = await page.context().newCDPSession(page);
	const events: { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }[] = [];
	devtools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as typeof events)));
	await devtools.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel'], excludedCategories: ['*'] }, transferMode: 'ReportEvents' });
	return async () => {
		const whole = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
		await devtools.send('Tracing.end');
		await whole;
		const threads = new Set(events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid}/${tid}`));
		const tasks = events.filter(({ pid, tid }) => threads.has(`${pid}/${tid}`));
		expect(tasks.length).toBeGreaterThan(1000);
		const unit = await page.evaluate(calibrate);
		return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000)) / unit;
	};
}

/** Does a fixed amount of work, of some 100 ms on a machine of 2026, five times. Returns how long the shortest took, in milliseconds. */
function calibrate(): number {
	const times = Array.from({ length: 5 }, () => {
		const since = performance.now();
		let sum = 0;
		for (let step = 0; step < 12_000_000; step++) sum = (sum * 31 + step) | 0;
		return sum === 0.5 ? 0 : performance.now() - since;
	});
	return Math.min(...times);
}
