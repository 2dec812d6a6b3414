import * as v from 'valibot';
import type { ToolPorts } from './ports';
import { makeTool, type Tool } from './tool';

/** The most files and folders that are named at once. */
const maxListed = 1000;

/** The output for the model. The path of a folder ends with “/”. */
export interface FilesListOutput {
	folder: string;
	entries: string[];
	/** A sentence that says what to do where not all are named. */
	note?: string;
}

/** The tool `files_list`: what is in the folder that the user opened. */
export function createTool({ files }: Pick<ToolPorts, 'files'>): Tool {
	return makeTool({
		name: 'files_list',
		description: 'Lists the files and folders in the folder that the user opened for this chat, with all that is in them. Those of packages (node_modules) are named only.',
		input: v.object({ path: v.exactOptional(v.string()) }),
		inputSchema: {
			type: 'object',
			properties: { path: { type: 'string', description: 'Lists what is in this folder only, such as “notes”. Leave it out to list all.' } },
			additionalProperties: false
		},
		effect: 'read',
		async run({ path = '' }, context) {
			const { folder, entries, isWhole } = await files.list(withoutSlash(path), maxListed, context);
			const output: FilesListOutput = {
				folder,
				entries: entries.map(({ path, content }) => (content ? path : `${path}/`)),
				...(!isWhole && { note: `Only the first ${entries.length} are named. Call files_list with the path of a folder to see more of it.` })
			};
			return { output, isError: false };
		}
	});
}

/** Returns the path of a folder as models write it, without the end that says that it is one; '' for all of the folder. */
export function withoutSlash(path: string): string {
	const bare = path.endsWith('/') && path !== '/' ? path.slice(0, -1) : path;
	return bare === '.' ? '' : bare;
}
