import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../src/lib', import.meta.url));

const imports = /(?:\bfrom\s+|\bimport\(\s*|\bimport\s+)'(\.{1,2}\/[^']+)'/g;

/** The files of src/lib that each imports: also types, and what is loaded later, which the linter leaves out. */
function importsByFile(): Map<string, string[]> {
	const all = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
	const files = all.filter((file) => /\.(ts|svelte)$/.test(file) && !file.endsWith('.test.ts'));
	const known = new Set(files);
	return new Map(
		files.map((file) => {
			const code = readFileSync(join(root, file), 'utf8');
			const targets = [...code.matchAll(imports)].map(([, target]) => posix.join(posix.dirname(file), target!));
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
	expect(graph.get('storage/database.ts')).toContain('storage/quarantine.ts');
	expect(circular(graph)).toEqual([]);
	expect(circular(new Map([...graph, ['storage/tables.ts', ['storage/database.ts']]]))).toContain('storage/checked.ts');
});
