/** The widest strip at the left edge that a swipe which opens the sidebar begins in, in pixels. */
const edge = 32;

/** The way from which on a movement is a swipe, in pixels. */
const swipeLength = 56;

/** Something that a swipe from the left edge opens, and one to the left closes. */
interface Drawer {
	/** True where there is one that can be opened or closed. */
	isThere: () => boolean;
	isOpen: () => boolean;
	set: (open: boolean) => void;
}

/** Follows fingers: swipes open and close the drawer, and the page gives way to the keyboard where the browser lays that over it. */
export function followTouch(drawer: Drawer): void {
	followSwipes(drawer);
	if (window.visualViewport) fitIntoView(window.visualViewport);
}

function followSwipes({ isThere, isOpen, set }: Drawer): void {
	let start: { x: number; y: number; open: boolean } | undefined;

	addEventListener(
		'touchstart',
		({ touches, target }) => {
			const [first] = touches;
			start = undefined;
			if (touches.length !== 1 || !first || !isThere() || document.querySelector('dialog[open]')) return;
			const open = !isOpen();
			const begins = open ? first.clientX <= edge : true;
			if (begins && !scrollsSideways(target, open ? -1 : 1)) start = { x: first.clientX, y: first.clientY, open };
		},
		{ passive: true }
	);
	addEventListener(
		'touchmove',
		({ touches: [first] }) => {
			if (!start || !first) return;
			const x = (first.clientX - start.x) * (start.open ? 1 : -1);
			const y = Math.abs(first.clientY - start.y);
			// What goes down or up scrolls.
			if (y > 24 && y > x) start = undefined;
			else if (x >= swipeLength) {
				set(start.open);
				start = undefined;
			}
		},
		{ passive: true }
	);
}

/** Tells whether a part of the page around `target` would itself scroll to this side: a table, a long line of code. */
function scrollsSideways(target: EventTarget | null, side: -1 | 1): boolean {
	for (let at = target instanceof Element ? target : null; at && at !== document.body; at = at.parentElement) {
		const room = side < 0 ? at.scrollLeft : at.scrollWidth - at.clientWidth - at.scrollLeft;
		if (room > 1 && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
	}
	return false;
}

/** Keeps the frame as high as what can be seen: Safari lays its keyboard over the page, whatever `interactive-widget` says. */
function fitIntoView(viewport: VisualViewport): void {
	const { style } = document.documentElement;
	const fit = () => {
		const isCovered = viewport.scale === 1 && innerHeight - viewport.height > 80;
		if (!isCovered) return void style.removeProperty('--visible-height');
		style.setProperty('--visible-height', `${viewport.height}px`);
		scrollTo(0, 0);
	};
	viewport.addEventListener('resize', fit);
}
