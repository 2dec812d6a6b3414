import * as v from 'valibot';
import { namesOf } from '../shared/folder-path';
import { absentFile, pathOfFile, textOf } from './file-text';
import type { ToolPorts } from './ports';
import { errorResult, makeTool, type Tool } from './tool';

/** The most of a file that is read at once, in UTF-16 units: with what is around it that is no more than a result that is told whole. */
const maxGiven = 80_000;

const line = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** The output for the model: lines of a file, the first of them, and how many it has. */
export interface FilesReadOutput {
	path: string;
	text: string;
	from_line: number;
	lines_in_file: number;
	/** A sentence that says what to do where not all is there. */
	note?: string;
}

/** The tool `files_read`: the text of a file, or some lines of it. */
export function createTool({ files }: Pick<ToolPorts, 'files'>): Tool {
	return makeTool({
		name: 'files_read',
		description: 'Reads a text file of the folder that the user opened, or some lines of it.',
		input: v.object({ path: v.string(), from_line: v.exactOptional(line), lines: v.exactOptional(line) }),
		inputSchema: {
			type: 'object',
			properties: {
				path: pathOfFile,
				from_line: { type: 'integer', minimum: 1, default: 1, description: 'The first line to read.' },
				lines: { type: 'integer', minimum: 1, description: 'How many lines. Leave it out to read to the end.' }
			},
			required: ['path'],
			additionalProperties: false
		},
		effect: 'read',
		async run({ path, from_line = 1, lines = Infinity }, context) {
			namesOf(path);
			const content = await files.read(path, context);
			if (!content) return errorResult(absentFile(path));
			const all = (await textOf(path, content)).split('\n');
			if (from_line > all.length) return errorResult(`“${path}” has ${all.length} lines. Read from one of them.`);
			const wanted = all.slice(from_line - 1, from_line - 1 + lines);
			let length = 0;
			const cut = wanted.findIndex((one) => (length += one.length + 1) > maxGiven);
			const given = cut < 0 ? wanted : wanted.slice(0, cut);
			if (given.length === 0) return errorResult(`Line ${from_line} of “${path}” alone has more than ${maxGiven} characters. files_search finds what is in it.`);
			const output: FilesReadOutput = {
				path,
				text: given.join('\n'),
				from_line,
				lines_in_file: all.length,
				...(cut >= 0 && { note: `That is as much as can be read at once. Go on with from_line ${from_line + given.length}.` })
			};
			return { output, isError: false };
		}
	});
}
