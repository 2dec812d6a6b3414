import { keepInTab } from './tab-text';

/** What was typed into the composer that comes with the page (app.html), before the app ran. */
export interface TypedBefore {
	text: string;
	/** The selection in it. */
	start: number;
	end: number;
	/** True if the user was in it, and if they pressed Enter and typed nothing since. */
	focused: boolean;
	entered: boolean;
	/** Under which the tab keeps it. */
	name: string;
}

/** What was typed, until a composer of the app has it: the first screen may have none. */
let typed: TypedBefore | undefined;

/** Removes the frame that comes with the page: the app has drawn its own. */
export function endWaking(): void {
	const frame = document.getElementById('waking');
	if (!frame) return;
	const { value: text, selectionStart: start, selectionEnd: end } = frame.querySelector('textarea')!;
	typed = { text, start, end, focused: frame.contains(document.activeElement), entered: 'entered' in frame.dataset, name: frame.dataset.kept! };
	frame.remove();
}

/** Gives out, once, what was typed before the app ran. The tab keeps it no longer. */
export function takeTyped(): TypedBefore | undefined {
	endWaking();
	const taken = typed;
	typed = undefined;
	if (taken) keepInTab(taken.name, undefined);
	return taken;
}
