import { expect, it } from 'vitest';
import { nameOf } from './session';
import { titleFrom } from './title';

it('names a session by its title, or by how it begins', () => {
	expect(nameOf({ title: 'Tea & cake', preview: 'x' })).toBe('Tea & cake');
	expect(nameOf({ title: '', preview: 'How do I' })).toBe('How do I');
	expect(nameOf({ title: '', preview: '' })).toBe('Untitled');
	expect(nameOf({ title: '👩\u200d🚀 می\u200cخواهم', preview: '' })).toBe('👩\u200d🚀 می\u200cخواهم');
});

it('[P8] shows of a name one line, without what can not be seen or turns what is around it', () => {
	expect(nameOf({ title: 'a\u202egnp.exe\u200b\u{e0041}\n\tb', preview: '' })).toBe('agnp.exe b');
	expect(nameOf({ title: '\u202e', preview: '' })).toBe('Untitled');
	expect(titleFrom('What is \u202egnihton\u2066?')).toBe('What is gnihton?');
});

it('[P8] shows little of a name of 20 million characters, at once', () => {
	const title = 'long '.repeat(4_000_000);
	const begun = performance.now();
	for (let times = 0; times < 100; times++) expect(nameOf({ title, preview: '' }).length).toBeLessThanOrEqual(200);
	expect(performance.now() - begun).toBeLessThan(2000);
});
