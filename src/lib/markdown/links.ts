import { unseenCharacters } from '../shared/unseen-characters';

/**
 * Returns where a link leads, for the reader to see beside it, if its text names another place: `[https://bank.example](https://evil.example)`;
 * undefined if it does not. Of a web address it is the host, of mail all who get it, of a call the number, wherever the text is not that number itself.
 */
export function otherTarget(text: string, address: string): string | undefined {
	if (isCall(address)) return otherNumber(text, address);
	const isTurned = /\p{Bidi_Control}/u.test(text);
	if (/^mailto:/i.test(address)) return otherMail(shownOf(text), address, isTurned);
	const target = parse(address);
	if (!target?.host) return undefined;
	const claims = hostsIn(text.normalize('NFKC'), ...readingsOf(text));
	const host = plainHost(target.hostname);
	const isSame = (claimed: string) => host === claimed || host.endsWith(`.${claimed}`);
	// A letter of another script can look like the one that it stands for: the host of such a link is always told in ASCII.
	const isForeign = claims.length > 0 && /(?:^|\.)xn--/.test(host);
	// The part before an @ is read as the host, and is none.
	const hasName = target.username !== '' || target.password !== '';
	return isTurned || isForeign || hasName || !claims.every(isSame) ? target.host : undefined;
}

/** Tells whether an address calls a number. */
export function isCall(address: string): boolean {
	return /^tel:/i.test(address);
}

/** Tells whether a text names a place. */
export function namesHost(text: string): boolean {
	return hostsIn(...readingsOf(text)).length > 0;
}

