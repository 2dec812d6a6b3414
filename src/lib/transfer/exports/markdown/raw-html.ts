/**
 * The HTML block that a line starts (CommonMark 0.31 §4.6), or null. `endsAt` matches its last line, and `end` is a text
 * that does; a block without them ends before a blank line, and `end` is ''. The seventh kind cannot interrupt a paragraph.
 */
export function htmlBlockStart(line: string, inParagraph: boolean): { endsAt: RegExp | null; end: string } | null {
	const raw = /^<(script|pre|style|textarea)(?=[\s>]|$)/i.exec(line);
	if (raw) return { endsAt: /<\/(?:script|pre|style|textarea)>/i, end: `</${raw[1]!.toLowerCase()}>` };
	if (line.startsWith('<!--')) return { endsAt: /-->/, end: '-->' };
	if (line.startsWith('<?')) return { endsAt: /\?>/, end: '?>' };
	if (/^<![A-Za-z]/.test(line)) return { endsAt: />/, end: '>' };
	if (line.startsWith('<![CDATA[')) return { endsAt: /\]\]>/, end: ']]>' };
	const byName = /^<\/?([a-z][a-z0-9]*)(?=\s|\/?>|$)/i.exec(line);
	if (byName && blockNames.has(byName[1]!.toLowerCase())) return { endsAt: null, end: '' };
	return !inParagraph && aloneOnLine.test(line) ? { endsAt: null, end: '' } : null;
}

