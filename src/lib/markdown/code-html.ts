import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore, type LanguageRegistration, type ThemedToken } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { escapeCode, newNames, unseenContext, type Names } from './escape-code';

/** Grammars by name, and what they make of code. Runs in a worker: some patterns take for ever on some texts. */
export class CodeHtml {
	private readonly loading = createHighlighterCore({
		themes: [theme],
		langs: [],
		// A pattern that this engine cannot translate is left out; the rest of its grammar still works.
		engine: createJavaScriptRegexEngine({ forgiving: true })
	});

	/** Makes a grammar ready: its patterns are compiled when they first meet a text, and once more when they meet the second. */
	async load(name: string, grammar: LanguageRegistration[]): Promise<void> {
		const highlighter = await this.loading;
		await highlighter.loadLanguage(grammar);
		for (let round = 0; round < 3; round++) {
			for (const text of samples) toHtml(highlighter, text, name);
		}
	}

	/**
	 * Returns HTML of `code`, null where it has more than `maxSpans` coloured tokens, with its tokens in spans, coloured by the custom properties `--code-foreground`,
	 * `--code-token-keyword`, `--code-token-string` and so on, so that it follows the page's theme.
	 */
	async of(code: string, name: string): Promise<string | null> {
		return toHtml(await this.loading, code, name);
	}
}

const theme = createCssVariablesTheme({ name: 'snug', variablePrefix: '--code-', fontStyle: false });

/** A bit of everything that grammars look for, each read from the start: a grammar may never come out of what another one begins. */
const samples = [
	'#include <a>\n#define B 1\nimport c from "d"\nusing namespace std;\ntemplate <class T> struct E : public F { int g(const T& x) const; };',
	'export async function h(i: number, j = [1.5, true]): string { if (i == 0x1f && !j) { return `k ${i}`; } else { m->n(o::p); } }',
	'def q(r, *s):\n    """t"""\n    return {u: "v\\n%d", w: \'x\'}\n/* y */ // z\n# aa\n-- bb\nfor (const auto& cc : dd) { ee += ff<gg>(1); }',
	'<?php echo $hh; ?>\n<p class="ii" style="a: b">jj &amp; <b>kk</b></p>\n<script>let ll = /m+/g;</script>\n[nn]\noo: pp\n- qq\nSELECT rr FROM ss'
];

/** Most coloured tokens of one code: a page takes a third of a second to draw so many elements at once. */
const maxSpans = 10_000;

function toHtml(highlighter: HighlighterCore, code: string, name: string): string | null {
	const lines = highlighter.codeToTokensBase(code, { lang: name, theme: theme.name!, tokenizeMaxLineLength: 1000 });
	if (lines.reduce((sum, line) => sum + line.filter(isColoured).length, 0) > maxSpans) return null;
	const names = newNames();
	return lines.map((line) => line.map((token) => span(token, code, names)).join('')).join('\n');
}

function isColoured({ color }: ThemedToken): boolean {
	return color !== undefined && color !== 'var(--code-foreground)';
}

function span(token: ThemedToken, code: string, names: Names): string {
	const { content, offset, color } = token;
	const before = code.slice(Math.max(0, offset - unseenContext), offset);
	const text = escapeCode(before + content, names, before.length);
	return isColoured(token) ? `<span style="color:${color}">${text}</span>` : text;
}
