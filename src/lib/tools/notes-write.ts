import * as v from 'valibot';
import { makeChange, nameOfNote, previewChange, type NoteChange } from './note-change';
import type { ToolPorts } from './ports';
import { makeTool, type Tool } from './tool';

/** The tool `notes_write`: adds to a note of the chat, or creates one. It takes no word away. */
export function createTool({ notes }: Pick<ToolPorts, 'notes'>): Tool {
	return makeTool({
		name: 'notes_write',
		description:
			'Adds lines to the end of a note of this chat, or creates the note. The user sees the notes beside the chat. The note named “todo” is the to-do list: a task a line, as “- [ ] Task”. ' +
			'To change what a note says, call notes_edit.',
		input: v.object({ name: v.string(), text: v.pipe(v.string(), v.nonEmpty()) }),
		inputSchema: {
			type: 'object',
			properties: { name: nameOfNote, text: { type: 'string', minLength: 1, description: 'Markdown.' } },
			required: ['name', 'text'],
			additionalProperties: false
		},
		effect: 'write',
		asks: 'permission',
		preview: (input, context) => previewChange(notes, changeOf(input), context),
		run: (input, context) => makeChange(notes, changeOf(input), context)
	});
}

function changeOf({ name, text }: { name: string; text: string }): NoteChange {
	return {
		name,
		sentence: (isThere) => (isThere ? `Add to the note “${name}”` : `Create the note “${name}”`),
		next: (content = '') => (content === '' ? text : `${content}${content.endsWith('\n') ? '' : '\n'}${text}`)
	};
}
