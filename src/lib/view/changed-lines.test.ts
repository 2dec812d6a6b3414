import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedLines } from './changed-lines';

const drawn = (before: string, after: string) => changedLines({ before, after }).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-', gap: '~' }[kind]}${text}`);

describe('changedLines', () => {
	it('has the lines that go and come, with three around them', () => {
		const before = 'abcdefghijklmnop'.split('');
		const after = before.map((line) => (line === 'h' ? 'H' : line));
		expect(drawn(before.join('\n'), after.join('\n'))).toEqual(['~', ' e', ' f', ' g', '-h', '+H', ' i', ' j', ' k', '~']);
		expect(drawn('', 'a\nb')).toEqual(['+a', '+b']);
		expect(drawn('a', '')).toEqual(['-a']);
	});

	it('[P8] leaves the carriage returns of line ends out only where all of both texts have them', () => {
		expect(drawn('a\r\nb\r\nc', 'a\r\nB\r\nc')).toEqual([' a', '-b', '+B', ' c']);
		expect(drawn('', 'a\r\nb\r\n')).toEqual(['+a', '+b']);
		expect(drawn('a\nb', 'a\r\nb')).toEqual(['-a', '+a\r', ' b']);
		expect(drawn('', '// tidy up\rharm()\r\nb')).toEqual(['+// tidy up\rharm()', '+b']);
	});

	it('[P8] has long lines in pieces that are drawn in good time, and cuts no character', () => {
		const long = '👩‍👩‍👧‍👦 aא'.repeat(10_000);
		const pieces = changedLines({ before: '', after: `a\n${long}` });
		expect(pieces.slice(0, 3).map(({ goesOn }) => goesOn)).toEqual([undefined, undefined, true]);
		expect(pieces.slice(1).map(({ text }) => text).join('')).toBe(long);
		expect(Math.max(...pieces.map(({ text }) => text.length))).toBeLessThanOrEqual(1000);
		expect(pieces.every(({ text }) => text.isWellFormed())).toBe(true);
	});

	it('[P8] shows every line that comes', () => {
		const line = fc.constantFrom('', 'a', 'b', '+a', '-b', '\\ No newline at end of file');
		const text = fc.array(line).map((lines) => lines.join('\n'));
		fc.assert(
			fc.property(text, text, (before, after) => {
				const shown = changedLines({ before, after });
				const counts = (of: 'added' | 'removed') => shown.filter(({ kind }) => kind === of).map(({ text }) => text);
				const [had, has] = [before.split('\n'), after.split('\n')];
				// What is new is more often among what is added, or what stays, than before.
				for (const word of new Set(has)) {
					const more = has.filter((one) => one === word).length - had.filter((one) => one === word).length;
					if (word !== '' && more > 0) expect(counts('added').filter((one) => one === word).length - counts('removed').filter((one) => one === word).length).toBe(more);
				}
			})
		);
	});
});
