import { keepInTab, keptInTab, nameOfEarly, pathOfEarly } from './tab-text';

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
 * is composed to its end first. Until it is written the tab keeps it. Where the app begins at another address it is there when one comes to its own,
 * and what was entered is not.
 */
export async function takeTyped(write: (typed: TypedBefore) => void): Promise<void> {
	await endWaking();
	const path = pathOfEarly(location);
	if (typed && typed.path !== path) typed.entered = false;
	const name = nameOfEarly(path);
	const taken = typed?.path === path ? typed : keptBefore(path, keptInTab(name));
	if (!taken) return;
	write(taken);
	if (taken === typed) typed = undefined;
	keepInTab(name, undefined);
}

function keptBefore(path: string, text: unknown): TypedBefore | undefined {
	if (typeof text !== 'string' || text === '') return undefined;
	return { text, start: text.length, end: text.length, focused: false, entered: false, path };
}
