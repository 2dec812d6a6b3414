import * as v from 'valibot';
import type { ToolPorts } from './ports';
import { errorResult, makeTool, type Tool } from './tool';

/** The longest script, in UTF-16 units. */
const longestScript = 200_000;

/** The output for the model. */
export interface RunJavaScriptOutput {
	/** As text: JSON, unless it was text. Absent where nothing was returned. */
	result?: string;
	console?: string;
}

/** The tool `run_javascript`: a script in a worker without network, storage or page. It has no effect but its result. */
export function createTool({ runScript }: Pick<ToolPorts, 'runScript'>): Tool {
	return makeTool({
		name: 'run_javascript',
		description:
			'Runs JavaScript and gives back what it returns and what it logs. Call it to compute, to count, or to work on data. The code is the body of an async function in a ' +
			'web worker: end it with `return`. It has no network, no files, no DOM and no memory of earlier calls, and 10 seconds.',
		input: v.object({ code: v.pipe(v.string(), v.nonEmpty()) }),
		inputSchema: {
			type: 'object',
			properties: { code: { type: 'string', minLength: 1, maxLength: longestScript, description: 'The body of an async function.' } },
			required: ['code'],
			additionalProperties: false
		},
		effect: 'read',
		async run({ code }, { signal }) {
			if (code.length > longestScript) return errorResult(`The code is longer than ${longestScript} characters. Nothing was run; send less.`);
			const { value, error, logs } = await runScript(code, signal);
			const logged = logs.join('\n');
			if (error !== undefined) return errorResult(logged === '' ? error : `${error}\n\nLogged before:\n${logged}`);
			return { output: { ...(value === undefined ? {} : { result: value }), ...(logged === '' ? {} : { console: logged }) }, isError: false };
		}
	});
}
