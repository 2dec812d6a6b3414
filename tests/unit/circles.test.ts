import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../src', import.meta.url));

const imports = /(?:\bfrom\s+|\bimport\(\s*|\bimport\s+)'((?:\.{1,2}|\$lib)\/[^']+)'/g;

/** The files of src/ that each imports: also types, and what is loaded later. */
function importsByFile(): Map<string, string[]> {
	const all = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
	const files = all.filter((file) => /\.(ts|svelte)$/.test(file) && !file.endsWith('.test.ts'));
	const known = new Set(files);
	return new Map(
		files.map((file) => {
			const code = readFileSync(join(root, file), 'utf8');
			const targets = [...code.matchAll(imports)].map(([, target]) => (target!.startsWith('$') ? target!.slice(1) : posix.join(posix.dirname(file), target!)));
			return [file, targets.flatMap((target) => [target, `${target}.ts`].find((name) => known.has(name)) ?? [])];
		})
	);
}

/** The files that lead back to themselves. */
function circular(graph: ReadonlyMap<string, string[]>): string[] {
	const reached = (from: string) => {
		const seen = new Set<string>();
		const waiting = [...graph.get(from)!];
		for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
			if (seen.has(next)) continue;
			seen.add(next);
			waiting.push(...graph.get(next)!);
		}
		return seen;
	};
	return [...graph.keys()].filter((file) => reached(file).has(file));
}

test('no file depends on itself, through types neither', () => {
	const graph = importsByFile();
	expect(graph.size).toBeGreaterThan(300);
	expect(graph.get('lib/storage/database.ts')).toContain('lib/storage/quarantine.ts')
	expect(graph.get('routes/(app)/+layout.svelte')).toContain('lib/ui/Shell.svelte');
	expect(circular(graph)).toEqual([]);
	expect(circular(new Map([...graph, ['lib/storage/tables.ts', ['lib/storage/database.ts']]]))).toContain('lib/storage/checked.ts');
});

test('nothing else in the engine knows the doctor, which knows the rest', () => {
	const isDoctor = (file: string) => file.startsWith('lib/engine/doctor/');
	const knowing = [...importsByFile()].filter(([file, targets]) => file.startsWith('lib/engine/') && !isDoctor(file) && targets.some(isDoctor));
	expect(knowing.map(([file]) => file)).toEqual([]);
});