/** The start and the end of a text, as far as they can be of an address that goes on beyond it, or of a number if `isNumber`; no end where all of it can. */
export function openEnds(text: string, isNumber: boolean): { start: string; end?: string } {
	const [start = '', ...more] = shownOf(text.replace(thinSpaces, '')).split(isNumber ? /[^\p{L}\p{N}\p{Pd}_.。:/@+*#()]/u : /[^\p{L}\p{N}_.。:/@-]/u);
	return more.length === 0 ? { start } : { start, end: more.at(-1)! };
}

/** Spaces that are hardly seen: what stands on both sides of one is read as one word. */
const thinSpaces = /[\u1680\u2004-\u200a\u202f\u205f]/gu;

const unseen = new RegExp(`(?![\\t\\n\\r])[${unseenCharacters}\\p{Default_Ignorable_Code_Point}\\p{Cc}]`, 'gu');

/** Count of the digits and signs of a text that are dialled. */
export function dialledIn(text: string): number {
	return text.match(/[\p{N}+*#]/gu)?.length ?? 0;
}

/** Returns where a link leads, whatever its text says, as `otherTarget` tells it. */
export function targetOf(address: string): string {
	if (/^mailto:/i.test(address)) return recipientsOf(address).join(', ') || address;
	return isCall(address) ? numberOf(address) : parse(address)?.host || address;
}

/** Readings of a text: with its thin spaces and without. */
function readingsOf(text: string): string[] {
	return [shownOf(text), shownOf(text.replace(thinSpaces, ''))];
}

/**
 * A text with what looks like another character, such as a fullwidth letter or a dot of another script, as that one, and without what
 * hides: a mark below a letter, under the line of a link, or a slash of another kind.
 */
function shownOf(text: string): string {
	return text
		.normalize('NFKD')
		.replace(/[\u0660\u06f0\u0701\u0702\u1427\ua4f8\ua60e\u{10a50}\u00b7\u30fb\u2e33\u16eb\ua78f]|\u{1d16d}/gu, '.')
		.replace(unseen, '')
		.replace(/[\p{M}\u2044\u2215\u29f8]/gu, '');
}

function otherMail(text: string, address: string, isTurned: boolean): string | undefined {
	const recipients = recipientsOf(address);
	const words = text.split(/[\s<>()[\]{}"'“”‘’«»|,;!]+/u);
	const isOther = (word: string) => {
		const [name = '', host] = word.split('@');
		if (name === '' || host === undefined) return hostsIn(word).length > 0;
		return !recipients.includes(`${name}@${labelsOf(host).join('.')}`.toLowerCase());
	};
	return isTurned || recipients.length > 1 || words.some(isOther) ? recipients.join(', ') || address : undefined;
}

/** Everyone who gets a message to this `mailto:` address, copies included. A URL with a host, such as `mailto://a:b`, is none that can be read: its parts are. */
function recipientsOf(address: string): string[] {
	const [, path = '', query = ''] = /^mailto:\/*([^?#]*)(?:\?([^#]*))?/i.exec(address) ?? [];
	const copies = [...new URLSearchParams(query.replaceAll('+', '%2B'))].flatMap(([name, value]) => (/^(?:to|b?cc)$/i.test(name) ? value.split(',') : []));
	return [...path.split(',').map(decode), ...copies].map((one) => encodeUnseen(one.trim().toLowerCase())).filter(Boolean);
}

function otherNumber(text: string, address: string): string | undefined {
	const number = numberOf(address);
	const plain = (text: string) => text.replace(/[\s().\p{Pd}]/gu, '');
	const isTurned = /\p{Bidi_Control}/u.test(text);
	return !isTurned && plain(text.normalize('NFKC').replace(/^tel:/i, '')) === plain(number) ? undefined : number;
}

/** The number that a `tel:` address calls, and all that follows it there. */
function numberOf(address: string): string {
	return encodeUnseen(decode(address.slice('tel:'.length)));
}

/**
 * The hosts that texts name, wherever in them, with or without a scheme; '' for what must be read as one and can't be. What stands in the path of
 * an address is none. Linear in the length of the texts, which may be hostile.
 */
function hostsIn(...texts: string[]): string[] {
	const words = texts.flatMap((text) => text.split(/\s+/));
	const hosts = words.flatMap((word) => {
		// The first piece that names a host is that of an address; what comes before is a scheme, what comes after its path.
		for (const piece of word.split(/[/?#\\]+/)) {
			const named = piece.split(/[^\p{L}\p{N}\p{M}_.。-]+/u).flatMap((token) => hostOf(labelsOf(token)) ?? []);
			if (named.length > 0) return named;
		}
		return /^https?:\/\//i.test(word) ? [''] : [];
	});
	return [...new Set(hosts)];
}

/** The labels of a host, without what the line of a link hides at their ends. */
function labelsOf(name: string): string[] {
	return name.split(/[.。]/).flatMap((label) => /[^_-](?:.*[^_-])?/su.exec(label) ?? []);
}

/** The host of these labels, '' if it can't be one; undefined where they do not look like one. */
function hostOf(labels: string[]): string | undefined {
	const last = labels.at(-1) ?? '';
	const isAddress = labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label));
	const isName = labels.length > 1 && /^(?:[\p{L}\p{M}]{2,}|xn--[\p{L}\p{N}-]+)$/u.test(last) && !(labels.length === 2 && fileTypes.has(last.toLowerCase()));
	if (!isAddress && !isName && labels.join().toLowerCase() !== 'localhost') return undefined;
	const url = parse(`https://${labels.join('.')}`);
	return url ? plainHost(url.hostname) : '';
}

/** Endings of files that are no top-level domain as well. */
const fileTypes = new Set(
	'cfg conf cpp cs css csv exe gif go gz hpp htm html ini java jpeg jpg js json jsx kt lock log lua mjs pdf php png rb sql svelte svg swift tar toml ts tsx txt vue webp xml yaml yml zig'.split(' ')
);

function parse(address: string): URL | undefined {
	return URL.canParse(address) ? new URL(address) : undefined;
}

/** A text without its percent-encoding, where that can be read. */
function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** An address of which all is seen, and nothing turned around, when it is shown. */
const encodeUnseen = (address: string) => address.replace(unseen, encodeURIComponent);

function plainHost(host: string): string {
	return host.replace(/^www\./, '').replace(/\.$/, '');
}
