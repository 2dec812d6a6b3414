import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeCode, newNames, splitCode } from './escape-code';

const namesIn = (code: string) => splitCode(code, newNames()).flatMap(({ name }) => name ?? []);

describe('code with characters that can not be seen', () => {
	it.each([
		['\u001b', 'U+001B'],
		['\0', 'U+0000'],
		['\b', 'U+0008'],
		['\v\f', 'U+000B +1'],
		['\x7f', 'U+007F'],
		['\r', 'U+000D'],
		['\u009b', 'U+009B'],
		['\u2028', 'U+2028'],
		['\ufffc', 'U+FFFC'],
		['\u180b', 'U+180B'],
		['\u180d', 'U+180D'],
		['\u2800', 'U+2800'],
		['\u{1d173}', 'U+1D173'],
		['\u{1d17a}', 'U+1D17A'],
		['\u{13430}', 'U+13430'],
		['\u{13438}', 'U+13438'],
		['\u200d', 'U+200D'],
		['\ufe0f', 'U+FE0F'],
		['\ufe00\ufe01\ufe0f', 'U+FE00 +2']
	])('[P8] has a name for %j', (unseen, name) => {
		expect(splitCode(`a${unseen}b`, newNames())).toEqual([{ text: 'a' }, { text: unseen, name }, { text: 'b' }]);
		expect(namesIn(unseen.replace('\u200d', '\u200b'))).toHaveLength(1);
	});

	it('[P8] has a name for a variation selector that nothing takes', () => {
		expect(namesIn('\u{1f600}\ufe0f\ufe0f')).toEqual(['U+FE0F']);
		expect(namesIn('1\ufe0f = \u2800\ufe0e')).toEqual(['U+FE0F', 'U+2800 +1']);
		expect(namesIn('é\u200d\u200d')).toEqual(['U+200D']);
	});

	it('leaves alone what scripts, emoji, tabs and line ends need', () => {
		for (const code of ['\u2764\ufe0f \u25b6\ufe0e 1\ufe0f\u20e3', '👩‍❤️‍👨 🏳️‍🌈 👍🏽', 'می\u200cخواهم', 'क्\u200dष', '\ta\r\nb\n', 'é ∑ 漢字 ½ €']) {
			expect(namesIn(code)).toEqual([]);
		}
	});

	it('[P8] has no more names than a text may have, and shows a placeholder for each character after them', () => {
		const names = newNames();
		const html = escapeCode('a\u200b\u{e0041}<'.repeat(1000), names) + escapeCode('b\u200b', names);
		expect(html.match(/<span/g)).toHaveLength(300);
		expect(html.match(/\ufffd/g)).toHaveLength(2 * 700 + 1);
		expect(html.replace(/<span class="unseen" title="U\+200B \+1">\u200b\u{e0041}<\/span>/gu, '')).not.toMatch(/[\u200b\u{e0041}]/u);
	});

	it('[P8] shows every character, by itself, in a name or as a placeholder, wherever the code is cut', () => {
		const piece = fc.constantFrom('a', '<', '\n', '😀', '\u200b', '\u200d', '\ufe0f', '\u001b', '\u{e0041}', '\u202e', '\u2800');
		fc.assert(
			fc.property(fc.array(piece), fc.nat(4), fc.nat(), (pieces, left, cut) => {
				const code = pieces.join('');
				const start = pieces.slice(0, cut % (pieces.length + 1)).join('').length;
				const names = { left };
				const parts = [...splitCode(code.slice(0, start), names), ...splitCode(code, names, start)];
				const shown = parts.map(({ text, name }) => (name === undefined ? text : '\ufffd'.repeat([...text].length))).join('');
				expect(parts.filter(({ name }) => name !== undefined).length).toBe(left - names.left);
				const all = splitCode(code, { left: 0 })[0]?.text ?? '';
				expect(shown).toBe(all);
				expect(shown).not.toMatch(/[\u200b\u202e\u2800\u001b\u{e0041}]/u);
			})
		);
	});
});
