import { deafFor } from './deaf-for';

/** True if what was used last is a frame of this page: coming back from there is not coming from another window. */
let wasInFrame = false;
// The browser says where the focus went once it is there.
addEventListener('blur', () => setTimeout(() => (wasInFrame = document.activeElement instanceof HTMLIFrameElement)));

/** Names the place and the size of an element on the screen. */
function boxOf(element: HTMLElement): string {
	const { x, y, width, height } = element.getBoundingClientRect();
	return [x, y, width, height].join();
}

/**
 * Has a button hear nothing for a while after it appeared, after another window was in front, after its place or size on the screen changed for whatever reason, and after something else was
 * pressed, which may have uncovered it. A press counts that begins and ends on it where it stands still since then. A key goes to what has the focus, not to a place: neither a move nor a
 * press elsewhere keeps it away. The button does not fade meanwhile, nor lose the focus. For `{@attach}`.
 */
export function onceStill(button: HTMLElement): () => void {
	const gone = new AbortController();
	const early = { capture: true, signal: gone.signal };
	let box = boxOf(button);
	/** The times of the first press and the first key that are heard. */
	let pressesFrom = Infinity;
	let keysFrom = 0;
	let isPressed = false;
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
		const before = box;
		box = boxOf(button);
		if (box !== before) deafen();
	}

	/** Looks in each frame; there are none while the page is hidden. */
	function follow() {
		look();
		frame = requestAnimationFrame(follow);
	}

	function begin(event: PointerEvent) {
		look();
		if (button.contains(event.target as Node)) isPressed = event.timeStamp >= pressesFrom;
		else deafen();
	}

	function end(event: MouseEvent) {
		look();
		const isByKey = event.detail === 0;
		const isHeard = isByKey ? event.timeStamp >= keysFrom : isPressed;
		isPressed = false;
		if (isHeard) return;
		event.preventDefault();
		event.stopImmediatePropagation();
	}

	addEventListener('pointerdown', begin, early);
	button.addEventListener('click', end, early);
	addEventListener('focus', () => wasInFrame || deafenToAll(), { signal: gone.signal });
	document.addEventListener('visibilitychange', deafenToAll, { signal: gone.signal });
	deafenToAll();
	follow();
	return () => {
		gone.abort();
		clearTimeout(timer);
		cancelAnimationFrame(frame);
	};
}
