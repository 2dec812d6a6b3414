/**
 * The longest task of the page's main thread while `work` runs, in milliseconds of CPU time: what else the machine does is
 * no cost of the page's.
 * @param {import('playwright').BrowserContext} context
 * @param {import('playwright').Page} page
 * @param {() => Promise<void>} work
 * @returns {Promise<number>}
 */
export async function longestTask(context, page, work) {
	const devtools = await context.newCDPSession(page);
	/** @type {{ name: string, ph: string, pid: number, tid: number, tdur?: number, args?: { name?: string } }[]} */
	const events = [];
	devtools.on('Tracing.dataCollected', ({ value }) => events.push(.../** @type {any} */ (value)));
	const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
	await devtools.send('Tracing.start', {
		transferMode: 'ReportEvents',
		traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline', '__metadata'] }
	});
	await work();
	await devtools.send('Tracing.end');
	await complete;
	await devtools.detach();
	const main = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
	const tasks = events.filter(({ name, pid, tid }) => name === 'RunTask' && main.some((thread) => thread.pid === pid && thread.tid === tid));
	const durations = tasks.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1000]));
	if (durations.length === 0) throw new Error('the trace has no tasks of the main thread');
	return Math.max(...durations);
}
