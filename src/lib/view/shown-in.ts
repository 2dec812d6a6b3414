import { changedStretch } from '../conversation/merge-unsent';

/** Shows a text in a field. Where it changes while one types there, as by a tool, the caret stays with the words that it is in. */
export function showIn(field: HTMLTextAreaElement, text: string): void {
	const { value, selectionStart, selectionEnd, selectionDirection } = field;
	if (value === text) return;
	field.value = text;
	if (document.activeElement !== field) return;
	const { from, same } = changedStretch(value, text);
	const placeOf = (at: number) => {
		if (at <= from) return at;
		return at >= value.length - same ? at + text.length - value.length : Math.min(at, text.length - same);
	};
	field.setSelectionRange(placeOf(selectionStart), placeOf(selectionEnd), selectionDirection);
}
