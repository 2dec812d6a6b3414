import { textOf, type Message } from '../conversation/message';
import { AppError } from '../shared/app-error';
import { fitInFields } from '../shared/fit-in-fields';
import { textOfSession, type EditOrigin } from './session-text.svelte';

/** Begins to edit a message, or goes on with that. Throws an AppError where no field can show its text. */
export function beginEdit(message: Message, from: EditOrigin): void {
	const composer = textOfSession(message.sessionId);
	if (composer.editOf(message.id) === undefined) {
		const text = textOf(message);
		if (!fitInFields([text])[0]) {
			throw new AppError('unfit-for-fields', 'This message is too long to be edited here, or changes its direction too often. Copy it, and send what you need of it.');
		}
		composer.edit(message.id, text, text);
	}
	composer.begunEdit = { messageId: message.id, from };
}
