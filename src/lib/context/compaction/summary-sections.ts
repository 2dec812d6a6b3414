import { sectionNames, sectionTitles, summaryPrompt, summaryWords, type SectionName } from './summary-prompt';
import { withoutTag } from './tag';

/** The bullets of a summary, each on one line. */
export type Sections = Record<SectionName, string[]>;

const headings: Record<SectionName, string[]> = {
	files: ['files modified', 'modified files', 'files changed', 'changed files', 'file changes', 'files touched', 'files'],
	decisions: ['key decisions', 'decisions', 'decisions made', 'decisions and preferences', 'preferences', 'user preferences'],
	values: ['important values', 'values', 'key values', 'exact values', 'important details', 'key facts', 'facts', 'errors'],
	state: ['current state', 'state', 'current status', 'status', 'progress', 'summary', 'overview'],
	tasks: [
		...['pending tasks', 'tasks', 'open tasks', 'remaining tasks', 'remaining work', 'pending', 'next steps', 'next step'],
		...['todo', 'todos', 'to do', 'to-do', 'action items']
	]
};

const sectionByHeading = new Map(sectionNames.flatMap((name) => headings[name].map((heading) => [heading, name] as const)));

const bullet = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;

/**
 * Reads what a model wrote, whatever it made of the form: headings of any kind or none, synonyms, bullets or not, its
 * thoughts, a fence around it all. What stands under no heading that is known is current state. What `writeSections`
 * wrote is read as it was meant.
 */
export function parseSections(text: string): Sections {
	const sections = emptySections();
	const lines = withoutThoughts(text).split(/\r\n|[\r\n]/);
	const isExact = sectionNames.every((name) => lines.includes(`## ${sectionTitles[name]}`));
	let section: SectionName = 'state';
	let hasHeading = false;
	let isBullet = false;
	for (const line of lines) {
		const heading = isExact ? exactHeading(line) : headingIn(line);
		if (heading) {
			// Before the first heading, a line like “Here is the summary:” only leads there.
			if (!hasHeading) sections.state = sections.state.filter((lead) => !lead.endsWith(':'));
			hasHeading = true;
			section = heading.section;
		}
		const told = heading ? heading.rest : /^\s*(?:`{3,}|~{3,})\s*(?:[\w-]+\s*)?$/.test(line) ? '' : line;
		const isMarked = bullet.test(told);
		const words = folded(told.replace(bullet, ''));
		const list = sections[section];
		if (isBullet && !isMarked && !heading && /^\s/.test(told) && words !== '') list.push(`${list.pop()!} ${words}`);
		else if (words !== '') list.push(words);
		isBullet = words !== '';
	}
	return mapSections((name) => sections[name].map(withoutTag).filter((words) => !isNothing(words)));
}

/** The summaries of pieces, in their order, as one: each bullet once, and the current state as the last one knows it. */
export function mergeSections(list: Sections[]): Sections {
	const state = list.findLast((sections) => sections.state.length > 0)?.state ?? [];
	return mapSections((name) => distinct(name === 'state' ? state : list.flatMap((sections) => sections[name])));
}

/**
 * The summary as Markdown, always with its five headings, in fewer than `maxWords` words: where there are more, the
 * oldest bullets of the longest section go, and a bullet that is alone loses its end.
 */
export function writeSections(sections: Sections, maxWords = summaryWords): string {
	const kept = shortened(sections, maxWords);
	const texts = sectionNames.map((name) => {
		const bullets = kept[name].length > 0 ? kept[name] : ['None'];
		return [`## ${sectionTitles[name]}`, ...bullets.map((words) => `- ${words}`)].join('\n');
	});
	return withoutTag(texts.join('\n\n'));
}

/** Tells whether it says anything: no useful summary is shorter than 8 words, goes round in circles, or repeats what was asked. */
export function isUseful(sections: Sections): boolean {
	const all = sectionNames.flatMap((name) => sections[name]);
	const once = distinct(all);
	if (all.length >= 4 && once.length <= all.length / 3) return false;
	const { system, user } = summaryPrompt('', { piece: 1, pieces: 1 });
	const asked = keyOf(`${system} ${user}`);
	const words = once.filter((words) => !asked.includes(keyOf(words))).flatMap(wordsIn);
	const different = new Set(words.map((word) => word.toLowerCase())).size;
	return words.length >= 8 && different >= 5 && different >= words.length / 8;
}

/** So many lines or sentences in a row that were all there before are a circle. */
const circle = 6;

/** Tells when a text that is still being written only says again what it has said: the smallest models may do so without end. */
export class CircleWatch {
	/** The words that have no end yet. */
	private open = '';
	private readonly last: string[] = [];
	private readonly before = new Set<string>();

	/** Takes in what is written next; true while the text goes in circles. */
	add(delta: string): boolean {
		const pieces = delta.split(/[\n.!?;]/);
		pieces[0] = this.open + pieces[0]!;
		this.open = pieces.pop()!;
		for (const piece of pieces) this.end(keyOf(piece.replace(bullet, '')));
		return this.last.length === circle && this.last.every((piece) => this.before.has(piece));
	}

