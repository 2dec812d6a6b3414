// The look of screens is decided once, by the tokens and the kit. Rules that are broken here make screens differ from each other.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, type AST } from 'svelte/compiler';
import { describe, expect, test } from 'vitest';
import { inRoot } from '../../scripts/paths.mjs';

const ui = inRoot('src/lib/ui');

interface Declaration {
	property: string;
	value: string;
}

interface Rule {
	file: string;
	/** Subjects of its selectors: the compound that each ends with, without what it is in. */
	subjects: string[];
	declarations: Declaration[];
}

/** Files below ui/ by their paths from there. */
const files = readdirSync(ui, { recursive: true, encoding: 'utf8' })
	.map((path) => path.replaceAll('\\', '/'))
	.filter((path) => /\.(svelte|css)$/.test(path));
const components = files.filter((path) => path.endsWith('.svelte'));
const sourceOf = (path: string) => readFileSync(join(ui, path), 'utf8');
const rules = files.flatMap((file) => rulesOf(file, file.endsWith('.css') ? `<style>${sourceOf(file)}</style>` : sourceOf(file)));

/** Returns the rules of a component's styles, nested ones and those of media too. */
function rulesOf(file: string, source: string): Rule[] {
	const found: Rule[] = [];
	const walk = (node: AST.CSS.Node | AST.CSS.StyleSheet): void => {
		if (node.type === 'Rule') {
			const subjects = node.prelude.children.map(({ children }) => {
				const last = children.at(-1)!;
				return source.slice(last.selectors[0]?.start ?? last.start, last.end);
			});
			const declarations = node.block.children.flatMap((child) => (child.type === 'Declaration' ? [{ property: child.property, value: child.value }] : []));
			found.push({ file, subjects, declarations });
			node.block.children.forEach(walk);
		} else if (node.type === 'Atrule') node.block?.children.forEach(walk);
		else if (node.type === 'StyleSheet') node.children.forEach(walk);
	};
	const { css } = parse(source, { modern: true });
	if (css) walk(css);
	return found;
}

/** Returns a line for each declaration that `isFault` names, but for those of files that have a reason. */
function faults(isFault: (declaration: Declaration, rule: Rule) => boolean, reasons: Record<string, string> = {}, from = rules): string[] {
	return from.flatMap((rule) =>
		rule.declarations
			.filter((declaration) => isFault(declaration, rule) && !(rule.file in reasons))
			.map(({ property, value }) => `${rule.file}: ${rule.subjects.join(', ')} { ${property}: ${value} }`)
	);
}

const isSpacing = (property: string) => /^(scroll-)?(margin|padding)|gap$/.test(property);

/** True for a distance of its own; a number that a token is multiplied by is none. */
const hasLength = (value: string) => /(?<![\w-])-?(\d*\.)?\d+(?!\s*\*)[a-z%]+/.test(value.replace(/var\([^)]*\)/g, ''));

