import { keepInTab, nameOfEarly, pathOfEarly } from './tab-text';

/** Text that was typed into the composer that comes with the page (app.html), before the app ran. */
export interface TypedBefore {
	text: string;
	/** The selection in it. */
	start: number;
	end: number;
	/** True if the user was in it, and if they pressed Enter and typed nothing since. */
	focused: boolean;
	entered: boolean;
	/** The path of the address that it was typed at. */
	path: string;
}

/** Text that was typed, until the composer of its address has it: the first screen may have none. */
let typed: TypedBefore | undefined;

/** Tells whether a word is being composed in the page's own composer: the focus stays there until it is. */
export const isComposingEarly = () => 'composing' in (frameOfPage()?.dataset ?? {});

const frameOfPage = () => document.getElementById('waking');

/** Removes the frame that comes with the page, since the app has drawn its own; at once, or when the word is composed that is being. */
export async function endWaking(): Promise<void> {
	while (isComposingEarly()) await new Promise((resolve) => frameOfPage()!.addEventListener('compositionend', () => setTimeout(resolve), { once: true }));
	const frame = frameOfPage();
	if (!frame) return;
	const { value: text, selectionStart: start, selectionEnd: end } = frame.querySelector('textarea')!;
	typed = { text, start, end, focused: frame.contains(document.activeElement), entered: 'entered' in frame.dataset, path: frame.dataset.path! };
	frame.remove();
}

/**
 * Gives out, once and where it was typed, what was typed before the app ran, to who writes it into a composer: that may be gone by then, since a word
 * is composed to its end first. Until it is written the tab keeps it.
 */
export async function takeTyped(write: (typed: TypedBefore) => void): Promise<void> {
	await endWaking();
	if (typed?.path !== pathOfEarly(location)) return;
	const taken = typed;
	write(taken);
	typed = undefined;
	keepInTab(nameOfEarly(taken.path), undefined);
}
