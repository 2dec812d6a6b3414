import { expect, test } from 'vitest';
import { send } from './egress';

test('[P3] bytes that are there all at once are read with turns for others in between, those of an answer in small pieces', async () => {
	const [chunks, size] = [4000, 40_000];
	let left = chunks;
	const chunk = new Uint8Array(size).fill(10);
	const body = new ReadableStream<Uint8Array>({ pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()) });
	const answer = await send('answer', 'https://box.example/v1', {}, { fetch: () => Promise.resolve(new Response(body)) });
	let turns = 0;
	const timer = setInterval(() => turns++);
	let [read, longest] = [0, 0];
	const reader = answer.body!.getReader();
	for (let next = await reader.read(); !next.done; next = await reader.read()) {
		// As long as a parser takes for an empty event at least.
		for (const byte of next.value) read += byte === 10 ? 1 : 0;
		longest = Math.max(longest, next.value.length);
	}
	clearInterval(timer);
	expect(read).toBe(chunks * size);
	expect(turns).toBeGreaterThan(2);
	expect(longest).toBeLessThanOrEqual(16 * 1024);
});

test.each([204, 205, 304])('[P8] an answer without a body by its status (%s) is one, also where the browser gives it an empty one', async (expected) => {
	const own = new Response(null, { status: expected });
	Object.defineProperty(own, 'body', { value: new ReadableStream({ start: (controller) => controller.close() }) });
	const { status, body } = await send('tool-server', 'https://box.example/mcp', {}, { fetch: () => Promise.resolve(own) });
	expect([status, body]).toEqual([expected, null]);
});
