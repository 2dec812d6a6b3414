import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '../shared/app-error';
import { createTool, type FetchPageOutput } from './fetch-page';
import type { CallPreview, ToolContext, ToolResult } from './tool';

const context: ToolContext = { sessionId: 's', signal: new AbortController().signal };
const asked: string[] = [];
const toolOf = (text: string) => createTool({ readPage: ({ href }) => Promise.resolve((asked.push(href), text)) });

it('[R1] shows the address and the host that is told it, and limits a permission to that host', async () => {
	const { preview } = toolOf('');
	expect(await preview!({ url: 'HTTPS://Orchard.example:8443/päar?q=1#part' }, context)).toEqual({
		sentence: 'Fetch https://orchard.example:8443/p%C3%A4ar?q=1\nThe host orchard.example:8443 is told this address and where Snug runs, and nothing else.',
		scope: 'orchard.example:8443'
	});
	expect((await preview!({ url: 'https://оrchard.example/' }, context)) as CallPreview).toMatchObject({ scope: 'xn--rchard-vqf.example' });
	// What is allowed in clear is not what is allowed by TLS.
	expect((await preview!({ url: 'http://orchard.example/' }, context)) as CallPreview).toMatchObject({ scope: 'http://orchard.example' });
});

it('[R1] fetches nothing that is no address of the web, is too long, or has a password in it', async () => {
	const { run, preview } = toolOf('');
	for (const url of ['pears', '/pears', 'file:///etc/hosts', 'javascript:alert(1)', 'data:text/html,x', 'blob:https://a/b', 'https://me:word@orchard.example/', `https://a.example/${'x'.repeat(2000)}`, `https://${'x'.repeat(60).concat('.').repeat(5)}example/`]) {
		expect(await run({ url }, context)).toMatchObject({ isError: true });
		expect(await preview!({ url }, context)).toMatchObject({ isError: true });
	}
	expect(asked).toEqual([]);
});

it('[R1] gives a long page in parts, which are the page when they are put together', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.constantFrom('a', 'ö', '😀', '\n', ' '), { maxLength: 1000, size: 'max' }), async (signs) => {
			const page = signs.join('').repeat(200);
			const { run } = toolOf(page);
			let [read, start]: [string, number | undefined] = ['', 0];
			while (start !== undefined) {
				const { output } = (await run({ url: 'https://a.example/', start }, context)) as { output: FetchPageOutput };
				expect(output.text.isWellFormed()).toBe(true);
				read += output.text;
				start = output.next_start;
			}
			expect(read).toBe(page);
		}),
		{ numRuns: 20 }
	);
});

it('[R1] answers with a sentence where a page can’t be read', async () => {
	const failing = createTool({ readPage: () => Promise.reject(new AppError('page-unread', 'The page can’t be read.')) });
	expect(await failing.run({ url: 'https://a.example/' }, context)).toEqual({ output: 'The page can’t be read.', isError: true } satisfies ToolResult);
});
