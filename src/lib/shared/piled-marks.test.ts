import { expect, it } from 'vitest';
import { withoutPiledMarks } from './piled-marks';

it('[P8] no character is drawn with more marks than a script needs; every other text is as it was', () => {
	expect(withoutPiledMarks(`a${'\u0301'.repeat(300_000)}b`)).toBe(`a${'\u0301'.repeat(30)}b`);
	expect(withoutPiledMarks(`👍${'🏻'.repeat(50_000)}b`)).toBe(`👍${'🏻'.repeat(30)}b`);
	expect(withoutPiledMarks(`👍${'🏻\u0301'.repeat(50_000)}b`)).toBe(`👍${'🏻\u0301'.repeat(15)}b`);
	for (const text of ['👍🏻👍🏿', 'Ha\u0300 No\u0323\u0302i', 'นี้ คือ ภาษาไทย', '👩‍👩‍👧 ❤️', 'ก็', '', 'x'.repeat(1000)]) expect(withoutPiledMarks(text)).toBe(text);
});
