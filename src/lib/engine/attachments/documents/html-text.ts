import { TextBuilder } from './text-builder';
import { readXml } from './xml';

/** Elements that are a line, or several, of their own; and those whose text is not read. */
const blocks = new Set('address article aside blockquote br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(' '));
const hidden = new Set(['head', 'noscript', 'script', 'style', 'template', 'title']);

/** Returns the text of HTML, a block a line. Links have their address behind them in brackets, where `base` says what it starts from. */
export function htmlText(html: string, base?: string): string {
	const text = new TextBuilder();
	let unread = 0;
	const links: (string | undefined)[] = [];
	readXml(
		html,
		{
			open(name, { href }) {
				if (hidden.has(name)) unread++;
				else if (name === 'td' || name === 'th') text.openCell();
				else if (blocks.has(name)) text.line();
				if (name === 'a') links.push(base === undefined ? undefined : webAddress(href, base));
			},
			text: (data) => unread === 0 && text.flow(data),
			close(name) {
				const link = name === 'a' ? links.pop() : undefined;
				if (link !== undefined && unread === 0) text.add(` (${link})`);
				if (hidden.has(name)) unread--;
				else if (name === 'td' || name === 'th') text.closeCell();
				else if (blocks.has(name)) text.line();
			}
		},
		{ html: true }
	);
	return text.toString();
}

/** Returns where a link leads; undefined where that is no address of the web, or within the page. */
function webAddress(href: string | undefined, base: string): string | undefined {
	if (!href || href.startsWith('#') || !URL.canParse(href, base)) return undefined;
	const { protocol, href: address } = new URL(href, base);
	return /^https?:$/.test(protocol) ? address : undefined;
}
