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

it.each([
	['a document of speech', '<?xml version="1.0"?><speak version="1.1"><audio src="https://example.org/x.wav"/>Hi</speak>'],
	['one in lines of its own', '<speak>\n\nHello <break time="10s"/> there\n\n</speak>'],
	['one of entities', '&lt;speak&gt;Hi&#60;/speak&#x3e;'],
	['one that is escaped', '\\<speak\\>Hi\\</speak\\>'],
	['one in code', 'Say `<speak>Hi</speak>` now'],
	['entities in code, which an engine may read as such', 'Say `&lt;speak&gt;Hi&#60;/speak&#x3e;` or &amp;lt;speak&amp;gt;'],
	['one in the text of an image and of a link', '![<speak>a](x.png) [<b>b</b>](https://example.org)'],
	['commands in brackets', 'Hi [[slnc 9000]] there `[[volm 0]]` \\[\\[rate 1\\]\\] &#91;&#91;x&#93;&#93;'],
	['brackets that are parted by what can’t be seen', 'Hi [\u200b[slnc 9000]\u200b] [\u2060[x]\u00ad]'],
	['commands of control characters', 'Hi `\u001b\\pause=9000\\` there &#27;x \u0001']
])('hands the voice no command: %s', (_, markdown) => {
	const { text } = spokenText(markdown);
	expect(text).not.toMatch(/[<>]|\[\[|\]\]|&#?\w+;|(?!\n)\p{Cc}/u);
	expect(text).toMatch(/\w/);
});

it('says what stands between signs that it leaves out, as words of its own', () => {
	expect(said('If a<b, `Map<Key, Value>` & AT&T [1] fit [[Page]].')).toEqual(['If a b, Map Key, Value & AT&T [1] fit Page .']);
});
