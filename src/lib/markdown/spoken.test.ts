import { expect, it } from 'vitest';
import { maxBlock } from './blocks';
import { spokenText } from './spoken';

const said = (markdown: string) => spokenText(markdown).text.split('\n').map((line) => line.replace(/ +/g, ' ').trim());

it('says the words of each block without signs', () => {
	expect(said('# A *big* day\n\nSome **bold** `code` and ~~old~~ words.\n\n- one\n- [x] two\n\n> quoted')).toEqual(['A big day', 'Some bold code and old words.', 'one', 'two', 'quoted']);
	expect(said('| Name | Age |\n|---|---|\n| Ada | 36 |')).toEqual(['Name', 'Age', 'Ada', '36']);
	expect(said('one\ntwo')).toEqual(['one', 'two']);
});

it('names code and formulas', () => {
	expect(said('Run:\n\n```sh\nrm -r x\n```\n\n    indented\n\nThen $$x^2$$ is it.\n\n$$\ny\n$$')).toEqual(['Run:', 'Code.', 'Code.', 'Then formula is it.', 'Formula.']);
});

it('says links by their text, and bare addresses by their hosts', () => {
	expect(said('See [the page](https://example.org/a/long/path) or https://example.com/x?y=z <https://example.net/>.')).toEqual(['See the page or example.com example.net.']);
	expect(said('![A red kite](https://example.org/kite.png)')[0]).toMatch(/^A red kite/);
});

it('says nothing that can’t be seen, and of a long text its start', () => {
	expect(said('a\u202eb\u200bc')).toEqual(['abc']);
	expect(spokenText('short').isCut).toBe(false);
	const long = spokenText('word '.repeat(maxBlock));
	expect([long.isCut, long.text.length <= maxBlock]).toEqual([true, true]);
});
