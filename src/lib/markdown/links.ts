/**
 * Returns the host, or the mail address, that a link leads to, where its text names another one: `[https://bank.example](https://evil.example)`.
 */
export function otherTarget(text: string, address: string): string | undefined {
	const shown = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim();
	const mail = /^mailto:([^?]*)/i.exec(address)?.[1];
	if (mail !== undefined) return /^\S+@\S+$/.test(shown) && shown.toLowerCase() !== mail.toLowerCase() ? mail : undefined;
	const target = parse(address);
	if (!target?.host) return undefined;
	const claimed = claimedHost(shown);
	// What stands before an @ is read as the host, and is none.
	if (claimed === undefined && !target.username) return undefined;
	const host = withoutWww(target.hostname);
	const isSame = !target.username && claimed !== undefined && (host === claimed || host.endsWith(`.${claimed}`));
	return isSame ? undefined : target.host;
}

/** The host that a text names, '' if it can't be one; undefined where the text does not look like an address. */
function claimedHost(text: string): string | undefined {
	const address = /(?:https?:\/\/|\bwww\.)\S+/i.exec(text)?.[0] ?? (looksLikeHost(text) ? text.slice(text.indexOf('@') + 1) : undefined);
	if (address === undefined) return undefined;
	const url = parse(/^https?:/i.test(address) ? address : `https://${address}`);
	return url ? withoutWww(url.hostname) : '';
}

function looksLikeHost(text: string): boolean {
	return /^(?:[^\s/@]+@)?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}\.?(?::\d+)?(?:[/?#]\S*)?$/u.test(text) && !fileName.test(text);
}

const fileName =
	/^[^./]+\.(?:c|cc|cfg|conf|cpp|cs|css|csv|exe|gif|go|gz|h|hpp|html?|ini|java|jpe?g|js|json|jsx|kt|lock|log|lua|md|mjs|pdf|php|png|pl|py|rb|rs|sh|sql|svelte|svg|swift|tar|toml|ts|tsx|txt|vue|webp|xml|ya?ml|zig|zip)$/i;

function parse(address: string): URL | undefined {
	return URL.canParse(address) ? new URL(address) : undefined;
}

function withoutWww(host: string): string {
	return host.replace(/^www\./, '');
}
