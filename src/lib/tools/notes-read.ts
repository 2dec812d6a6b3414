import * as v from 'valibot';
import { shorten } from '../shared/shorten';
import type { ToolPorts } from './ports';
import { errorResult, makeTool, type Tool } from './tool';

/** The output for the model: a note, or the names of all. */
export type NotesReadOutput = { name: string; text: string } | { notes: { name: string; characters: number }[] };

/** The tool `notes_read`: the notes of the chat, and its to-do list. */
export function createTool({ notes }: Pick<ToolPorts, 'notes'>): Tool {
	return makeTool({
		name: 'notes_read',
		description: 'Reads a note of this chat, or lists the names of all where none is given. The to-do list is the note named “todo”, a Markdown task list.',
		input: v.object({ name: v.exactOptional(v.string()) }),
		inputSchema: {
			type: 'object',
			properties: { name: { type: 'string', description: 'The name of a note. Leave it out to list all.' } },
			additionalProperties: false
		},
		effect: 'read',
		async run({ name }, { sessionId }) {
			if (name === undefined) return { output: { notes: await notes.list(sessionId) }, isError: false };
			const text = await notes.read(sessionId, name);
			return text === undefined ? errorResult(absentNote(name)) : { output: { name, text }, isError: false };
		}
	});
}

/** Says that a note is not there, to a model. */
export function absentNote(name: string): string {
	return `There is no note named “${shorten(name, 100)}”. Call notes_read without a name to list all.`;
}
