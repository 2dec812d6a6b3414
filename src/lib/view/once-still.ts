import { deafFor } from './deaf-for';

/** The distance from the edges of a button in which its corners are looked at, in pixels: within what is round of them. */
const inset = 3;

/** Names what can be seen of a button: its place and its size on the screen, and which of its middle and its corners something else covers. */
function sightOf(button: HTMLElement): string {
	const { x, y, width, height } = button.getBoundingClientRect();
	const [right, bottom] = [x + width, y + height];
	const points = [[x + width / 2, y + height / 2], [x + inset, y + inset], [right - inset, y + inset], [x + inset, bottom - inset], [right - inset, bottom - inset]] as const;
	const seen = points.map(([x, y]) => button.contains(document.elementFromPoint(x, y)));
	return [x, y, width, height, ...seen].join();
}

/**
 * Has a button hear nothing for a while after it appeared, after another window was in front, after its place or size on the screen, or what covers it, changed for whatever reason, and after
 * something else was pressed. A press counts that begins and ends on it where it stands still since then. A key, or what a screen reader does, goes to what has the focus, not to a place: neither a move nor a
 * press elsewhere keeps it away. The button does not fade meanwhile, nor lose the focus. For `{@attach}`.
 */
export function onceStill(button: HTMLElement): () => void {
	const gone = new AbortController();
	const early = { capture: true, signal: gone.signal };
	let sight = sightOf(button);
	/** True while this window is in front, a frame of it included. */
	let isInFront = document.hasFocus();
	/** The times of the first press and the first key that are heard. */
	let pressesFrom = Infinity;
	let keysFrom = 0;
	let isPressed = false;
	/** The time up to which a click may be the end of the last press, wherever that was. */
	let pressEndsBy = -Infinity;
	/** True if a click comes of no press: it is a key's, or a screen reader's, which in Firefox is told like one of a mouse. */
	let isWithoutPress = true;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let frame: number;

	function hear() {
		pressesFrom = performance.now();
		button.removeAttribute('aria-disabled');
	}

	function deafen() {
		pressesFrom = Infinity;
		isPressed = false;
		button.setAttribute('aria-disabled', 'true');
		clearTimeout(timer);
		timer = setTimeout(hear, deafFor);
	}

	function deafenToAll() {
		keysFrom = performance.now() + deafFor;
		deafen();
	}

	function look() {
		const [sightBefore, wasInFront] = [sight, isInFront];
		sight = sightOf(button);
		isInFront = document.hasFocus();
		if (isInFront && !wasInFront) deafenToAll();
		else if (sight !== sightBefore) deafen();
	}

	/** Looks in each frame; there are none while the page is hidden. */
	function follow() {
		look();
		frame = requestAnimationFrame(follow);
	}

	function begin(event: PointerEvent) {
		look();
		pressEndsBy = Infinity;
		if (button.contains(event.target as Node)) isPressed = event.timeStamp >= pressesFrom;
		else deafen();
	}

	/** A press that ends is clicked at once, if at all: it may have been a drag. */
	function release({ type, timeStamp }: PointerEvent) {
		pressEndsBy = type === 'pointerup' ? timeStamp + deafFor : -Infinity;
	}

	function tell(event: MouseEvent) {
		isWithoutPress = event.detail === 0 || event.timeStamp > pressEndsBy;
		pressEndsBy = -Infinity;
	}

	function end(event: MouseEvent) {
		look();
		const isHeard = isWithoutPress ? event.timeStamp >= keysFrom : isPressed;
		isPressed = false;
		if (isHeard) return;
		event.preventDefault();
		event.stopImmediatePropagation();
	}

	addEventListener('pointerdown', begin, early);
	addEventListener('pointerup', release, early);
	addEventListener('pointercancel', release, early);
	addEventListener('click', tell, early);
	button.addEventListener('click', end, early);
	document.addEventListener('visibilitychange', deafenToAll, { signal: gone.signal });
	deafenToAll();
	follow();
	return () => {
		gone.abort();
		clearTimeout(timer);
		cancelAnimationFrame(frame);
	};
}
