/**
 * What the page's only worker holds after a collection of garbage, in bytes: objects of JavaScript and of the browser, and
 * the memory behind array buffers; not WebAssembly's.
 * @param {import('playwright').BrowserContext} context
 * @param {import('playwright').Page} page
 * @returns {Promise<number>}
 */
export async function workerHeap(context, page) {
	const devtools = await context.newCDPSession(page);
	/** @type {Promise<string>} */
	const attached = new Promise((resolve) => {
		devtools.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
			if (targetInfo.type === 'worker') resolve(sessionId);
		});
	});
	await devtools.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
	const sessionId = await attached;
	let asked = 0;
	/** @param {string} method @returns {Promise<any>} */
	const send = async (method) => {
		const id = ++asked;
		/** @type {Promise<any>} */
		const answered = new Promise((resolve, reject) => {
			devtools.on('Target.receivedMessageFromTarget', ({ message }) => {
				const { id: of, result, error } = JSON.parse(message);
				if (of === id) error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result);
			});
		});
		await devtools.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) });
		return answered;
	};
	await send('HeapProfiler.collectGarbage');
	const { usedSize, embedderHeapUsedSize, backingStorageSize } = await send('Runtime.getHeapUsage');
	await devtools.detach();
	return usedSize + embedderHeapUsedSize + backingStorageSize;
}
