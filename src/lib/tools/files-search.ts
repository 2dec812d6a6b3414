import * as v from 'valibot';
import { decoded } from './file-text';
import { withoutSlash } from './files-list';
import type { ToolPorts } from './ports';
import { makeTool, type Tool } from './tool';

/** The most lines that are given, the most of each in UTF-16 units, the largest file that is searched, and how much is searched, in UTF-16 units. */
const [maxFound, maxLine, maxSearched, maxRead] = [100, 300, 1_000_000, 100_000_000];

/** The most things in the folder that are looked at. */
const maxLooked = 20_000;

/** The longest text that is looked for, in UTF-16 units: a long one that nearly fits everywhere takes minutes. */
const maxQuery = 200;

/** Milliseconds that a search goes on at most. */
const longestSearch = 30_000;

/** The output for the model. */
export interface FilesSearchOutput {
	results: { path: string; line: number; text: string }[];
	/** Sentences that say what was not searched. */
	note?: string;
}

/** The tool `files_search`: lines of files that have a text. */
export function createTool({ files, clock }: Pick<ToolPorts, 'files' | 'clock'>): Tool {
	return makeTool({
		name: 'files_search',
		description: 'Finds the lines of text files in the folder that the user opened that have a text, in any case. It is plain text, no pattern.',
		input: v.object({ query: v.pipe(v.string(), v.maxLength(maxQuery), v.regex(/\S/)), path: v.exactOptional(v.string()) }),
		inputSchema: {
			type: 'object',
			properties: {
				query: { type: 'string', minLength: 1, maxLength: maxQuery, description: 'The text, within one line.' },
				path: { type: 'string', description: 'Searches in this folder only, such as “notes”.' }
			},
			required: ['query'],
			additionalProperties: false
		},
		effect: 'read',
		async run({ query, path = '' }, context) {
			const latest = clock() + longestSearch;
			const { entries, isWhole } = await files.list(withoutSlash(path), maxLooked, context);
			const wanted = query.toLowerCase();
			const results: FilesSearchOutput['results'] = [];
			let [left, isCut, unread] = [maxRead, !isWhole, 0];
			for (const { path, content } of entries) {
				if (!content) continue;
				context.signal.throwIfAborted();
				if (results.length > maxFound || left <= 0 || clock() > latest) {
					isCut = true;
					break;
				}
				const text = await textIn(content);
				left -= text?.length ?? 0;
				if (text === undefined) unread++;
				else results.push(...linesWith(text, wanted).map(({ line, text }) => ({ path, line, text })));
			}
			const notes = [
				...(isCut || results.length > maxFound ? ['Not all was searched, or is here: search in a folder of it, or for more.'] : []),
				...(unread > 0 ? [`${unread} files are binary, too large or unreadable, and were not searched.`] : [])
			];
			const output: FilesSearchOutput = { results: results.slice(0, maxFound), ...(notes.length > 0 && { note: notes.join(' ') }) };
			return { output, isError: false };
		}
	});
}

/** Returns the text of a file that is searched; undefined where it is binary, too large, or gone by now. */
async function textIn(content: () => Promise<Blob>): Promise<string | undefined> {
	try {
		const file = await content();
		return file.size > maxSearched ? undefined : decoded(await file.arrayBuffer());
	} catch {
		return undefined;
	}
}

/** Returns the lines of a text that have `wanted`, in lower case, by their numbers; one more than are given at most. A long line is given around it. */
function linesWith(text: string, wanted: string): { line: number; text: string }[] {
	if (!text.toLowerCase().includes(wanted)) return [];
	const found: { line: number; text: string }[] = [];
	for (const [index, line] of text.split('\n').entries()) {
		const at = line.toLowerCase().indexOf(wanted);
		if (at < 0) continue;
		const from = Math.max(0, Math.min(at - maxLine / 3, line.length - maxLine));
		found.push({ line: index + 1, text: line.slice(from, from + maxLine).trimEnd() });
		if (found.length > maxFound) break;
	}
	return found;
}
