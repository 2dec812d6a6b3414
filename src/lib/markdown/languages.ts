import type { LanguageInput } from 'shiki/core';

/** Returns the language's name here, whatever of its usual names it goes by; null if it is not among ours. */
export function nameOf(language: string): Language | null {
	const name = language.toLowerCase();
	if (Object.hasOwn(languages, name)) return name as Language;
	return Object.hasOwn(aliases, name) ? aliases[name as keyof typeof aliases] : null;
}

/** Chosen by how often chats have them and by weight; together about 320 KB compressed, most of them under 5 each. */
export const languages = {
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

export type Language = keyof typeof languages;

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

/** Ends of file names where they are not the language's name. */
const extensions: Partial<Record<Language, string>> = {
	bash: 'sh',
	csharp: 'cs',
	docker: 'dockerfile',
	elixir: 'ex',
	haskell: 'hs',
	javascript: 'js',
	kotlin: 'kt',
	make: 'mk',
	markdown: 'md',
	powershell: 'ps1',
	python: 'py',
	ruby: 'rb',
	rust: 'rs',
	typescript: 'ts'
};

/** Returns how the name of a file with code in that language ends. */
export function extensionOf(language: string): string {
	const written = language.toLowerCase();
	if (['jsx', 'svg', 'csv', 'tex', 'vue'].includes(written)) return written;
	const name = nameOf(language);
	return name === null ? 'txt' : (extensions[name] ?? name);
}
