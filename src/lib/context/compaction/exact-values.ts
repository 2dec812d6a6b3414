/** An address with a scheme. The bound keeps what is tried at each place short. */
const address = /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>"'`{}|\\^“”‘’\u3000-\u303f\uff00-\uffef]+/gi;

/** A token that holds no other value. Brackets and colons are looked at later: paths of routes have the ones, times the others. */
const token = /[^\s"'`<>{}|*=;“”„‘’«»…–—\u3000-\u303f\uff00-\uffef\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu;

/** A comma that does not set off thousands. */
const listComma = /(?<!\d),|,(?!\d{3}(?!\d))/;

/** The most values of a summary, which has some hundred words, that are looked for. */
const maxValues = 1000;

/** The longest token; what is longer is data. */
const maxTokenLength = 4096;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const hash = /^(?=.*\d)(?=.*[a-f])(?:0x)?[0-9a-f]{7,}$|^0x[0-9a-f]+$/i;
const instant = /^\d{4}-\d\d-\d\d[T_]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const version = /^v?\d+(?:\.\d+)+(?:[-+][0-9a-z.-]+)?$|^v\d+$/i;
const mailbox = /^[\p{L}\p{N}._%+-]+@[\p{L}\p{N}][\p{L}\p{N}.:/_~-]*$/u;
const path = /^(?:[a-z]:(?=[\\/]))?[\p{L}\p{N}_@.+~$%#&()[\]\\/-]+$/iu;
const fileName = /^[\p{L}\p{N}_@.+~$%#-]+\.(?:[a-z][a-z0-9]{0,7}|[A-Z][A-Z0-9]{0,3})$|^\.[a-z][a-z0-9._-]+$/u;
const identifier = /^(?=.*\d)\p{L}[\p{L}\p{N}]*(?:[-_.][\p{L}\p{N}]+)+$|^[A-Z]{1,5}\d{2,}$/u;
const figure = /^(\d+(?:[.,:/'_-]\d+)*)([%‰°]?[a-zµ]{0,4})$/i;

const units = new Set(
	[
		['%', '‰', '°', '°c', '°f', 'x', 'k', 'm', 'b', 's', 'h', 'd', 'w', 'v', 'g', 'l'],
		['ns', 'us', 'µs', 'ms', 'sec', 'secs', 'min', 'mins', 'hrs'],
		['px', 'em', 'rem', 'pt', 'vh', 'vw', 'kb', 'mb', 'gb', 'tb', 'kib', 'mib', 'gib', 'tib', 'hz', 'khz', 'mhz', 'ghz', 'fps', 'kw', 'kwh'],
		['mm', 'cm', 'km', 'mg', 'kg', 'ml', 'eur', 'usd']
	].flat()
);

/**
 * Finds the values that a text names exactly: addresses, paths, file names, ids, hashes, versions, dates, numbers of two digits or with a
 * unit. Each is there once, as it is written in the text, in the order of the text. No value goes over whitespace.
 */
export function valuesIn(text: string): string[] {
	const values = new Set<string>();
	let from = 0;
	for (const match of text.matchAll(address)) {
		addFrom(text.slice(from, match.index), values);
		values.add(withoutTrail(match[0]));
		from = match.index + match[0].length;
	}
	addFrom(text.slice(from), values);
	return [...values];
}

/**
 * The values of a summary that what it stands for does not have [S6]. `occurs` says whether a text is in there, letter by
 * letter; a number is also looked for with its thousands set off in another way, and apart from its unit. Of more values than a summary names
 * the first are looked for.
 */
export async function unverifiedValues(summary: string, occurs: (value: string) => Promise<boolean>): Promise<string[]> {
	const unverified: string[] = [];
	for (const value of valuesIn(summary).slice(0, maxValues)) if (!(await someOccurs(formsOf(value), occurs))) unverified.push(value);
	return unverified;
}

async function someOccurs(forms: string[], occurs: (form: string) => Promise<boolean>): Promise<boolean> {
	for (const form of forms) if (await occurs(form)) return true;
	return false;
}

function addFrom(text: string, values: Set<string>): void {
	for (const [run] of text.matchAll(token)) {
		for (const piece of run.split(listComma)) addToken(piece, values);
	}
}

function addToken(run: string, values: Set<string>): void {
	if (run.length > maxTokenLength) return;
	const text = withoutTrail(withoutLead(run));
	if (text === '') return;
	if (text.includes('](') || (/[()[\]]/.test(text) && !isRoute(text))) {
		for (const piece of text.split(/[()[\]]+/)) addToken(piece, values);
		return;
	}
	if ([uuid, hash, instant, version, mailbox].some((form) => form.test(text)) || isPath(text) || isFileName(text)) {
		values.add(text);
	} else if (figure.test(text)) {
		addFigure(text, values);
	} else if (text.includes(':')) {
		for (const piece of text.split(':')) addToken(piece, values);
	} else if (identifier.test(text)) {
		values.add(text);
	} else {
		for (const [digits] of text.matchAll(/\d+(?:[.,]\d+)*/g)) addFigure(digits, values);
	}
}

function addFigure(text: string, values: Set<string>): void {
	const [, digits, unit] = figure.exec(text)!;
	if (unit !== '' && units.has(unit!.toLowerCase())) values.add(text);
	else if (digits!.length > 1) values.add(digits!);
}

/** Tells whether it has slashes, a letter, and something that alternatives such as “and/or” do not have. */
function isPath(text: string): boolean {
	if (!path.test(text) || !/[\\/]/.test(text) || !/\p{L}/u.test(text)) return false;
	const isRooted = /^(?:[\\/@]|~[\\/]|\.{1,2}[\\/]|[a-z]:)/i.test(text);
	const steps = text.split(/[\\/]/);
	return isRooted || steps.length > 2 || steps.at(-1) === '' || isFileName(steps.at(-1)!);
}

/** Tells whether it is a name with an ending, and not an abbreviation such as “e.g”. */
function isFileName(text: string): boolean {
	return fileName.test(text) && /[\p{L}\p{N}]{2}/u.test(text);
}

/** Tells whether all brackets begin and end a step of a path: `src/routes/(app)/[id]/+page.ts`. */
function isRoute(text: string): boolean {
	return /[\\/]/.test(text) && text.split(/[\\/]/).every((step) => /^(?:[^()[\]]*|\([^()[\]]+\)|\[{1,2}[^()[\]]+\]{1,2})$/.test(step));
}

function withoutLead(text: string): string {
	const bare = text.replace(/^(?:[)\]:,!?#^≈±+$€£¥-]|~(?![\\/])|\.(?=\.\.))+/, '');
	return /^[([]/.test(bare) && !isRoute(bare) ? bare.replace(/^[()[\]:,!?#^≈±+$€£¥-]+/, '') : bare;
}

/** Without the punctuation that ends a sentence, and without brackets that close what is open before. */
function withoutTrail(text: string): string {
	let end = text.length;
	const open = { ')': countOf(text, '(') - countOf(text, ')'), ']': countOf(text, '[') - countOf(text, ']') };
	for (; end > 0; end--) {
		const last = text[end - 1]!;
		if (last === ')' || last === ']') {
			if (open[last] >= 0) break;
			open[last]++;
		} else if (!/[.,:;!?…*_#^~+-]/.test(last)) {
			break;
		}
	}
	return text.slice(0, end);
}

function countOf(text: string, sign: string): number {
	return text.split(sign).length - 1;
}

/** In which ways a value may be written elsewhere. */
function formsOf(value: string): string[] {
	const [, whole, rest, unit] = /^(\d{1,30}(?:[,'_]\d{3}){0,9})((?:\.\d+)?)(\D{0,5})$/.exec(value) ?? [];
	if (whole === undefined) return [value];
	const digits = whole.replace(/\D/g, '');
	const grouped = [',', '.', ' ', '\u00a0', '\u202f', "'", '_'].map((mark) => digits.replace(/\B(?=(?:\d{3})+$)/g, mark));
	const numbers = [whole, digits, ...grouped];
	const ends = unit === '' ? [''] : [unit!, ` ${unit!}`, `\u00a0${unit!}`];
	return [...new Set([value, ...numbers.flatMap((number) => ends.map((end) => number + rest! + end))])];
}
