import { replaceState } from '$app/navigation';
import type { resolve } from '$app/paths';
import { page } from '$app/state';
import { withoutWords } from '../search/address-text';
import { SearchWords } from '../search/search-words';

export const searchWords = new SearchWords(() => sessionStorage);

/** Takes words out of the address that came in it, as in one that was written by hand. To be called after a navigation. */
export function hideWords(): void {
	const hidden = withoutWords(location.search, searchWords);
	if (hidden !== location.search) replaceState(`${location.pathname}${hidden}` as ReturnType<typeof resolve>, page.state);
}
