import { withSiteData } from '../shared/site-data';

// Read by the page's own script too, so that nothing moves once the app is there; frame.css does the rest.

const name = 'snug:sidebar';
const stored = () => localStorage;
const { dataset } = document.documentElement;

/** Tells whether there is room for the sidebar beside the rest; where there is none it lies over it, and always begins closed. */
export function hasSidebarRoom(): boolean {
	return matchMedia('(width > 50rem)').matches;
}

/** Tells whether the sidebar is folded away where there is room for it. */
export function isSidebarFolded(): boolean {
	return 'folded' in dataset;
}

/** Folds the sidebar away, or shows it again, and remembers that on this device. */
export function foldSidebar(folded: boolean): void {
	apply(folded);
	withSiteData(stored, (storage) => (folded ? storage.setItem(name, 'folded') : storage.removeItem(name)));
}

/** Folds the sidebar away where it was when the page was left. */
export function restoreSidebar(): void {
	apply(withSiteData(stored, (storage) => storage.getItem(name)) === 'folded');
}

function apply(folded: boolean): void {
	if (folded) dataset.folded = '';
	else delete dataset.folded;
}
