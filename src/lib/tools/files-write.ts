import * as v from 'valibot';
import { makeChange, previewChange, type TextChange } from './file-change';
import { pathOfFile } from './file-text';
import type { ToolPorts } from './ports';
import { makeTool, type Tool } from './tool';

/** The tool `files_write`: writes a whole file, a new one or in the place of one. */
export function createTool({ files }: Pick<ToolPorts, 'files'>): Tool {
	return makeTool({
		name: 'files_write',
		description: 'Writes a whole text file in the folder that the user opened, and makes the folders that it is in. A file that is there is replaced: call files_read first, and files_edit where a passage changes.',
		input: v.object({ path: v.string(), text: v.string() }),
		inputSchema: {
			type: 'object',
			properties: { path: pathOfFile, text: { type: 'string', description: 'All that the file will say.' } },
			required: ['path', 'text'],
			additionalProperties: false
		},
		effect: 'write',
		asks: 'permission',
		preview: (input, context) => previewChange(files, changeOf(input), context),
		run: (input, context) => makeChange(files, changeOf(input), context)
	});
}

function changeOf({ path, text }: { path: string; text: string }): TextChange {
	return { path, sentence: (isThere) => `${isThere ? 'Replace' : 'Create'} the file “${path}”`, next: () => text };
}
