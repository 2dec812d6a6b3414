import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Found, Search } from './ports';
import { createTool } from './session-search';
import { toFunctionTool, type ToolContext } from './tool';

const context: ToolContext = { sessionId: 'here', signal: new AbortController().signal };
const nothing: Found = { hits: [], total: 0, correctionsIn: () => [] };
const hit: Found['hits'][number] = {
	id: 'm1',
	kind: 'message',
	sessionId: 's1',
	session: 'Pears',
	role: 'assistant',
	createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
	score: 12.345678,
	snippet: { text: '… the Williams pear …' }
};

/** The tool over a search that finds `found`, and what that was asked. */
function toolOn(found: Partial<Found> = {}) {
	const asked: [query: string, options: Parameters<Search>[1]][] = [];
	const tool = createTool({
		search: (query, options) => {
			asked.push([query, options]);
			return Promise.resolve({ ...nothing, ...found });
		}
	});
	return { tool, asked };
}

describe('[E7] session_search', () => {
	it('gives the model ids, sessions, scores and snippets', async () => {
		const { tool, asked } = toolOn({ hits: [hit], total: 31 });
		expect(await tool.run({ query: ' pear ' }, context)).toEqual({
			isError: false,
			output: {
				total: 31,
				results: [
					{
						id: 'm1',
						kind: 'message',
						session: 's1',
						session_title: 'Pears',
						score: 12.346,
						snippet: '… the Williams pear …',
						role: 'assistant',
						created_at: '2026-01-02T03:04:05.000Z'
					}
				]
			}
		});
		expect(asked).toEqual([['pear', { limit: 200 }]]);
	});

	it('narrows down to a session and a role', async () => {
		const { tool, asked } = toolOn();
		await tool.run({ query: 'pear', limit: 20, session_id: 's1', role: 'user' }, context);
		expect(asked).toEqual([['pear', { limit: 200, sessionId: 's1', role: 'user' }]]);
	});

	it('leaves out the conversation that it is called from, unless that is asked for', async () => {
		const { tool } = toolOn({ hits: [{ ...hit, id: 'own', sessionId: 'here' }, hit], total: 2 });
		expect((await tool.run({ query: 'pear' }, context)).output).toMatchObject({ total: 1, results: [{ id: 'm1' }] });
		expect((await tool.run({ query: 'pear', session_id: 'here' }, context)).output).toMatchObject({ total: 2, results: [{ id: 'own' }, { id: 'm1' }] });
	});

	it('leaves out what tools gave', async () => {
		const { tool } = toolOn({ hits: [{ ...hit, id: 'given', role: 'tool' }, hit], total: 2 });
		expect((await tool.run({ query: 'pear' }, context)).output).toMatchObject({ total: 1, results: [{ id: 'm1' }] });
		expect((await tool.run({ query: 'pear', role: 'tool' }, context)).isError).toBe(true);
	});

	it('gives no more than was asked for', async () => {
		const { tool } = toolOn({ hits: Array.from({ length: 9 }, (_, at) => ({ ...hit, id: `m${at}` })), total: 9 });
		expect((await tool.run({ query: 'pear', limit: 2 }, context)).output).toMatchObject({ total: 9, results: [{ id: 'm0' }, { id: 'm1' }] });
	});

	it.each([
		['a limit above 20', { query: 'a', limit: 21 }, '“limit” in the input is 21, where <=20 belongs.'],
		['a limit of none', { query: 'a', limit: 0 }, '“limit” in the input is 0, where >=1 belongs.'],
		['a limit that is no number', { query: 'a', limit: NaN }, '“limit” in the input is NaN, where number belongs.'],
		['half a limit', { query: 'a', limit: 1.5 }, '“limit” in the input is 1.5, where'],
		['no query', {}, '“query” in the input is missing.'],
		['an empty query', { query: ' \n ' }, '“query” in the input is empty.'],
		['another role', { query: 'a', role: 'system' }, '“role” in the input is "system", where ("user" | "assistant") belongs.'],
		['a field that is not known', { query: 'a', sessionId: 's1' }, '“sessionId” in the input is not known.'],
		['no object', 'pear', 'The input is "pear", where Object belongs.']
	])('refuses %s, and searches for nothing', async (_, input, fault) => {
		const { tool, asked } = toolOn();
		const { output, isError } = await tool.run(input, context);
		expect(isError).toBe(true);
		expect(output).toContain(fault);
		expect(asked).toEqual([]);
	});

	it('says the sentence of a query that the search refuses', async () => {
		const refused = 'This is too long to search for: take at most 32 words.';
		expect(await toolOn({ refused }).tool.run({ query: 'a'.repeat(100_000) }, context)).toEqual({ output: refused, isError: true });
	});

	it('says what the results are not', async () => {
		const { tool } = toolOn({
			hits: [hit, { ...hit, snippet: { text: 'Paper.' } }],
			correctionsIn: () => [{ word: 'paer', to: ['pear', 'paper'] }],
			progress: { done: 10, total: 300 }
		});
		expect(await tool.run({ query: 'paer' }, context)).toMatchObject({
			output: {
				note:
					'“paer” is nowhere; in its place, the search took “pear”, “paper”. ' +
					'The search index is still being built: 10 of 300 messages are in it.'
			}
		});
	});

	it('tells no word that stands in what it leaves out only', async () => {
		const correctionsIn = (hits: Found['hits']) => [{ word: 'paer', to: hits.map(({ snippet }) => snippet.text) }];
		const others = [{ ...hit, role: 'tool' as const, snippet: { text: 'secret' } }, { ...hit, sessionId: 'here', snippet: { text: 'own' } }];
		const { tool } = toolOn({ hits: [...others, { ...hit, snippet: { text: 'pear' } }], total: 3, correctionsIn });
		expect(await tool.run({ query: 'paer' }, context)).toMatchObject({ output: { note: '“paer” is nowhere; in its place, the search took “pear”.' } });
	});

	it('has no role for a title, and no time where there is none', async () => {
		const { role: _, ...title } = { ...hit, kind: 'title' as const, createdAt: 8.65e15 };
		const { output } = await toolOn({ hits: [title], total: 1 }).tool.run({ query: 'pear' }, context);
		const [result] = (output as { results: object[] }).results;
		expect(result).toMatchObject({ kind: 'title', created_at: null });
		expect(result).not.toHaveProperty('role');
	});

	it('passes any text on as it is, and answers in plain data', async () => {
		const hostile = ['\u0000', '\ud800', '(a+)+$', '"', '-', '’; DROP TABLE messages; --', '<img src=x onerror=alert(1)>', '\u202eabc', '__proto__', 'x'.repeat(10_000)];
		const strings = fc.oneof(fc.constantFrom(...hostile), fc.string());
		await fc.assert(
			fc.asyncProperty(strings, strings, async (query, text) => {
				const { tool, asked } = toolOn({ hits: [{ ...hit, session: text, snippet: { text } }], total: 1 });
				const { output, isError } = await tool.run({ query }, context);
				expect(isError).toBe(query.trim() === '');
				if (isError) return;
				expect(asked).toEqual([[query.trim(), { limit: 200 }]]);
				expect(output).toMatchObject({ results: [{ session_title: text, snippet: text }] });
				expect(JSON.parse(JSON.stringify(output))).toEqual(output);
			}),
			{ numRuns: 50 }
		);
	});

	it('lets a failing search fail', async () => {
		const tool = createTool({ search: () => Promise.reject(new Error('a bug')) });
		await expect(tool.run({ query: 'pear' }, context)).rejects.toThrow('a bug');
	});

	it('tells the model what it takes, and asks nobody, since it only reads', async () => {
		const { tool } = toolOn();
		expect([tool.effect, tool.asks]).toEqual(['read', undefined]);
		const { name, inputSchema } = toFunctionTool(tool);
		expect(name).toBe('session_search');
		expect(Object.keys(inputSchema.properties!)).toEqual(['query', 'limit', 'session_id', 'role']);
		expect(inputSchema.required).toEqual(['query']);

		// The ends of the range in the JSON Schema are accepted.
		const { limit, role } = inputSchema.properties as Record<string, { minimum: number; maximum: number; enum: string[] }>;
		for (const input of [{ limit: limit!.minimum }, { limit: limit!.maximum }, ...role!.enum.map((role) => ({ role }))]) {
			expect(await tool.run({ query: 'pear', ...input }, context)).toMatchObject({ isError: false });
		}
	});
});
