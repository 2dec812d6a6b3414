import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore, type LanguageInput, type ThemedToken } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

/** Code longer than this, in characters, stays plain: nobody reads its colours, and everybody would wait for them. */
export const maxCode = 100_000;

/** How long one piece of work may hold the main thread, in milliseconds: less than a frame. */
const slice = 8;

/**
 * HTML of `code` with its tokens in spans, coloured by the custom properties `--code-foreground`, `--code-token-keyword`,
 * `--code-token-string` and so on, so that it follows the page's theme. Null if the language is unknown or the code is too
 * long; then it is shown plain. A grammar is fetched when it is first needed; if that fails, the promise rejects. The
 * work is done a few lines at a time, with the main thread given back in between.
 */
export async function highlight(code: string, language: string): Promise<string | null> {
	const name = nameOf(language);
	if (name === null || code.length > maxCode) return null;
	const highlighter = await load();
	await highlighter.loadLanguage(languages[name]);

	const html: string[] = [];
	const lines = code.split('\n');
	let state: ReturnType<HighlighterCore['getLastGrammarState']> | undefined;
	let started = performance.now();
	for (let at = 0; at < lines.length; at += linesAtOnce) {
		if (performance.now() - started > slice) {
			await new Promise((resolve) => setTimeout(resolve));
			started = performance.now();
		}
		const tokens = highlighter.codeToTokensBase(lines.slice(at, at + linesAtOnce).join('\n'), {
			lang: name,
			theme: theme.name!,
			tokenizeMaxLineLength: 1000,
			...(state && { grammarState: state })
		});
		state = highlighter.getLastGrammarState(tokens);
		html.push(...tokens.map((line) => line.map(span).join('')));
	}
	return html.join('\n');
}

/** The language's name here, whatever of its usual names it goes by; null if it is not among ours. */
export function nameOf(language: string): Language | null {
	const name = language.toLowerCase();
	if (Object.hasOwn(languages, name)) return name as Language;
	return Object.hasOwn(aliases, name) ? aliases[name as keyof typeof aliases] : null;
}

const linesAtOnce = 8;

const theme = createCssVariablesTheme({ name: 'snug', variablePrefix: '--code-', fontStyle: false });

let loaded: Promise<HighlighterCore> | undefined;

function load(): Promise<HighlighterCore> {
	loaded ??= createHighlighterCore({
		themes: [theme],
		langs: [],
		// A pattern that this engine cannot translate is left out; the rest of its grammar still works.
		engine: createJavaScriptRegexEngine({ forgiving: true })
	});
	return loaded;
}

function span({ content, color }: ThemedToken): string {
	const text = content.replace(/[&<>]/g, (char) => entities[char as keyof typeof entities]);
	return color && color !== 'var(--code-foreground)' ? `<span style="color:${color}">${text}</span>` : text;
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Chosen by how often chats have them and by weight; together about 320 KB compressed, most of them under 5 each. */
const languages = {
	bash: () => import('shiki/langs/shellscript.mjs'),
	c: () => import('shiki/langs/c.mjs'),
	cpp: () => import('shiki/langs/cpp.mjs'),
	csharp: () => import('shiki/langs/csharp.mjs'),
	css: () => import('shiki/langs/css.mjs'),
	dart: () => import('shiki/langs/dart.mjs'),
	diff: () => import('shiki/langs/diff.mjs'),
	docker: () => import('shiki/langs/docker.mjs'),
	elixir: () => import('shiki/langs/elixir.mjs'),
	go: () => import('shiki/langs/go.mjs'),
	graphql: () => import('shiki/langs/graphql.mjs'),
	haskell: () => import('shiki/langs/haskell.mjs'),
	html: () => import('shiki/langs/html.mjs'),
	ini: () => import('shiki/langs/ini.mjs'),
	java: () => import('shiki/langs/java.mjs'),
	javascript: () => import('shiki/langs/javascript.mjs'),
	json: () => import('shiki/langs/json.mjs'),
	kotlin: () => import('shiki/langs/kotlin.mjs'),
	lua: () => import('shiki/langs/lua.mjs'),
	make: () => import('shiki/langs/make.mjs'),
	markdown: () => import('shiki/langs/markdown.mjs'),
	nix: () => import('shiki/langs/nix.mjs'),
	php: () => import('shiki/langs/php.mjs'),
	powershell: () => import('shiki/langs/powershell.mjs'),
	python: () => import('shiki/langs/python.mjs'),
	r: () => import('shiki/langs/r.mjs'),
	ruby: () => import('shiki/langs/ruby.mjs'),
	rust: () => import('shiki/langs/rust.mjs'),
	scala: () => import('shiki/langs/scala.mjs'),
	scss: () => import('shiki/langs/scss.mjs'),
	sql: () => import('shiki/langs/sql.mjs'),
	svelte: () => import('shiki/langs/svelte.mjs'),
	swift: () => import('shiki/langs/swift.mjs'),
	toml: () => import('shiki/langs/toml.mjs'),
	tsx: () => import('shiki/langs/tsx.mjs'),
	typescript: () => import('shiki/langs/typescript.mjs'),
	xml: () => import('shiki/langs/xml.mjs'),
	yaml: () => import('shiki/langs/yaml.mjs'),
	zig: () => import('shiki/langs/zig.mjs')
} as const satisfies Record<string, LanguageInput>;

type Language = keyof typeof languages;

const aliases = {
	sh: 'bash',
	shell: 'bash',
	shellscript: 'bash',
	zsh: 'bash',
	console: 'bash',
	h: 'c',
	'c++': 'cpp',
	cc: 'cpp',
	hpp: 'cpp',
	'c#': 'csharp',
	cs: 'csharp',
	patch: 'diff',
	dockerfile: 'docker',
	golang: 'go',
	hs: 'haskell',
	svg: 'xml',
	js: 'javascript',
	jsx: 'javascript',
	mjs: 'javascript',
	cjs: 'javascript',
	jsonc: 'json',
	json5: 'json',
	kt: 'kotlin',
	makefile: 'make',
	md: 'markdown',
	ps1: 'powershell',
	py: 'python',
	python3: 'python',
	rb: 'ruby',
	rs: 'rust',
	ts: 'typescript',
	mts: 'typescript',
	yml: 'yaml'
} as const satisfies Record<string, Language>;
