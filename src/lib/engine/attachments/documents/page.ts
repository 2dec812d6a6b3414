import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { Refused, type OpenDocument } from './document';
import { htmlText } from './html-text';

/** Opens a page of the web: its article where it has one, else all of its text. Nothing of it is run or fetched. Throws Refused where it is nested too deep to be read. */
export function openPage(bytes: Uint8Array<ArrayBuffer>, address = ''): OpenDocument {
	const html = new TextDecoder().decode(bytes);
	try {
		return read(html, address);
	} catch (error) {
		throw error instanceof RangeError ? new Refused('damaged') : error;
	}
}

function read(html: string, address: string): OpenDocument {
	// A page may leave out the tags that a browser adds by itself.
	const { document } = parseHTML(/<body[\s>]/i.test(html) ? html : `<html><head></head><body>${html}</body></html>`);
	// Before the document is taken apart.
	const title = document.querySelector('title')?.textContent;
	Object.defineProperties(document, { baseURI: { value: address }, documentURI: { value: address } });
	const article = new Readability(document as unknown as Document).parse();
	const text = htmlText(article?.content || html, address);
	return { mediaType: 'text/html', count: 1, parts: [{ ...(title && { title }), text }] };
}
