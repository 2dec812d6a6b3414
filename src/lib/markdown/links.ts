/**
 * Returns where a link leads, for the reader to see beside it, if its text names another place: `[https://bank.example](https://evil.example)`;
 * undefined if it does not. Of a web address it is the host, of mail all who get it, of a call the number.
 */
export function otherTarget(text: string, address: string): string | undefined {
	const isTurned = /\p{Bidi_Control}/u.test(text);
	// What looks like another character, such as a fullwidth letter, is read as that.
	const shown = text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
	if (/^mailto:/i.test(address)) return otherMail(shown, address, isTurned);
	if (/^tel:/i.test(address)) return otherNumber(shown, address, isTurned);
	const target = parse(address);
	if (!target?.host) return undefined;
	const claims = wordsOf(shown).flatMap((word) => claimedHost(word) ?? []);
	const host = withoutWww(target.hostname);
	const isSame = (claimed: string) => host === claimed || host.endsWith(`.${claimed}`);
	// A letter of another script can look like the one that it stands for: the host of such a link is always told in ASCII.
	const isForeign = claims.length > 0 && /(?:^|\.)xn--/.test(host);
	// What stands before an @ is read as the host, and is none.
	return isTurned || isForeign || target.username !== '' || !claims.every(isSame) ? target.host : undefined;
}

function otherMail(text: string, address: string, isTurned: boolean): string | undefined {
	const recipients = recipientsOf(address);
	const claims = wordsOf(text).filter((word) => mail.test(word) || claimedHost(word) !== undefined);
	const isSame = (claimed: string) => recipients.includes(claimed.toLowerCase());
	return isTurned || recipients.length > 1 || !claims.every(isSame) ? recipients.join(', ') : undefined;
}

/** Everyone who gets a message to this `mailto:` address, copies included. */
function recipientsOf(address: string): string[] {
	const { pathname, searchParams } = new URL(address.replace(/\+/g, '%2B'));
	const copies = [...searchParams].flatMap(([name, value]) => (/^(?:to|b?cc)$/i.test(name) ? value.split(',') : []));
	return [...pathname.split(',').map(decode), ...copies].map((one) => one.trim().toLowerCase()).filter(Boolean);
}

function otherNumber(text: string, address: string, isTurned: boolean): string | undefined {
	const number = decode(address.slice('tel:'.length));
	// A number may be shown without its country.
	const claimed = digitsOf(text).replace(/^0+/, '');
	const isSame = claimed.length < 3 || digitsOf(number).endsWith(claimed);
	return isTurned || !isSame || claimedHost(text.trim()) !== undefined ? number : undefined;
}

function wordsOf(text: string): string[] {
	return text
		.split(/[\s<>()[\]{}"'“”‘’«»|,;!]+/u)
		.map((word) => word.replace(/[.:?*]+$/u, ''))
		.filter((word) => word !== '');
}

/** The host that a word names, '' if it can't be one; undefined where the word does not look like an address. */
function claimedHost(word: string): string | undefined {
	const address = /(?:https?:\/\/|\bwww\.).*/i.exec(word)?.[0] ?? (looksLikeHost(word) ? word.slice(word.indexOf('@') + 1) : undefined);
	if (address === undefined) return undefined;
	const url = parse(/^https?:/i.test(address) ? address : `https://${address}`);
	return url ? withoutWww(url.hostname) : '';
}

function looksLikeHost(word: string): boolean {
	return /^(?:[^\s/@]+@)?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.(?:\p{L}{2,}|xn--[\p{L}\p{N}-]+)(?::\d+)?(?:[/?#].*)?$/u.test(word) && !fileName.test(word);
}

const mail = /^[^\s/@]+@[^\s/@]+$/;

const fileName =
	/^[^./]+\.(?:c|cc|cfg|conf|cpp|cs|css|csv|exe|gif|go|gz|h|hpp|html?|ini|java|jpe?g|js|json|jsx|kt|lock|log|lua|md|mjs|pdf|php|png|pl|py|rb|rs|sh|sql|svelte|svg|swift|tar|toml|ts|tsx|txt|vue|webp|xml|ya?ml|zig|zip)$/i;

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

const digitsOf = (text: string) => text.replace(/\D/g, '');

function withoutWww(host: string): string {
	return host.replace(/^www\./, '');
}
