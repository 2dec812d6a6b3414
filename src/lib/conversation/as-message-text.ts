import { commandForm } from './command-form';

/** Returns a text that somebody else wrote, as one that is sent as a message, also where it has the form of a command. */
export function asMessageText(text: string): string {
	return commandForm.test(text) ? ` ${text}` : text;
}