	private end(piece: string): void {
		if (isNothing(piece)) return;
		if (this.last.length === circle) this.before.add(this.last.shift()!);
		this.last.push(piece);
	}
}

function emptySections(): Sections {
	return mapSections(() => []);
}

function mapSections(bulletsOf: (name: SectionName) => string[]): Sections {
	return Object.fromEntries(sectionNames.map((name) => [name, bulletsOf(name)])) as Sections;
}

/** Without what a model thinks before it answers; of a thought without its beginning or its end, that is all on that side. */
function withoutThoughts(text: string): string {
	const pieces = text.split(/<\/think(?:ing)?>/i).map((piece) => {
		const start = piece.search(/<think(?:ing)?>/i);
		return { said: start < 0 ? piece : piece.slice(0, start), isBegun: start >= 0 };
	});
	const from = pieces.findLastIndex(({ isBegun }, index) => !isBegun && index < pieces.length - 1) + 1;
	return pieces
		.slice(from)
		.map(({ said }) => said)
		.join('\n');
}

function exactHeading(line: string): { section: SectionName; rest: string } | undefined {
	const section = sectionNames.find((name) => line === `## ${sectionTitles[name]}`);
	return section && { section, rest: '' };
}

/**
 * The section that a line begins, with what it says of it on the same line: `### 1. **Files:** a.ts`. A line of a list
 * that goes on after a synonym is not a heading.
 */
function headingIn(line: string): { section: SectionName; rest: string } | undefined {
	const marks = /^[\s>]*(?:#{1,6}\s*)?(?:[-*+•]\s+)?(?:\d{1,3}[.)]\s*)?[*_]{0,3}/.exec(line)![0];
	const bare = line.slice(marks.length);
	const colon = bare.indexOf(':');
	const title = colon < 0 ? bare : bare.slice(0, colon);
	const rest = colon < 0 ? '' : bare.slice(colon + 1).replace(/^[*_]{1,3}(?=\s|$)/, '').trim();
	// Looks for a run of marks only where one begins: a line may be nothing else.
	const words = folded(title.replace(/(?<![*_#])[*_#]+\s*$/, '')).toLowerCase();
	const section = sectionByHeading.get(words);
	if (section) {
		const isLoud = /#|[*_]$/.test(marks) || words === sectionTitles[section].toLowerCase();
		return bullet.test(line) && rest !== '' && !isLoud ? undefined : { section, rest };
	}
	return /#\s/.test(marks) ? { section: 'state', rest: '' } : undefined;
}

function folded(text: string): string {
	return text.trim().replace(/\s+/g, ' ');
}

function keyOf(words: string): string {
	return folded(words).toLowerCase();
}

function isNothing(words: string): boolean {
	return /^[\p{P}\s]*(?:(?:none|nothing|n\/a|not applicable)[\p{P}\s]*)?$/iu.test(words);
}

function distinct(bullets: string[]): string[] {
	const byKey = new Map<string, string>();
	for (const words of bullets) if (!byKey.has(keyOf(words))) byKey.set(keyOf(words), words);
	return [...byKey.values()];
}

/** Words as people count them; where a script has no spaces, each of its characters is one. */
const word = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{N}][^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]*/gu;

function wordsIn(text: string): string[] {
	return text.match(word) ?? [];
}

interface Counted {
	bullets: string[];
	counts: number[];
	/** Counts: bullets that are gone, the oldest first; and the words of the others, as `size`. */
	gone: number;
	size: number;
}

function shortened(sections: Sections, maxWords: number): Sections {
	const lists = sectionNames.map((name): Counted => {
		const counts = sections[name].map((words) => wordsIn(words).length);
		return { bullets: sections[name], counts, gone: 0, size: counts.reduce((sum, count) => sum + count, 0) };
	});
	const headingWords = wordsIn(Object.values(sectionTitles).join(' ')).length;
	// An empty section says “None”.
	let over = lists.reduce((sum, { size }) => sum + Math.max(1, size), headingWords) - maxWords + 1;
	while (over > 0) {
		const longest = lists.reduce((a, b) => (b.size > a.size ? b : a));
		if (longest.size <= 1) break;
		over -= longest.bullets.length - longest.gone > 1 ? dropOldest(longest) : dropEnd(longest, over);
	}
	return Object.fromEntries(sectionNames.map((name, index) => [name, lists[index]!.bullets.slice(lists[index]!.gone)])) as Sections;
}

/** Drops the oldest entry and returns the number of its words. */
function dropOldest(list: Counted): number {
	const words = list.counts[list.gone++]!;
	list.size -= words;
	return words;
}

/** Shortens the only bullet that is left by so many words, but leaves one, and says how many are gone. */
function dropEnd(list: Counted, words: number): number {
	const left = Math.max(1, list.size - words);
	const over = list.size - left;
	const bullet = list.bullets[list.gone]!;
	const last = [...bullet.matchAll(word)][left - 1]!;
	list.bullets = [`${bullet.slice(0, last.index + last[0].length)}…`];
	list.gone = 0;
	list.counts = [left];
	list.size = left;
	return over;
}
