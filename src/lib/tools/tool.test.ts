import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { AppError } from '../shared/app-error';
import { makeTool, toFunctionTool, type ToolContext, type ToolSpec } from './tool';

const context: ToolContext = { sessionId: 's', signal: new AbortController().signal };
const schema = v.object({ path: v.string(), lines: v.optional(v.pipe(v.number(), v.minValue(1)), 10) });

const reader = (run: ToolSpec<typeof schema>['run']) =>
	makeTool({
		name: 'read_lines',
		description: 'Reads lines.',
		input: schema,
		inputSchema: { type: 'object', properties: { path: { type: 'string' }, lines: { type: 'number', minimum: 1 } }, required: ['path'] },
		effect: 'read',
		run
	});
const echo = reader((input) => Promise.resolve({ output: input, isError: false }));

describe('a tool', () => {
	it('runs with input that fits, defaults filled in', async () => {
		expect(await echo.run({ path: 'a' }, context)).toEqual({ output: { path: 'a', lines: 10 }, isError: false });
	});

	it.each([
		['nothing', undefined, 'The input is missing.'],
		['text', '{"path":"a"}', 'The input is "{"path":"a"}", where Object belongs.'],
		['a missing field', {}, '“path” in the input is missing.'],
		['a field of another type', { path: 1 }, '“path” in the input is 1, where string belongs.'],
		['a number out of range', { path: 'a', lines: 0 }, '“lines” in the input is 0, where >=1 belongs.'],
		['a field that is not known', { path: 'a', file: 'b' }, '“file” in the input is not known.'],
		['endless text', { path: 'a', lines: 'x'.repeat(1e6) }, `“lines” in the input is "${'x'.repeat(58)}…, where number belongs.`]
	])('answers %s with a sentence', async (_, input, fault) => {
		expect(await echo.run(input, context)).toEqual({
			output: `${fault} Nothing was done; correct the input and call read_lines again.`,
			isError: true
		});
	});

	it('answers whatever a model may send', async () => {
		await fc.assert(
			fc.asyncProperty(fc.anything({ withNullPrototype: true, withSparseArray: true }), async (input) => {
				const { isError, output } = await echo.run(input, context);
				if (isError) expect(output.length).toBeLessThan(300);
				else expect(v.is(schema, input)).toBe(true);
			}),
			{ numRuns: 200 }
		);
	});

	it('answers with what people are told where it fails, and lets a bug through', async () => {
		const failing = reader(() => Promise.reject(new AppError('disk-full', 'The disk is full. Make room, then try again.')));
		expect(await failing.run({ path: 'a' }, context)).toEqual({ output: 'The disk is full. Make room, then try again.', isError: true });
		const broken = reader(() => Promise.reject(new TypeError('x is undefined')));
		await expect(broken.run({ path: 'a' }, context)).rejects.toThrow(TypeError);
	});

	it('does not begin where the turn was stopped', async () => {
		const run = echo.run({ path: 'a' }, { ...context, signal: AbortSignal.abort('stopped') });
		await expect(run).rejects.toBe('stopped');
	});

	it('is handed to a model as the provider contract wants it', () => {
		expect(toFunctionTool(echo)).toEqual({ type: 'function', name: 'read_lines', description: 'Reads lines.', inputSchema: echo.inputSchema });
	});
});