/** The pieces of raw HTML among the inline text of one block (CommonMark 0.31 §6.6), in order. */
export function inlineHtml(text: string): string[] {
	const pieces: string[] = [];
	const runs = backtickRuns(text);
	// What begins a comment or the like and finds no end is text, and its end is looked for only once.
	const unmatched = new Set<string>();
	let at = 0;
	while (at < text.length) {
		const char = text[at]!;
		if (char === '\\') {
			at += 2;
		} else if (char === '`') {
			at = afterCode(text, at, runs);
		} else if (char === '<') {
			autolink.lastIndex = inlineTag.lastIndex = at;
			const link = autolink.exec(text);
			const tag = link || endless(text, at, unmatched) ? null : inlineTag.exec(text);
			if (tag) pieces.push(tag[0]);
			at += (link ?? tag)?.[0].length ?? 1;
		} else {
			const next = text.slice(at).search(/[\\`<]/);
			if (next < 0) break;
			at += next;
		}
	}
	return pieces;
}

/**
 * Lines of HTML that close what `html`, the raw HTML of a document in order, leaves open: a comment, a tag that is broken
 * off, elements, innermost first. Not elements whose end tag may be left out, since their end is implied by what follows.
 * Two things are not followed as far as a browser would: what comes after a tag broken off within a quoted value, and a
 * comment within a script.
 */
export function stillOpen(html: string): string[] {
	const open = new OpenElements();
	const repairs: string[] = [];
	let at = html.indexOf('<');
	while (at >= 0) {
		const next = readMarkup(html, at, open);
		if (typeof next !== 'number') {
			repairs.push(next.repair);
			break;
		}
		at = html.indexOf('<', next);
	}
	return [...repairs, ...open.innermostFirst().map((name) => `</${name}>`)];
}

class OpenElements {
	/** In the order in which they began, the ended ones as ''. */
	private readonly names: string[] = [];
	/** The places of the open ones of each name. */
	private readonly places = new Map<string, number[]>();

	begin(name: string): void {
		const places = this.places.get(name);
		if (places) places.push(this.names.length);
		else this.places.set(name, [this.names.length]);
		this.names.push(name);
	}

	/** Ends the innermost one of that name, if there is one. */
	end(name: string): void {
		const place = this.places.get(name)?.pop();
		if (place !== undefined) this.names[place] = '';
	}

	innermostFirst(): string[] {
		return this.names.filter((name) => name !== '').reverse();
	}
}

/** Reads the markup at `at`, noting elements in `open`; where it ends, or what would end it. */
function readMarkup(html: string, at: number, open: OpenElements): number | { repair: string } {
	if (html.startsWith('<!--', at)) {
		const end = /^<!--(?:-?>|[\s\S]*?--!?>)/.exec(html.slice(at));
		return end ? at + end[0].length : { repair: '<!-- -->' };
	}
	if (/^<(?:[!?]|\/[^A-Za-z])/.test(html.slice(at, at + 3))) {
		// What Markdown knows as an instruction, a declaration or CDATA, a browser skips up to the first `>`.
		const end = html.indexOf('>', at);
		return end < 0 ? { repair: anyTagEnd } : end + 1;
	}
	tagStart.lastIndex = at;
	const start = tagStart.exec(html);
	if (!start) return at + 1;
	const [, slash, name] = start as unknown as [string, string, string];
	const element = name.toLowerCase();
	if (slash === '' && !noEndTag.has(element)) open.begin(element);
	tagRest.lastIndex = tagStart.lastIndex;
	if (!tagRest.test(html)) return { repair: anyTagEnd };
	let end = tagRest.lastIndex;
	if (slash !== '') {
		open.end(element);
	} else if (rawText.has(element)) {
		const close = html.slice(end).search(new RegExp(`</${element}(?=[\\s/>])`, 'i'));
		end = close < 0 ? html.length : end + close;
	}
	return end;
}

/** A tag broken off in a quoted value takes everything up to the next quotation mark: this has both, and an end. */
const anyTagEnd = `<!-- '"> -->`;

/** The places where the runs of each length of backticks begin, the last one first. */
function backtickRuns(text: string): Map<number, number[]> {
	const runs = new Map<number, number[]>();
	for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
		const starts = runs.get(run.length);
		if (starts) starts.push(index);
		else runs.set(run.length, [index]);
	}
	return runs;
}

/** Returns where the code span ends that begins at `at`, or the backticks there if it has no end. Takes the runs before it out of `runs`. */
function afterCode(text: string, at: number, runs: Map<number, number[]>): number {
	let start = at;
	while (text[start] === '`') start++;
	const ends = runs.get(start - at) ?? [];
	while (ends.at(-1)! < start) ends.pop();
	const end = ends.at(-1);
	return end === undefined ? start : end + start - at;
}

/** Tells whether at `at` something begins that only a mark later in the text could end, and no such mark follows. */
function endless(text: string, at: number, unmatched: Set<string>): boolean {
	const begin = /^<(?:!--|!\[CDATA\[|\?|![A-Za-z])/.exec(text.slice(at, at + 9))?.[0];
	if (!begin) return false;
	const end = specialEnds[begin] ?? '>';
	if (!unmatched.has(end) && text.indexOf(end, at) < 0) unmatched.add(end);
	return unmatched.has(end);
}

const specialEnds: Record<string, string> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' };

const attribute = `\\s+[A-Za-z_:][\\w:.-]*(?:\\s*=\\s*(?:[^\\s"'=<>\`]+|'[^']*'|"[^"]*"))?`;
const openTag = `<[A-Za-z][A-Za-z0-9-]*(?:${attribute})*\\s*/?>`;
const closeTag = `</[A-Za-z][A-Za-z0-9-]*\\s*>`;
const special = `<!---?>|<!--[\\s\\S]*?-->|<\\?[\\s\\S]*?\\?>|<![A-Za-z][^>]*>|<!\\[CDATA\\[[\\s\\S]*?\\]\\]>`;

const inlineTag = new RegExp(`${openTag}|${closeTag}|${special}`, 'y');
const aloneOnLine = new RegExp(`^(?:${openTag}|${closeTag})\\s*$`);
const autolink = /<[A-Za-z][A-Za-z0-9.+-]{1,31}:[^\s<>]*>/y;
const tagStart = /<(\/?)([A-Za-z][A-Za-z0-9-]*)/y;
// A quotation mark quotes only after an equals sign.
const tagRest = /(?:[^>=]|=\s*"[^"]*"|=\s*'[^']*'|=(?!\s*["']))*>/y;

const blockNames = new Set(
	[
		'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt',
		'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link',
		'main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead',
		'title tr track ul'
	]
		.join(' ')
		.split(' ')
);

/** Void elements, and those that end by themselves where something else begins. */
const noEndTag = new Set(
	[
		'area base basefont br col embed frame hr img input link meta param source track wbr',
		'html head body p li dt dd rt rp option optgroup thead tbody tfoot tr td th colgroup caption'
	]
		.join(' ')
		.split(' ')
);

/** Elements in which only their own end tag is markup. */
const rawText = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);
