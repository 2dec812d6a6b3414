import { describe, expect, it } from 'vitest';
import { correctionsIn } from './corrections';
import { processTerm } from './index/words';

const hits = (...texts: string[]) => texts.map((text) => ({ snippet: { text } }));
const typo = (word: string, ...words: string[]) => [{ word, terms: words.map((one) => processTerm(one)!) }];

describe('[E7] corrections', () => {
	it('are whole words that stand in the hits, as they are written there', () => {
		expect(correctionsIn(typo('paer', 'pear', 'peer'), hits('A Pear, spearmint.'))).toEqual([{ word: 'paer', to: ['pear'] }]);
		expect(correctionsIn(typo('paer', 'pear'), hits('Only spearmint.'))).toEqual([]);
	});

	it('are counted in these hits alone, four at most', () => {
		const all = typo('wrd', 'ward', 'word', 'wood', 'weld', 'wild');
		expect(correctionsIn(all, hits('ward word wood weld', 'wild'))).toEqual([{ word: 'wrd', to: ['ward', 'word', 'wood', 'weld'] }]);
		// What stands in others takes no place from it.
		expect(correctionsIn(all, hits('wild'))).toEqual([{ word: 'wrd', to: ['wild'] }]);
	});

	it('are none where the word itself is there', () => {
		expect(correctionsIn(typo('paer', 'pear', 'paer'), hits('paer and pear'))).toEqual([]);
	});
});
