import { readDocument } from '../engine/attachments/documents/read-document';
import { AppError } from '../shared/app-error';
import { bytesOf, ConnectionFailure, send } from '../shared/egress';
import type { ReadPage } from '../tools/ports';

/** Milliseconds that the reader of a page may take. */
const readingMs = 15_000;

/** Types of text that are taken as they are. */
const plainText = /^(text\/(?!html)|application\/([\w.+-]+\+)?(json|xml|yaml|x-ndjson|javascript)$)/;
const webPage = /^(text\/html|application\/xhtml\+xml)$/;

/** Fetches a page and reads it. Throws an AppError (`page-unread`) for the model where that can't be had, or the signal's reason. */
export const readPage: ReadPage = async (address, signal) => {
	const { host } = address;
	try {
		const response = await send('page', address, { signal, headers: { accept: 'text/html, text/markdown, text/plain, application/json;q=0.9' } });
		if (!response.ok) throw unread(`${host} answered with the error ${response.status}.`);
		const { type, charset } = typeOf(response);
		if (!webPage.test(type) && !plainText.test(type)) throw unread(`There is no text at this address, but a file of the type ${type === '' ? 'unknown' : type}.`);
		const text = decode(await bytesOf(response), charset);
		if (!webPage.test(type)) return text;
		const read = await readDocument(new Blob([text]), 'page', { signal, deadline: readingMs, address: address.href });
		if ('refused' in read) throw unread('The page can’t be read.');
		return read.text;
	} catch (error) {
		if (error instanceof ConnectionFailure) throw unread(failures[error.kind](host));
		throw error;
	}
};

const failures: Record<ConnectionFailure['kind'], (host: string) => string> = {
	unreachable: (host) => `${host} can’t be reached, or lets no other site read its pages (CORS). Ask the user to open the page and paste its text.`,
	slow: (host) => `${host} took too long to answer.`,
	'broke-off': (host) => `${host} broke off in the middle of the page.`,
	'too-large': () => 'The page is larger than 8 MB.',
	redirected: (host) => `${host} leads to another address from there, which is not followed. Try that one, or this with https, with or without “www.” or a slash at its end.`
};

function unread(sentence: string): AppError {
	return new AppError('page-unread', `${sentence} Nothing was read.`);
}

/** Returns the media type of an answer and the name of its encoding. */
function typeOf({ headers }: Response): { type: string; charset: string | undefined } {
	const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';').map((part) => part.trim());
	return { type, charset: parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length).replaceAll('"', '') };
}

/** Decodes text in the encoding that its host names, or the page at its beginning; UTF-8 where neither names one that is known. */
function decode(bytes: Uint8Array<ArrayBuffer>, charset: string | undefined): string {
	const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
	const name = charset ?? /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1];
	try {
		return new TextDecoder(name).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}
