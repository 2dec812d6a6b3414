import { textOf, type Message } from '../conversation/message';
import { AppError } from '../shared/app-error';
import { fitInFields, unfitForFields } from '../shared/fit-in-fields';
import { textOfSession, type EditOrigin } from './session-text.svelte';

/** Begins to edit a message, or goes on with that. Throws an AppError where no field can show its text. */
export function beginEdit(message: Message, from: EditOrigin): void {
	const composer = textOfSession(message.sessionId);
	if (composer.editOf(message.id) === undefined) {
		const text = textOf(message);
		if (!fitInFields([text])[0]) {
			throw new AppError('unfit-for-fields', unfitForFields('This message'));
		}
		composer.edit(message.id, text, text);
	}
	composer.begunEdit = { messageId: message.id, from };
}
