import type { FilePart } from '../conversation/message';
import { joinTexts } from '../conversation/unsent';
import { fitInFields } from '../shared/fit-in-fields';
import { undoMilliseconds } from '../storage/undo';
import { pasteAsText } from './actions/paste';
import type { Attaching } from './attachments.svelte';
import type { ComposerText } from './composer.svelte';
import { notify } from './notices.svelte';
import { isShortcut } from './shortcuts';

/** Returns the field of a composer, if it is on the screen. */
type FieldOf = (composer: ComposerText) => HTMLTextAreaElement | undefined;

/**
 * Offers a long text that is attached as a file (`added`) as text instead, for a while, or inserts it where it could not be attached: both only where a
 * field has it in good time. Resolves with what takes the key for that as long as nothing was written since.
 */
export async function offerAsText(text: string, added: Promise<FilePart[]>, attaching: Attaching, fieldOf: FieldOf): Promise<((event: KeyboardEvent) => boolean) | undefined> {
	const [file] = await added;
	const isForField = fitInFields([attaching.composer.text, text])[1]!;
	if (!file) {
		if (!isForField) return undefined;
		if (insert(text, attaching.composer, fieldOf)) attaching.forgetProblems();
		return undefined;
	}
	const attached = 'Long text attached as a file.';
	if (!isForField) {
		notify({ text: attached, milliseconds: undoMilliseconds });
		return undefined;
	}
	const { composer, composer: { text: before } } = attaching;
	const isThere = () => attaching.composer.attachments.some(({ attachmentId }) => attachmentId === file.attachmentId);
	const paste = () => {
		dismiss();
		if (!isThere()) return void notify({ text: 'The file isn’t in your message any more.', milliseconds: 8000 });
		const { composer } = attaching;
		if (insert(text, composer, fieldOf)) composer.detach(file.attachmentId);
		else notify({ text: 'This chat is open in another tab, so the text stays a file.', milliseconds: 8000 });
	};
	const dismiss = notify({ text: attached, action: { label: pasteAsText.label, run: paste }, milliseconds: undoMilliseconds });
	return (event) => {
		if (!isShortcut(event, pasteAsText) || attaching.composer !== composer || composer.text !== before || !isThere()) return false;
		event.preventDefault();
		pasteAsText.run(paste);
		return true;
	};
}

/** Writes a text where the caret is, or at the end of a composer that is not on the screen. Returns false where another tab writes. */
function insert(text: string, into: ComposerText, fieldOf: FieldOf): boolean {
	const field = fieldOf(into);
	if (field?.readOnly) return false;
	field?.focus();
	// The command alone leaves what was typed to be undone.
	if (!field || !document.execCommand('insertText', false, text)) into.write(joinTexts(into.text, text));
	return true;
}
