// The text that the bench's messages are made of: what the installed packages say of themselves. The lock file pins the
// packages, so it is the same text on every machine, but for what a few of them bring for one system only.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../../scripts/paths.mjs';

/**
 * `files`: the sentences of each text that has enough of them, 4 to 60 words each, in their order; `code`: code blocks of
 * 40 to 1200 characters.
 * @typedef {{ files: string[][], code: string[] }} Material
 */

const fewest = 20;

/** @returns {Material} without repetitions */
export function readMaterial() {
	const seen = new Set();
	const isNew = (/** @type {string} */ text) => !seen.has(text) && Boolean(seen.add(text));
	/** @type {Material} */
	const material = { files: [], code: [] };
	for (const file of textFiles(inRoot('node_modules'))) {
		const text = readFileSync(file, 'utf8').replaceAll('\r', '');
		const prose = file.endsWith('.md') ? text : commentsOf(text);
		for (const [, block = ''] of prose.matchAll(/^```\w*\n(.*?)^```/gms)) {
			if (block.length >= 40 && block.length <= 1200 && isNew(block)) material.code.push(block);
		}
		const sentences = sentencesOf(prose).filter(isNew);
		if (sentences.length >= fewest) material.files.push(sentences);
	}
	return material;
}

/** Markdown and declarations, whose comments are documentation too. @param {string} folder @returns {string[]} by path */
function textFiles(folder) {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => /\.(md|d\.ts|d\.mts)$/i.test(name) && !/(^|[\\/])\./.test(name))
		.map((name) => name.replaceAll('\\', '/'))
		.sort()
		.map((name) => join(folder, name));
}

/** @param {string} source */
function commentsOf(source) {
	return [...source.matchAll(/\/\*\*(.*?)\*\//gs)].map(([, text = '']) => text.replace(/^[ \t]*\* ?/gm, '')).join('\n\n');
}

/** Neither code, tables, lists of links nor headings. @param {string} markdown @returns {string[]} */
function sentencesOf(markdown) {
	return markdown
		.replace(/^```.*?^```/gms, '\n')
		.split(/\n\s*\n/)
		.filter((paragraph) => !/^\s*([|<#]|\[.*\]:|@|- Updated)/.test(paragraph))
		.flatMap((paragraph) => plain(paragraph).split(/(?<=[.!?:]) (?=[\p{Lu}`])/u))
		.filter((sentence) => /^[\p{L}\p{N}`"'(]/u.test(sentence) && isWithin(sentence.split(' ').length, 4, 60));
}

/** The paragraph on one line, links as their words, without tags such as `@param`. @param {string} paragraph */
function plain(paragraph) {
	return paragraph
		.replace(/!?\[([^[\]]*)\](\([^()\s]*\)|\[[^[\]]*\])/g, '$1')
		.replace(/\*\*|^\s*[-*+>] /gm, '')
		.replace(/\s+/g, ' ')
		.replace(/ @\w.*/, '')
		.trim();
}

/** @param {number} value @param {number} least @param {number} most */
const isWithin = (value, least, most) => value >= least && value <= most;
