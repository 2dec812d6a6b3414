import { expect, it } from 'vitest';
import { isCrowded } from './line-extent';

const tells = (value: unknown) => isCrowded(new TextEncoder().encode(JSON.stringify(value)));
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

it('[P8] a line has as many values and fields as can be parsed in good time', async () => {
	expect(await tells(Array.from({ length: 3_000_001 }, () => 1))).toBe(true);
	expect(await tells(Array.from({ length: 2_999_999 }, () => 1))).toBe(false);
	expect(await tells(fields(300_001))).toBe(true);
	expect(await tells(fields(300_000))).toBe(false);
	expect(await isCrowded(new TextEncoder().encode('['.repeat(4_000_000)))).toBe(true);
	expect(await isCrowded(new TextEncoder().encode('{'.repeat(4_000_000)))).toBe(true);
});

it('[P2] what stands in a text counts for nothing, whatever it is', async () => {
	for (const text of [':,[{', '"', '\\', '\\"', '"a":[1,']) expect(await tells({ text: text.repeat(1_000_000), list: [1, 2] }), text).toBe(false);
});
