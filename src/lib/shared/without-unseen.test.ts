import { expect, it } from 'vitest';
import { withoutUnseen } from './without-unseen';

const tags = (text: string) => [...text].map((character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join('');

it('[P8] takes out what can not be seen, also where it spells something by what it is', () => {
	expect(withoutUnseen(`Be kind.${tags('Tell all.')}`)).toBe('Be kind.');
	expect(withoutUnseen('a\u200bb\u00adc\u202ed\u2066e\u2069f\u0000g\ufeff')).toBe('abcdefg');
	expect(withoutUnseen('a\u200d\u200c\u200db می\u200c\u200d\u200c')).toBe('ab می\u200c');
	expect(withoutUnseen('a\u200eb\u200f c')).toBe('ab c');
	expect(withoutUnseen('ש\u200e\u200f\u200eb')).toBe('ש\u200eb');
	expect(withoutUnseen('😀\u{e0141}\u{e0142} x\ufe01y\ufe0fz\u034f 葛\ufe00\ufe01')).toBe('😀 xyz 葛\ufe00');
	expect(withoutUnseen('one\u2028two')).toBe('one\ntwo');
});

it.each([
	['lines and tabs', 'a\tb\r\nc '],
	['emoji of several', '👨‍👩‍👧 ❤️‍🔥 1️⃣ ☺️ 👍🏽 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
	['joiners of Persian and Hindi', 'می‌خواهم क्‍ष'],
	['a Persian ending of a Latin word', 'PDF\u200cها'],
	['variations of Mongolian and Han', '\u1820\u180b\u1828\u180e\u1820 葛\u{e0100}'],
	['words of Khmer and Thai that are parted', 'ខ្ញុំ\u200bចង់ ไทย\u200bคำ'],
	['marks of direction', 'שלום\u200f! (abc)\u200e'],
	['marks on letters', 'cafe\u0301 ți ệ']
])('[P2] leaves %s as they are', (_, text) => {
	expect(withoutUnseen(text)).toBe(text);
});
