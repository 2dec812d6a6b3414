import { expect, it } from 'vitest';
import type { ScriptEnd } from './ports';
import { createTool } from './run-javascript';

const run = (end: ScriptEnd) => createTool({ runScript: () => Promise.resolve(end) }).run({ code: 'return 1' }, { sessionId: 'here', signal: new AbortController().signal });

it.each<[ScriptEnd, unknown]>([
	[{ value: '4', logs: [] }, { output: { result: '4' }, isError: false }],
	[{ value: '4', logs: ['a', 'b'] }, { output: { result: '4', console: 'a\nb' }, isError: false }],
	[{ logs: [] }, { output: {}, isError: false }],
	[{ error: 'No.', logs: [] }, { output: 'No.', isError: true }],
	[{ error: 'No.', logs: ['a'] }, { output: 'No.\n\nLogged before:\na', isError: true }]
])('[R1] run_javascript tells the model of %j as %j', async (end, told) => expect(await run(end)).toEqual(told));
