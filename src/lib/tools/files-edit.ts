import * as v from 'valibot';
import { AppError } from '../shared/app-error';
import { makeChange, previewChange, type TextChange } from './file-change';
import { absentFile, pathOfFile } from './file-text';
import { replaceOnce } from './places-of';
import type { ToolPorts } from './ports';
import { makeTool, type Tool } from './tool';

interface Edit {
	path: string;
	old_text: string;
	new_text: string;
}

/** The tool `files_edit`: replaces a passage of a file. */
export function createTool({ files }: Pick<ToolPorts, 'files'>): Tool {
	return makeTool({
		name: 'files_edit',
		description: 'Replaces a passage of a text file in the folder that the user opened. Call files_read first: the passage has to be there exactly once, letter by letter.',
		input: v.object({ path: v.string(), old_text: v.pipe(v.string(), v.nonEmpty()), new_text: v.string() }),
		inputSchema: {
			type: 'object',
			properties: {
				path: pathOfFile,
				old_text: { type: 'string', minLength: 1, description: 'The passage as it is.' },
				new_text: { type: 'string', description: 'What takes its place; empty to take it out.' }
			},
			required: ['path', 'old_text', 'new_text'],
			additionalProperties: false
		},
		effect: 'write',
		asks: 'permission',
		preview: (input, context) => previewChange(files, changeOf(input), context),
		run: (input, context) => makeChange(files, changeOf(input), context)
	});
}

function changeOf({ path, old_text, new_text }: Edit): TextChange {
	return {
		path,
		sentence: () => `Edit the file “${path}”`,
		next(text) {
			if (text === undefined) throw new AppError('file-absent', absentFile(path));
			const hint = text.includes('\r\n') ? ', whose lines end with \\r\\n' : '';
			return replaceOnce(text, { passage: old_text, by: new_text, text: 'the file', readBy: 'files_read', hint });
		}
	};
}
