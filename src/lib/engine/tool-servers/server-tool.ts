import { plainName } from '../../shared/file-name';
import { withoutPiledMarks } from '../../shared/piled-marks';
import { readableJson } from '../../shared/readable-json';
import { serverLabel } from '../../shared/server-label';
import { shorten } from '../../shared/shorten';
import type { ServerTool, ToolServer } from '../../storage/tables/tool-servers';
import { errorResult, inputOf, orErrorResult, type InputSchema, type Tool, type ToolResult } from '../../tools/tool';
import { inputFault } from './input-fault';

/** Calls a tool of a server. Throws AppErrors, or the signal's reason. */
export type CallTool = (server: ToolServer, tool: ServerTool, input: Record<string, unknown>, signal: AbortSignal) => Promise<ToolResult>;

/** Returns a tool of a server as a model calls it. It asks before each call, unless the user allows it, and is told to the model as it was shown to the user. */
export function makeServerTool(server: ToolServer, tool: ServerTool, call: CallTool): Tool {
	const { callName, description, inputSchema } = tool;
	const schema = JSON.parse(inputSchema) as InputSchema;
	/** Does `work` with input that fits; says what doesn't otherwise. */
	const withInput = async <T>(input: unknown, work: (given: Record<string, unknown>) => Promise<T>): Promise<T | ToolResult> => {
		const given = inputOf(input);
		const fault = inputFault(given, schema);
		if (fault) return errorResult(`${fault} Nothing was sent; correct the input and call ${callName} again.`);
		return orErrorResult(() => work(given as Record<string, unknown>));
	};
	return {
		name: callName,
		description,
		inputSchema: schema,
		effect: 'network',
		asks: 'permission',
		timeoutMs: 120_000,
		preview: (input) =>
			withInput(input, (given) =>
				Promise.resolve({
					sentence: `Call “${titleOf(tool)}” of the tool server ${labelOf(server)}`,
					sent: readableJson(given) ?? '{}'
				})
			),
		run: (input, { signal }) => withInput(input, (given) => call(server, tool, given, signal))
	};
}

/** Returns the name of a tool on screen: one line, without what could end a quotation. */
export function titleOf({ name, title }: Pick<ServerTool, 'name' | 'title'>): string {
	return lineOf(title ?? name, 80);
}

/** Returns the start of what a server says as one line, without what can't be seen, piles up or could end a quotation. */
export function lineOf(text: string, max: number): string {
	return shorten(withoutPiledMarks(plainName(text)).replace(/[“”]/g, '"'), max);
}

/** Returns a server's name with its host. */
export function labelOf({ name, url }: Pick<ToolServer, 'name' | 'url'>): string {
	return serverLabel({ name, baseUrl: url });
}

/** Tells whether what a server asks for has a name that can stand in the message field, where users write `name=value`. */
export function canBeTyped(name: string): boolean {
	return /^[^\s="“”]{1,60}$/.test(name) && plainName(name) === name;
}
