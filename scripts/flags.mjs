import util from 'node:util';
import { Halt } from './halt.mjs';

/**
 * Reads a command line against the flags that a script knows.
 * @template {Record<string, 'string' | 'boolean'>} Known
 * @param {string[]} argv what follows the script's name
 * @param {Known} known flag name without dashes -> its type
 * @param {string} command how the script is called, for the error's advice, e.g. `npm start --`
 * @returns {{ [Name in keyof Known]?: Known[Name] extends 'string' ? string : boolean }}
 * @throws {Halt} for an unknown flag, a missing value, or a word that belongs to no flag
 */
export function parseFlags(argv, known, command) {
	const options = Object.fromEntries(Object.entries(known).map(([name, type]) => [name, { type }]));
	const advice = `Type \`${command} --help\` to see what there is.`;
	// The lenient mode is used and its tokens are judged here, so that the sentences are ours on every Node version.
	const { tokens } = util.parseArgs({ args: argv, options, strict: false, allowPositionals: true, tokens: true });
	/** @type {Record<string, string | boolean>} */
	const flags = {};
	for (const token of tokens) {
		if (token.kind === 'option-terminator') continue;
		if (token.kind === 'positional') {
			throw new Halt(`"${token.value}" belongs to no flag. ${advice}`);
		}
		const type = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
		if (!type) throw new Halt(`The flag ${token.rawName} is not known. ${advice}`);
		if (type === 'boolean') {
			if (token.value !== undefined) throw new Halt(`The flag --${token.name} takes no value. ${advice}`);
			flags[token.name] = true;
			continue;
		}
		// A flag in the value's place means that the value was forgotten.
		if (!token.value || (!token.inlineValue && token.value.startsWith('--'))) {
			throw new Halt(`The flag --${token.name} needs a value. ${advice}`);
		}
		flags[token.name] = token.value;
	}
	return /** @type {any} */ (flags);
}

/**
 * @param {string | undefined} text the value of --port
 * @param {number} fallback the port when the flag was not given
 * @returns {number} 0 to 65535; 0 lets the system choose
 * @throws {Halt} when the text is no port
 */
export function parsePort(text, fallback) {
	if (text === undefined) return fallback;
	if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) {
		throw new Halt(`"${text}" is not a port; give --port a number from 1 to 65535.`);
	}
	return Number(text);
}

/**
 * @param {string | undefined} text the value of --allow-host: names separated by commas, with or without a port
 * @returns {string[]}
 * @throws {Halt} for what is no name of a host
 */
export function parseHosts(text) {
	const names = text === undefined ? [] : text.split(',').map((name) => name.trim());
	const wrong = names.find((name) => !/^([\w-]+(\.[\w-]+)*|\[[\da-f:]+\])(:\d{1,5})?$/i.test(name));
	if (wrong !== undefined) throw new Halt(`"${wrong}" is not the name of a host; give --allow-host names such as snug.example or snug.example:8443.`);
	return names;
}
