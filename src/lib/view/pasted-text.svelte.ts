import { tick } from 'svelte';
import type { FilePart } from '../conversation/message';
import { joinTexts } from '../conversation/unsent';
import { fitInFields } from '../shared/fit-in-fields';
import { undoMilliseconds } from '../storage/undo';
import { pasteAsText } from './actions/paste';
import type { Attaching } from './attachments.svelte';
import type { ComposerText } from './composer.svelte';
import { notify } from './notices.svelte';
import { isShortcut } from './shortcuts';

/** The most lines that are inserted so that the browser's own undo knows of it. */
const undoableLines = 50;

/** Returns the field of a composer, if it is on the screen. */
type FieldOf = (composer: ComposerText) => HTMLTextAreaElement | undefined;

/**
 * Offers a long text that is attached as a file (`added`) as text instead, for a while and as long as the file is there, or inserts it where it could not be attached: both only where a
 * field has it in good time. Resolves with what takes the key for that as long as nothing was written since.
 */
export async function offerAsText(pasted: string, added: Promise<(FilePart | undefined)[]>, attaching: Attaching, fieldOf: FieldOf): Promise<((event: KeyboardEvent) => boolean) | undefined> {
	const [file] = await added;
	const text = pasted.replace(/\r\n?/g, '\n');
	const fits = () => fitInFields([attaching.composer.text, text])[1]!;
	const isForField = fits();
	if (!file) {
		if (!isForField) return undefined;
		if (insert(text, attaching.composer, fieldOf)) attaching.problems = [];
		return undefined;
	}
	const attached = 'Long text attached as a file.';
	if (!isForField) {
		notify({ text: attached, milliseconds: undoMilliseconds });
		return undefined;
	}
	const { composer, composer: { text: before } } = attaching;
	const isThere = () => attaching.composer.attachments.some(({ attachmentId }) => attachmentId === file.attachmentId);
	let isOffered = true;
	const end = () => {
		isOffered = false;
		clearTimeout(timer);
		stopFollowing();
		dismiss();
	};
	const paste = async () => {
		end();
		// Off the screen a composer follows nothing: another tab may have sent the file.
		if (!fieldOf(attaching.composer)) await attaching.composer.sync();
		if (!isThere()) return;
		if (!fits()) return void notify({ text: 'There is no room for the text in the message any more, so it stays a file.', milliseconds: 8000 });
		const { composer } = attaching;
		if (insert(text, composer, fieldOf)) composer.detach(file.attachmentId);
		else notify({ text: 'This chat is open in another tab, so the text stays a file.', milliseconds: 8000 });
	};
	const dismiss = notify({ text: attached, action: { label: pasteAsText.label, run: paste } });
	const timer = setTimeout(end, undoMilliseconds);
	const stopFollowing = $effect.root(() => {
		$effect(() => {
			if (!isThere()) end();
		});
	});
	return (event) => {
		if (!isOffered || event.target !== fieldOf(composer) || !isShortcut(event, pasteAsText) || attaching.composer !== composer || composer.text !== before || !isThere()) return false;
		event.preventDefault();
		pasteAsText.run(() => void paste());
		return true;
	};
}

/** Writes a text where the caret is, or at the end of a composer that is not on the screen. Returns false where another tab writes. */
function insert(text: string, into: ComposerText, fieldOf: FieldOf): boolean {
	const field = fieldOf(into);
	if (field?.readOnly) return false;
	field?.focus();
	if (!field) into.write(joinTexts(into.text, text));
	else if (document.activeElement !== field || !isShort(text) || !document.execCommand('insertText', false, text)) void insertAtOnce(text, into, fieldOf);
	return true;
}

/** Tells whether the command that leaves what was typed to be undone can insert a text: Chromium takes time for it that grows with the square of its lines. */
function isShort(text: string): boolean {
	return text.split('\n', undoableLines + 1).length <= undoableLines;
}

/** Inserts a text behind what is selected, which stays, since the field is made anew: what it could undo was of another text. */
async function insertAtOnce(text: string, into: ComposerText, fieldOf: FieldOf): Promise<void> {
	// The field counts a line break as one, however it is written.
	const { value, selectionEnd: at } = fieldOf(into)!;
	into.write(value.slice(0, at) + text + value.slice(at));
	into.history = {};
	await tick();
	const field = fieldOf(into);
	field?.focus();
	field?.setSelectionRange(at + text.length, at + text.length);
}
