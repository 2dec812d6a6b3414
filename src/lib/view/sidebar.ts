import { keepPreference } from './kept-preferences';
import { isTemporary } from '../shared/is-temporary';

// The page's own script applies what is kept, so that nothing moves once the app is there; frame.css does the rest.

/** Tells whether there is room for the sidebar beside the rest; where there is none it lies over it, and always begins closed. A temporary chat has none. */
export function hasSidebarRoom(): boolean {
	return !isTemporary() && matchMedia('(width > 50rem)').matches;
}

/** Tells whether the sidebar is folded away where there is room for it. */
export function isSidebarFolded(): boolean {
	return document.documentElement.dataset.sidebar === 'folded';
}

/** Folds the sidebar away, or shows it again, and remembers that on this device. */
export function foldSidebar(folded: boolean): void {
	keepPreference('sidebar', folded ? 'folded' : 'shown');
}
