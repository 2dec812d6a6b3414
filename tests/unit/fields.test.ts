// Browsers write what is in fields into the files from which they restore their windows, also of a temporary chat, unless a field says otherwise.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';
import { inRoot } from '../../scripts/paths.mjs';

const ui = inRoot('src/lib/ui');
const notTyped = /^(checkbox|radio|file|range|password|color|button)$/;

interface Element {
	type?: string;
	name?: string;
	attributes?: { name?: string; value?: unknown }[];
}

/** Lists the fields of a component that browsers may keep, as they stand in its source. */
function kept(source: string): string[] {
	const found: string[] = [];
	const visit = (node: unknown): void => {
		if (typeof node !== 'object' || node === null) return;
		const { type, name, attributes = [] } = node as Element;
		if (type === 'RegularElement' && (name === 'input' || name === 'textarea')) {
			const of = (wanted: string) => attributes.find((attribute) => attribute.name === wanted);
			const value = JSON.stringify(of('type')?.value ?? '').match(/"data":"([^"]*)"/)?.[1] ?? '';
			const { start, end } = node as { start: number; end: number };
			if (!notTyped.test(value) && !of('autocomplete')) found.push(source.slice(start, Math.min(end, start + 100)));
		}
		for (const child of Object.values(node)) visit(child);
	};
	visit(parse(source, { modern: true }).fragment);
	return found;
}

test('[P8] no field is kept by the browser', () => {
	const components = readdirSync(ui, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.svelte'));
	expect(components.flatMap((path) => kept(readFileSync(join(ui, path), 'utf8')).map((field) => `${path}: ${field}`))).toEqual([]);
	expect(kept('<div>{#if x}<textarea bind:value></textarea>{/if}<input type="checkbox" /><input type="search" /></div>')).toHaveLength(2);
});
