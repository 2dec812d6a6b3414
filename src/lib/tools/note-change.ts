import { AppError } from '../shared/app-error';
import { plainName } from '../shared/file-name';
import type { Notes } from './ports';
import type { CallPreview, ToolContext, ToolResult } from './tool';

/** The longest note that a model may write, and the longest name that it may give one, in UTF-16 units. */
export const maxNote = 500_000;
const maxName = 100;

/** The field of a note's name in an input's schema. */
export const nameOfNote = { type: 'string', minLength: 1, maxLength: maxName, description: 'The name of the note.' } as const;

/** A change of a note: `next` makes its text of what is there, undefined where nothing is, or throws an AppError, which the model reads. */
export interface NoteChange {
	name: string;
	sentence: (isThere: boolean) => string;
	next: (content: string | undefined) => string;
}

/** Tells what a change will do. Throws an AppError where it can't be done. */
export async function previewChange(notes: Notes, { name, sentence, next }: NoteChange, { sessionId }: ToolContext): Promise<CallPreview> {
	const before = await notes.read(sessionId, name);
	return { sentence: sentence(before !== undefined), change: { before: before ?? '', after: checked(name, next(before)) } };
}

/** Makes a change of a note as it is by then. Throws an AppError where it can't be done. */
export async function makeChange(notes: Notes, { name, next }: NoteChange, { sessionId }: ToolContext): Promise<ToolResult> {
	const after = await notes.change(sessionId, name, (content) => checked(name, next(content)));
	return { output: { name, characters: after.length }, isError: false };
}

/** Returns the text. Throws an AppError where a note can't be so long, or have such a name: one with a quotation mark could go on as a sentence of the card's. */
function checked(name: string, text: string): string {
	if (plainName(name) !== name || name.trim() === '' || name.length > maxName || /[“”]/.test(name)) throw new AppError('note-name', `The name of a note is a line of up to ${maxName} characters, without quotation marks. Nothing was written.`);
	if (text.length > maxNote) throw new AppError('note-too-long', `A note has ${maxNote} characters at most. Nothing was written.`);
	return text;
}