const isHeading = (subject: string) => /^(:global\()?h[1-6]\b/.test(subject);

/** Classes and elements that the kit and the global sheets style. */
const kit = /(^|[\s(>])(dialog|progress|meter)\b|\.(button|field|problem|quiet|small|mono|accent|primary|plain|danger|round|large)\b/;

/** Properties that say where a piece is and how much room it takes, not how it looks. */
const isLayout = (property: string) =>
	/^(align|justify|place|grid|flex|margin|overflow|text-(align|overflow)|white-space|(min-|max-)?(width|height)|line-clamp|content-visibility)/.test(property) ||
	/^(column-|row-)?gap$|^(display|position|order|top|right|bottom|left|inset|transform|visibility|opacity|resize|field-sizing|tab-size|outline-offset)$/.test(property);

const isOwnDistance = ({ property, value }: Declaration) => isSpacing(property) && hasLength(value);
const isOwnLayer = ({ property, value }: Declaration) => property === 'z-index' && !/^var\(--layer-[a-z]+\)$/.test(value);
const isOwnHeading = ({ property, value }: Declaration, { subjects }: Rule) =>
	/^font(-size)?$/.test(property) && subjects.some(isHeading) && !/^var\(--(heading|size)-[a-z]+\)$/.test(value);
const isRestyled = ({ property }: Declaration, { subjects }: Rule) => !isLayout(property) && subjects.some((subject) => kit.test(subject));

const exceptions = {
	spacing: {
		'transcript/Markdown.svelte': 'The distances of running text grow with its size.',
		'base.css': 'What only screen readers see is put out of the way by a pixel.'
	},
	headings: { 'transcript/Markdown.svelte': 'Headings in an answer are sized by the text around them.' },
	restyled: {
		'commands/CommandList.svelte': 'What is quiet is not where its option is chosen.',
		'search/CommandPalette.svelte': 'What is quiet is not where its option is chosen.'
	}
} satisfies Record<string, Record<string, string>>;

describe('styles name tokens', () => {
	test('for every distance', () => {
		expect(faults(isOwnDistance, exceptions.spacing)).toEqual([]);
		const inMarkup = components.filter((file) => /style(="[^"]*|:)(margin|padding|gap)[^"]*[\d.]+(rem|px|em)/.test(sourceOf(file)));
		expect(inMarkup).toEqual([]);
	});

	test('for every layer', () => {
		expect(faults(isOwnLayer)).toEqual([]);
	});

	test('for every size of a heading', () => {
		expect(faults(isOwnHeading, exceptions.headings)).toEqual([]);
	});

	test('and every token is named', () => {
		const all = files.map(sourceOf).join('\n');
		const tokens = [...sourceOf('tokens.css').matchAll(/^\t(--[a-z0-9-]+):/gm)].map(([, name]) => name!);
		expect(tokens.filter((name) => !all.includes(`var(${name})`))).toEqual([]);
	});
});

describe('the kit decides how its pieces look', () => {
	const elsewhere = rules.filter(({ file }) => !file.startsWith('kit/') && !file.endsWith('.css'));
	test('so no screen restyles one', () => {
		expect(faults(isRestyled, exceptions.restyled, elsewhere)).toEqual([]);
	});

	test('every dialog and progress bar is one of its pieces', () => {
		const own = components.filter((file) => !file.startsWith('kit/') && /<(dialog|meter)\b/.test(sourceOf(file)));
		expect(own).toEqual([]);
	});

	test('what has a field, a checkbox or a progress bar brings their styles', () => {
		const needs = components.filter((file) => /class="field\b|type="(checkbox|radio)"|<progress\b/.test(sourceOf(file).split('<style>')[0]!));
		expect(needs.filter((file) => !sourceOf(file).includes("controls.css';"))).toEqual([]);
	});

	test('the page /kit shows every piece', () => {
		const showcase = sourceOf('kit/Showcase.svelte');
		const pieces = components.filter((file) => file.startsWith('kit/') && basename(file) !== 'Showcase.svelte').map((file) => basename(file, '.svelte'));
		expect(pieces.filter((name) => !showcase.includes(`<${name}`))).toEqual([]);
	});
});

describe('an exception is still needed', () => {
	const checks = { spacing: isOwnDistance, headings: isOwnHeading, restyled: isRestyled };
	for (const [check, reasons] of Object.entries(exceptions)) {
		test.each(Object.entries(reasons))(`${check} in %s: %s`, (file) => {
			const here = rules.filter((rule) => rule.file === file);
			expect(faults(checks[check as keyof typeof checks], {}, here)).not.toEqual([]);
		});
	}
});

test('the rules notice what breaks them', () => {
	const broken = rulesOf(
		'chat/Broken.svelte',
		'<style>.a { padding: 5px var(--space-1) } .a { margin: 0 auto calc(-1 * var(--space-2)) } .b .button:hover { color: red } h2 { font-size: 2rem } @media print { .c { z-index: 9 } }</style>'
	);
	expect(broken.flatMap(({ subjects }) => subjects)).toEqual(['.a', '.a', '.button:hover', 'h2', '.c']);
	expect(faults(isOwnDistance, {}, broken)).toEqual(['chat/Broken.svelte: .a { padding: 5px var(--space-1) }']);
	expect(faults(isRestyled, {}, broken)).toEqual(['chat/Broken.svelte: .button:hover { color: red }']);
	expect(faults(isOwnHeading, {}, broken)).toEqual(['chat/Broken.svelte: h2 { font-size: 2rem }']);
	expect(faults(isOwnLayer, {}, broken)).toEqual(['chat/Broken.svelte: .c { z-index: 9 }']);
});
