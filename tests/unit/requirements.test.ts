import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const listed = new Set(Array.from(readFileSync(join(root, 'docs/requirements.md'), 'utf8').matchAll(/^\| ([A-Z]\d+) \|/gm), ([, id]) => id!));

function filesOf(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.(ts|svelte)$/.test(file))
		.map((file) => join(folder, file));
}

test('every id of a requirement that code or a test names is listed', () => {
	const unlisted = [...filesOf('src'), ...filesOf('tests')].flatMap((file) => {
		const ids = Array.from(readFileSync(join(root, file), 'utf8').matchAll(/\[([AEZSRP]\d{1,2})\]/g), ([, id]) => id!);
		return ids.filter((id) => !listed.has(id)).map((id) => `${id} in ${file}`);
	});
	expect(unlisted).toEqual([]);
});

test('every requirement that is not planned has a test', () => {
	const names = [...filesOf('src'), ...filesOf('tests')].filter((file) => /\.(test|spec)\.ts$/.test(file)).map((file) => readFileSync(join(root, file), 'utf8'));
	const tested = new Set(names.flatMap((text) => Array.from(text.matchAll(/\[([A-Z]\d+)\]/g), ([, id]) => id)));
	const rows = Array.from(readFileSync(join(root, 'docs/requirements.md'), 'utf8').matchAll(/^\| ([A-Z]\d+) \| (.*) \|$/gm));
	const untested = rows.filter(([, id, text]) => !tested.has(id) && !text!.includes('**Planned**')).map(([, id]) => id);
	expect(untested).toEqual([]);
});
