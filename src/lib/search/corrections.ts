import type { Hit, SearchResult } from './hit';
import { locate, processTerm } from './index/words';

/** Limit of the words that a typo is said to stand for. */
const maxCorrections = 4;

/** Returns the corrections of typos, as they are written in these hits. */
export function correctionsIn(typos: SearchResult['typos'], hits: readonly { snippet: Pick<Hit['snippet'], 'text'> }[]): SearchResult['corrections'] {
	return typos.flatMap(({ word, terms }) => correctionOf(word, new Set(terms), hits));
}

/** Returns the corrections of a word; none where the word itself is there. */
function correctionOf(written: string, terms: ReadonlySet<string>, hits: Parameters<typeof correctionsIn>[1]): SearchResult['corrections'] {
	const to = new Set<string>();
	for (const { snippet } of hits) {
		for (const { token } of locate(snippet.text)) {
			const term = processTerm(token);
			if (to.size < maxCorrections && term !== null && terms.has(term)) to.add(token.toLowerCase());
		}
	}
	return to.size > 0 && !to.has(written.toLowerCase()) ? [{ word: written, to: [...to] }] : [];
}
