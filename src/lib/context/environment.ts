import { plainName } from '../shared/file-name';
import { withoutUnseen } from '../shared/without-unseen';
import { cutEnd } from './cut';

/** The most that a to-do list or the names of notes may take of every prompt, in UTF-16 units. */
const most = 2000;

/** The surroundings of a conversation at this moment. */
export interface Environment {
	/** The user's day, as `2026-11-22`. */
	day: string;
	persona?: string;
	workspace?: string;
	/** Names of notes. */
	notes: string[];
	/** The to-do list as it is kept. */
	todo: string;
}

/**
 * Returns the text that is restated after a summary, since the messages that told it are not sent any more. What is not there is left out, and so is
 * what can't be seen: it is part of the system message.
 */
export function environmentText({ day, persona = '', workspace = '', notes, todo }: Environment): string {
	const lines = ['[ENVIRONMENT]', `Date: ${day}`];
	if (persona !== '') lines.push(`Persona: ${persona}`);
	if (workspace !== '') lines.push(`Workspace: ${workspace}`);
	if (notes.length > 0) lines.push(`Notes: ${cutEnd(notes.map(plainName).join(', '), most)}`);
	if (todo.trim() !== '') lines.push(`To do:\n${cutEnd(withoutUnseen(todo).trimEnd(), most)}`);
	return lines.join('\n');
}
