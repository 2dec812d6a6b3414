import type { Outcome } from '../commands/command';
import { attachingFor } from './attachments.svelte';
import type { ComposerText } from './composer.svelte';
import { deafFor } from './deaf-for';
import { focusComposer, isComposerField } from './focus-composer';
import { ignoreSending } from './ignore-sending';
import { notify } from './notices.svelte';

/**
 * Puts what a command has for a message into a composer. Where what is written there is not that for which it was asked any more, it is offered:
 * a server takes its time, and its words would be sent as the user's own.
 */
export function putIn({ text, file }: Extract<Outcome, { kind: 'compose' }>, composerNow: () => ComposerText | undefined, isAsAsked: boolean): void {
	const put = () => {
		const composer = composerNow();
		if (text !== undefined) composer?.putBack(text);
		if (file && composer) void attachingFor(composer).add([file]);
		const { activeElement } = document;
		if (isComposerField(activeElement) || activeElement === document.body) focusComposer();
		// Who pressed it meant what was there before.
		ignoreSending(deafFor, { ofSend: true });
	};
	if (isAsAsked) put();
	else notify({ text: file ? `“${file.name}” is here.` : 'The prompt is here.', action: { label: 'Put it in', run: put } });
}
