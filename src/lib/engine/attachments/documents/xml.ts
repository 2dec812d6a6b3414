import { Parser } from 'htmlparser2';
import { Refused } from './document';

/** Told of what is in a text of XML, in its order. Elements come without the prefix of their names, which each program chooses for itself. */
export interface XmlEvents {
	open?: (name: string, attributes: Record<string, string>, parent: string | undefined) => void;
	/** `inside` is the name of the element around the text. */
	text?: (text: string, inside: string | undefined) => void;
	close?: (name: string) => void;
}

/** The deepest nesting that is read: no program writes deeper, and each level costs as much as there are above it. */
const deepest = 1000;

/** Reads XML, or HTML, a tag at a time. Nothing of it is run, fetched or expanded, and what is not well-formed is read as far as it goes. */
export function readXml(xml: string, { open, text, close }: XmlEvents, { html = false } = {}): void {
	const above: string[] = [];
	const parser = new Parser(
		{
			onopentag(name, attributes) {
				if (above.length === deepest) throw new Refused('damaged');
				const local = localName(name);
				open?.(local, attributes, above.at(-1));
				above.push(local);
			},
			ontext: (data) => text?.(data, above.at(-1)),
			onclosetag(name) {
				above.pop();
				close?.(localName(name));
			}
		},
		html ? { recognizeSelfClosing: true } : { xmlMode: true }
	);
	parser.end(xml);
}

function localName(name: string): string {
	return name.slice(name.indexOf(':') + 1);
}
