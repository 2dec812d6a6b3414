import fc from 'fast-check';
import { expect, it } from 'vitest';
import { labelKey, messageKey, noteKey, parseKey, sessionPrefix, titleKey } from './keys';

const id = fc.string({ unit: 'binary' }).filter((text) => !text.includes('/'));

it('a key says what it names, whatever characters are in it', () => {
	fc.assert(
		fc.property(id, id, fc.string({ unit: 'binary' }), (sessionId, messageId, name) => {
			expect(parseKey(messageKey(messageId))).toEqual({ kind: 'message', messageId });
			expect(parseKey(titleKey(sessionId))).toEqual({ kind: 'title', sessionId });
			expect(parseKey(labelKey(sessionId, messageId))).toEqual({ kind: 'label', sessionId, messageId });
			expect(parseKey(noteKey(sessionId, name))).toEqual({ kind: 'note', sessionId, name });
			for (const key of [titleKey(sessionId), labelKey(sessionId, messageId), noteKey(sessionId, name)]) {
				expect(key.startsWith(sessionPrefix(sessionId))).toBe(true);
			}
			expect(messageKey(messageId).startsWith(sessionPrefix(sessionId))).toBe(false);
		})
	);
});

it('a note named like a label is a note', () => {
	expect(parseKey(noteKey('1', 'label/2/title'))).toEqual({ kind: 'note', sessionId: '1', name: 'label/2/title' });
});

it('what is no key is a bug', () => {
	for (const key of ['', 'x', 's/1', 's/1/other', 't/1']) expect(() => parseKey(key)).toThrow('no key');
});
