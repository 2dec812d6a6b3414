/** Signs at the start of a line: those of headings, quotes, lists and fences. */
const atStart = /^[ \t]*(?:(?:#{1,6}|>|[-*+]|```\S*)(?:[ \t]+|$))+/gm;
const link = /!?\[([^\]\n]{1,200})\]\([^)\s]{0,500}\)/g;
/** Emphasis and code within a line; no signs between letters, as in 2**3. */
const emphasis = /(^|[\s("])(\*{1,3}|~~|`)(?=\S)([^\n]{1,200}?)\2(?=$|[\s.,:;!?)"])/gm;

/** Returns the words of Markdown, for a line that shows or speaks its start: without its signs, and links by their texts. Look at the start of long texts only. */
export function wordsOfMarkdown(markdown: string): string {
	return markdown.replace(atStart, '').replace(link, '$1').replace(emphasis, '$1$3');
}
