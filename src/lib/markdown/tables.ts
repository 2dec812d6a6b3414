import { followBlocks } from './follow-blocks';

/** Lets tables of a message that are wider than it be focused and be named, so that they can be scrolled by keys; others are no stop on the way. */
export class Tables {
	private readonly sizes = new ResizeObserver((entries) => {
		for (const { target } of entries) fit(target.closest<HTMLElement>('.table')!);
	});
	private readonly unfollow: () => void;

	/** `root` has the blocks of the message. */
	constructor(private readonly root: HTMLElement) {
		this.unfollow = followBlocks(root, () => this.watch());
		this.watch();
	}

	stop(): void {
		this.unfollow();
		this.sizes.disconnect();
	}

	private watch(): void {
		for (const place of this.root.querySelectorAll('.table:not(.watched)')) {
			place.classList.add('watched');
			this.sizes.observe(place);
			this.sizes.observe(place.firstElementChild!);
		}
	}
}

function fit(place: HTMLElement): void {
	const isWide = place.scrollWidth > place.clientWidth + 1;
	place.role = isWide ? 'group' : null;
	place.ariaLabel = isWide ? 'Table (scrolls sideways)' : null;
	if (isWide) place.tabIndex = 0;
	else place.removeAttribute('tabindex');
}
