import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../../src');

/** Words that begin a clause about the thing instead of naming it, or saying what it does. */
const refused = /^(?:What|Whether|How|Where|Which|Who|Whose|Why|When|That)\b/;

test('doc comments begin with a noun or a verb', () => {
	const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(ts|svelte)$/.test(file));
	const found = files.flatMap((file) => {
		const comments = readFileSync(join(source, file), 'utf8').matchAll(/\/\*\*\s*(?:\* )?([^*\n]+)|^<!-- (.+)/gm);
		return Array.from(comments, ([, doc, head]) => (doc ?? head)!)
			.filter((text) => refused.test(text))
			.map((text) => `${file}: ${text.slice(0, 80)}`);
	});
	expect(found).toEqual([]);
});
