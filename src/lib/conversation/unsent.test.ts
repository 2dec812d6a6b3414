import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FilePart } from './message';
import { mergeUnsent } from './merge-unsent';
import { isSameUnsent, joinTexts, nothingUnsent, type Unsent } from './unsent';

const file = (attachmentId: string): FilePart => ({ type: 'file', attachmentId, mediaType: 'text/plain', name: attachmentId });
const words = fc.stringMatching(/^[a-z]{1,4}( [a-z]{1,4}){0,2}$/);
const text = fc.oneof(fc.constant(''), words);
const files = fc.uniqueArray(fc.constantFrom('p', 'q', 'r'), { maxLength: 3 }).map((ids) => ids.map(file));
const edits = fc.dictionary(fc.constantFrom('m1', 'm2'), words).map((edits) => (Object.keys(edits).length > 0 ? { edits } : {}));
const unsent: fc.Arbitrary<Unsent> = fc.tuple(text, files, edits).map(([text, attachments, edits]) => ({ text, attachments, ...edits }));
const written = (text: string): Unsent => ({ text, attachments: [] });
const ids = ({ attachments }: Unsent) => attachments.map(({ attachmentId }) => attachmentId).sort();

describe('mergeUnsent', () => {
	it('[E11] takes what only one side has changed', () => {
		fc.assert(
			fc.property(unsent, unsent, (base, other) => {
				expect(isSameUnsent(mergeUnsent(base, other, base), other)).toBe(true);
				const here = mergeUnsent(base, base, other);
				expect([here.text, ids(here), here.edits ?? {}]).toEqual([other.text, ids(other), other.edits ?? {}]);
				expect(isSameUnsent(mergeUnsent(base, other, other), other)).toBe(true);
			})
		);
	});

	it('[E11] keeps what both have added, what is stored first', () => {
		fc.assert(
			fc.property(text, words, words, (base, theirs, ours) => {
				fc.pre(theirs !== ours);
				const merged = mergeUnsent(written(base), written(`${base}${theirs}`), written(`${base}${ours}`)).text;
				expect(merged).toBe(joinTexts(`${base}${theirs}`, ours));
			})
		);
	});

	it('[E11] grows by nothing but what was typed, however often what is stored is taken up', () => {
		fc.assert(
			fc.property(words, words, fc.array(words, { minLength: 1, maxLength: 6 }), (base, ours, typed) => {
				let [stored, here] = [base, `${base} ${ours}`];
				for (const key of typed) {
					const next = `${stored}${key}`;
					here = mergeUnsent(written(stored), written(next), written(here)).text;
					stored = next;
				}
				expect(here).toBe(joinTexts(stored, ` ${ours}`));
			})
		);
	});

	it('[E11] leaves what both have changed in places of their own where it is', () => {
		const list = (...done: number[]) => written(Array.from({ length: 5 }, (_, at) => `- [${done.includes(at) ? 'x' : ' '}] task ${at}`).join('\n'));
		expect(mergeUnsent(list(), list(1), list(3))).toEqual(list(1, 3));
		expect(mergeUnsent(list(), list(3), list(1))).toEqual(list(1, 3));
		expect(mergeUnsent(list(), list(1), list(2))).toEqual(list(1, 2));
		expect(mergeUnsent(list(), list(1, 3), list(2, 4))).toEqual(list(1, 2, 3, 4));
		// Changes of one line are not put together into one that nobody wrote, and what is around them is there once.
		expect(mergeUnsent(written('100'), written('900'), written('105')).text).toBe('900\n\n105');
		expect(mergeUnsent(written('a\n100\nb'), written('a\n900\nb'), written('a\n105\nb')).text).toBe('a\n900\n\n105\nb');
		expect(mergeUnsent(written('- [ ] a\n- [ ] b'), written('- [x] a\n- [ ] b'), written('- [ ] b')).text).toBe('- [x] a\n- [ ] b');
		expect(mergeUnsent(written('one\ntwo\nthree'), written('one\ntwo\nnew\nthree'), written('one A\ntwo\nthree A')).text).toBe('one\ntwo\nnew\nthree\n\none A\nthree A');
		expect(mergeUnsent(written('a\n\nb'), written('a1\n\nb1\n\nc'), written('a2\n\nb2\n\nd\n\ne')).text).toBe('a1\n\nb1\n\nc\n\na2\n\nb2\n\nd\n\ne');
		expect(mergeUnsent(written('- [ ] a\n- [ ] b'), written('- [ ] b'), written('- [x] a\n- [ ] b')).text).toBe('- [x] a\n- [ ] b');
		fc.assert(
			fc.property(words, words, words, words, words, (start, middle, end, theirs, ours) => {
				const base = `${start}\n${middle}\n${end}`;
				const merged = mergeUnsent(written(base), written(`${start}${theirs}\n${middle}\n${end}`), written(`${start}\n${middle}\n${end}${ours}`)).text;
				expect(merged).toBe(`${start}${theirs}\n${middle}\n${end}${ours}`);
			})
		);
	});

	it('[E11] has every line that either side has written, and none of before twice', () => {
		const change = fc.record({ at: fc.nat(7), take: fc.nat(3), lines: fc.array(fc.uuid(), { maxLength: 3 }) });
		fc.assert(
			fc.property(fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 8 }), change, change, (base, theirs, ours) => {
				const [stored, here] = [theirs, ours].map(({ at, take, lines }) => base.toSpliced(at, take, ...lines));
				const merged = mergeUnsent(written(base.join('\n')), written(stored!.join('\n')), written(here!.join('\n'))).text.split('\n');
				for (const line of [...theirs.lines, ...ours.lines]) expect(merged).toContain(line);
				for (const line of base) expect(merged.filter((other) => other === line).length).toBeLessThanOrEqual(1);
				const untouched = base.filter((line, at) => [theirs, ours].every(({ at: from, take }) => at < from || at >= from + take) && stored!.includes(line) && here!.includes(line));
				for (const line of untouched) expect(merged).toContain(line);
			})
		);
	});

	it('[E11] does not bring back what was sent from where it is stored', () => {
		expect(mergeUnsent(written('Sent.'), written(''), written('Sent. And more')).text).toBe(' And more');
		expect(mergeUnsent(written('Sent.'), written(''), written('Sent.'))).toEqual(nothingUnsent);
	});

	it('[S11] drops a file that either side has removed, and keeps one that either has added', () => {
		const merged = mergeUnsent(
			{ text: '', attachments: [file('p'), file('q'), file('r')] },
			{ text: '', attachments: [file('q'), file('r'), file('s')] },
			{ text: '', attachments: [file('p'), file('r'), file('t')] }
		);
		expect(ids(merged)).toEqual(['r', 's', 't']);
	});

	it('[E11] ends an edit that was ended on one side and left alone on the other', () => {
		const base = { ...nothingUnsent, edits: { m1: 'one', m2: 'two' } };
		expect(mergeUnsent(base, { ...nothingUnsent, edits: { m2: 'two' } }, base).edits).toEqual({ m2: 'two' });
		expect(mergeUnsent(base, base, { ...nothingUnsent, edits: { m1: 'one' } }).edits).toEqual({ m1: 'one' });
		expect(mergeUnsent(base, nothingUnsent, { ...base, edits: { m1: 'one more', m2: 'two' } }).edits).toEqual({ m1: 'one more' });
	});
});
