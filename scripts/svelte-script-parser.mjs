// For the linter's search for import cycles: of a component, only the scripts matter, read as TypeScript. The whole
// svelte-eslint-parser cannot be had there, since import-x asks parsers not to make tokens, and it needs them.
import tseslint from 'typescript-eslint';

/**
 * @param {string} text
 * @param {object} options
 */
export function parseForESLint(text, options) {
	const scripts = [...text.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, script]) => script);
	return tseslint.parser.parseForESLint(scripts.join('\n'), options);
}
