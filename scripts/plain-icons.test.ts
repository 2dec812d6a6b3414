import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inRoot } from './paths.mjs';
import { plainIcon } from './plain-icons.mjs';

const icons = inRoot('node_modules/@lucide/svelte/dist/icons');

it('[P3] an icon is an SVG with its shapes', () => {
	const plain = plainIcon(readFileSync(join(icons, 'x.svelte'), 'utf8'));
	expect(plain).toContain('><path d="M18 6 6 18" /><path d="m6 6 12 12" /></svg>');
	expect(plain).toContain('viewBox="0 0 24 24"');
	expect(plain).not.toContain('<Icon');
});

it('[P3] all icons of the installed version are written in the same way, and what is not is refused', () => {
	const names = readdirSync(icons).filter((name) => name.endsWith('.svelte'));
	expect(names.length).toBeGreaterThan(1000);
	expect(names.filter((name) => plainIcon(readFileSync(join(icons, name), 'utf8')) === undefined)).toEqual([]);
	expect(plainIcon('<script>\n\tconst iconData = { "node": [] };\n</script>\n\n<Icon {...props} icon={iconData}>more</Icon>\n')).toBeUndefined();
});

/** The tags of icons in a component, with their attributes. */
function uses(source: string): string[] {
	const names = [...source.matchAll(/import (\w+) from '@lucide\/svelte\//g)].map(([, name]) => name);
	return [...source.matchAll(/<(\w+\.icon|\w+)((?:\s+[\w-]+=(?:"[^"]*"|\{[^}]*\}))*)\s*\/>/g)].filter(([, tag]) => names.includes(tag!) || tag!.endsWith('con')).map(([tag]) => tag);
}

it('[P3] icons are given only what they take', () => {
	const screens = readdirSync(inRoot('src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.svelte'));
	const tags = screens.flatMap((name) => uses(readFileSync(join(inRoot('src'), name), 'utf8')));
	expect(tags.length).toBeGreaterThan(40);
	expect(tags.filter((tag) => [...tag.matchAll(/\s([\w-]+)=/g)].some(([, name]) => !['size', 'fill', 'aria-label'].includes(name!)))).toEqual([]);
});
