import { expect, it } from 'vitest';
import { spaced } from './spaced';

it('parts words from what stands beside them', () => {
	expect(spaced('', 'Hello', '')).toBe('Hello');
	expect(spaced('Hello', ' there', '')).toBe(' there');
	expect(spaced('Hello ', 'there', '')).toBe('there');
	expect(spaced('Hello', 'there', 'you')).toBe(' there ');
	expect(spaced('Hello\n', 'there', ', you')).toBe('there');
	expect(spaced('a (', 'red', ') kite')).toBe('red');
	expect(spaced('Hello', ', there', '')).toBe(', there');
});

it('puts no spaces where a script has none, and says nothing of nothing', () => {
	expect(spaced('今日は', '晴れ', 'です')).toBe('晴れ');
	expect(spaced('Hello', '  ', 'you')).toBe('');
});
