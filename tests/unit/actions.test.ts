import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../src/lib');

function filesOf(folder: string, pattern: RegExp): { path: string; text: string }[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => pattern.test(file) && !file.endsWith('.test.ts'))
		.map((file) => ({ path: join(folder, file), text: readFileSync(join(root, folder, file), 'utf8') }));
}

const screens = [...filesOf('ui', /\.svelte$/), ...filesOf('view', /\.ts$/)];

test('no shortcut is defined outside of the list of them', () => {
	const faults = screens
		.filter(({ path }) => path !== join('view', 'shortcuts.ts'))
		.flatMap(({ path, text }) => {
			// A key with a name moves within a piece of the page; a letter, a sign or a function key does something.
			const keys = text.match(/\b[kK]ey\b[^\n;]{0,20}===? '(F\d+|[^'\s])'/g) ?? [];
			const written = text.match(/aria-keyshortcuts="|<kbd>[A-Za-z/]/g)?.filter((found) => found !== '<kbd>') ?? [];
			return [...keys, ...written].map((found) => `${path}: ${found}`);
		});
	expect(faults).toEqual([]);
});

test('no label of an action is written a second time', () => {
	const labels = filesOf('view/actions', /\.ts$/).flatMap(({ text }) => Array.from(text.matchAll(/\blabel: '([^']+)'/g), ([, label]) => label!));
	expect(labels.length).toBeGreaterThan(30);
	const ofSeveralWords = labels.filter((label) => label.includes(' '));
	const faults = filesOf('ui', /\.svelte$/).flatMap(({ path, text }) =>
		ofSeveralWords.filter((label) => text.includes(`"${label}"`) || text.includes(`'${label}'`) || text.includes(`>${label}</button>`)).map((label) => `${path}: ${label}`)
	);
	expect(faults).toEqual([]);
});
