import type { Outcome } from '../commands/command';
import { joinTexts } from '../conversation/unsent';
import { attachingFor } from './attachments.svelte';
import type { ComposerText } from './composer.svelte';
import { deafFor } from './deaf-for';
import { focusComposer, isComposerField } from './focus-composer';
import { ignoreSending } from './ignore-sending';
import { notify } from './notices.svelte';

/**
 * Puts what a command has for a message into the one that is being written. Where that is not the one for which it was asked any more, it is offered:
 * a server takes its time, and its words would be sent as the user's own.
 */
export function putIn({ text, file }: Extract<Outcome, { kind: 'compose' }>, composer: ComposerText | undefined, isAsAsked: boolean): void {
	const put = () => {
		// Offered, it goes where the user is by now.
		const field = isAsAsked ? undefined : [...document.querySelectorAll('textarea')].find(isComposerField);
		if (field && !field.readOnly) giveTo(field, text, file);
		else {
			if (text !== undefined) composer?.putBack(text);
			if (file && composer) void attachingFor(composer).add([file]);
		}
		const { activeElement } = document;
		if (isComposerField(activeElement) || activeElement === document.body) focusComposer();
		// Who pressed it meant what was there before.
		ignoreSending(deafFor, { ofSend: true });
	};
	if (isAsAsked) put();
	else notify({ text: file ? `“${file.name}” is here.` : 'The prompt is here.', action: { label: 'Put it in', run: put } });
}

/** Puts a text before what a field has, and pastes a file into it, whosever composer it is that has it on the screen. */
function giveTo(field: HTMLTextAreaElement, text: string | undefined, file: File | undefined): void {
	if (text !== undefined) {
		field.setRangeText(joinTexts(text, field.value), 0, field.value.length, 'end');
		field.dispatchEvent(new InputEvent('input', { bubbles: true }));
	}
	if (file) {
		const clipboardData = new DataTransfer();
		clipboardData.items.add(file);
		field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
	}
}
