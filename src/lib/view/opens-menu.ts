/** A place in the window. */
export interface Point {
	x: number;
	y: number;
}

/** Time that a finger rests before it asks for a menu, in milliseconds, and how far it may move, in pixels. */
const rest = { milliseconds: 500, pixels: 10 };

/**
 * Returns an attachment that calls `open` for a right click, the menu key, or a finger that rests. With Shift a right click has the
 * browser's own menu, and so has a field. While a button or a finger is down it waits for its end, which would close the menu again.
 */
export function opensMenu(open: (at: Point) => void): (node: HTMLElement) => () => void {
	return (node) => {
		const listening = new AbortController();
		const { signal } = listening;
		let asked: Point | undefined;
		let resting: ReturnType<typeof setTimeout> | undefined;
		let down: Point | undefined;
		let isTouch = false;
		let takesClick = false;

		const forget = () => {
			clearTimeout(resting);
			asked = undefined;
		};
		const end = () => {
			clearTimeout(resting);
			down = undefined;
			const at = asked;
			asked = undefined;
			if (!at) return;
			takesClick = isTouch;
			setTimeout(() => open(at));
		};

		node.addEventListener(
			'pointerdown',
			({ pointerType, clientX: x, clientY: y, target }) => {
				forget();
				takesClick = false;
				isTouch = pointerType === 'touch';
				down = { x, y };
				if (isTouch && !isField(target)) resting = setTimeout(() => (asked = down), rest.milliseconds);
			},
			{ signal }
		);
		node.addEventListener(
			'pointermove',
			({ clientX, clientY }) => {
				if (down && Math.hypot(clientX - down.x, clientY - down.y) > rest.pixels) forget();
			},
			{ signal }
		);
		// A finger that rests on a link drags it on some devices.
		node.addEventListener(
			'dragstart',
			(event) => {
				if (!isTouch) return forget();
				event.preventDefault();
				event.stopPropagation();
			},
			{ signal, capture: true }
		);
		node.addEventListener(
			'contextmenu',
			(event) => {
				if ((event.shiftKey && event.button === 2) || isField(event.target)) return forget();
				event.preventDefault();
				const at = { x: event.clientX, y: event.clientY };
				if (down) asked = at;
				else open(at);
			},
			{ signal }
		);
		// A finger that has opened a menu does not click when it goes.
		node.addEventListener(
			'click',
			(event) => {
				if (!takesClick) return;
				takesClick = false;
				event.preventDefault();
				event.stopPropagation();
			},
			{ signal, capture: true }
		);
		for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end, { signal });
		return () => {
			clearTimeout(resting);
			listening.abort();
		};
	};
}

function isField(target: EventTarget | null): boolean {
	return target instanceof HTMLInputElement;
}
