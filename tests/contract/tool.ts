import { expect, it } from 'vitest';
import { toFunctionTool, type Tool } from '../../src/lib/tools/tool';

/** Every tool that comes with Snug holds these. `input` is one that fits. */
export function describeTool(tool: Tool, name: string, input: unknown): void {
	const context = () => ({ sessionId: 'here', signal: new AbortController().signal });
	const call = (given: unknown) => tool.run(given, context());

	it('has the name of its entry, which every provider takes', () => {
		expect(tool.name).toBe(name);
		expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
	});

	it('is described by a closed schema that can be sent', () => {
		expect(toFunctionTool(tool)).toEqual(JSON.parse(JSON.stringify(toFunctionTool(tool))));
		expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
		expect(tool.description).toMatch(/^[A-Z].*\.$/s);
	});

	it('asks before it has an effect, and shows what that will be', async () => {
		expect(tool.asks !== undefined || tool.effect === 'read').toBe(true);
		if (tool.asks) expect(await tool.preview!(input, context())).toMatchObject({ sentence: expect.stringMatching(/^\S/) as string });
		else expect(tool.preview).toBeUndefined();
	});

	it('answers input that fits with plain data', async () => {
		const { output, isError } = await call(input);
		expect(isError).toBe(false);
		expect(output).toEqual(JSON.parse(JSON.stringify(output)));
	});

	it.each(['text', 7, { not_a_field: 1 }, { ['__proto__']: 1, not_a_field: 1 }])('answers %j, which does not fit, with an error that the model can read', async (given) => {
		expect(await call(given)).toMatchObject({ isError: true, output: expect.stringContaining(`call ${name} again`) as string });
	});

	it('rejects with the reason of a stop', async () => {
		const reason = new Error('stopped');
		await expect(tool.run(input, { sessionId: 'here', signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
	});
}
