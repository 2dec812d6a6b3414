import * as v from 'valibot';
import { AppError } from '../shared/app-error';
import { makeChange, nameOfNote, previewChange, type NoteChange } from './note-change';
import { absentNote } from './notes-read';
import { replaceOnce } from './places-of';
import type { ToolPorts } from './ports';
import { makeTool, type Tool } from './tool';

interface Edit {
	name: string;
	old_text: string;
	new_text: string;
}

/** The tool `notes_edit`: replaces a passage of a note. What it replaces stands in the call, so no word is lost. */
export function createTool({ notes }: Pick<ToolPorts, 'notes'>): Tool {
	return makeTool({
		name: 'notes_edit',
		description: 'Replaces a passage of a note of this chat. Call notes_read first: the passage has to be there exactly once, letter by letter. To tick a task of the to-do list, replace its line.',
		input: v.object({ name: v.string(), old_text: v.pipe(v.string(), v.nonEmpty()), new_text: v.string() }),
		inputSchema: {
			type: 'object',
			properties: {
				name: nameOfNote,
				old_text: { type: 'string', minLength: 1, description: 'The passage as it is.' },
				new_text: { type: 'string', description: 'What takes its place; empty to take it out.' }
			},
			required: ['name', 'old_text', 'new_text'],
			additionalProperties: false
		},
		effect: 'write',
		asks: 'permission',
		preview: (input, context) => previewChange(notes, changeOf(input), context),
		run: (input, context) => makeChange(notes, changeOf(input), context)
	});
}

function changeOf({ name, old_text, new_text }: Edit): NoteChange {
	return {
		name,
		sentence: () => `Edit the note “${name}”`,
		next(content) {
			if (content === undefined) throw new AppError('note-absent', absentNote(name));
			return replaceOnce(content, { passage: old_text, by: new_text, text: 'the note', readBy: 'notes_read' });
		}
	};
}
