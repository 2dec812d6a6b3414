import { between, joinFiles, joinTexts, without, type Unsent } from './unsent';

/**
 * Three-way merge: both `here` and `stored` came of `base`. What only one of them changed is taken from there; where both did,
 * as `mergeTexts` does. No word that either has added is lost, and what was taken away on one side stays away.
 */
export function mergeUnsent(base: Unsent, stored: Unsent, here: Unsent): Unsent {
	const [from, theirs, ours] = [base.edits ?? {}, stored.edits ?? {}, here.edits ?? {}];
	const edits: Record<string, string> = {};
	for (const id of Object.keys({ ...theirs, ...ours })) {
		const merged = mergeTexts(from[id], theirs[id], ours[id]);
		if (merged !== undefined) edits[id] = merged;
	}
	return {
		text: mergeTexts(base.text, stored.text, here.text),
		attachments: joinFiles(without(stored.attachments, without(base.attachments, here.attachments)), without(here.attachments, base.attachments)),
		...(Object.keys(edits).length > 0 ? { edits } : {})
	};
}

/** Tells whether all paragraphs of `part`, and its files, are in `all`. */
export function holdsUnsent(all: Unsent, part: Unsent): boolean {
	const apart = (text: string) => `${between}${text}${between}`;
	return (part.text.trim() === '' || apart(all.text).includes(apart(part.text))) && without(part.attachments, all.attachments).length === 0;
}

/**
 * Three-way merge of one text, as in `mergeUnsent`; undefined where there is none. Each side's change counts as one stretch of
 * lines, from its first to its last difference. Two that do not overlap both stay in place; of two that do, only the lines that they
 * are about are merged, and where both have changed a line, the line from here follows.
 */
export function mergeTexts<T extends string | undefined>(base: T, stored: T, here: T): T {
	if (here === base || here === stored) return stored;
	if (stored === base || stored === undefined) return here;
	if (here === undefined) return stored;
	if (base === undefined) return joinTexts(stored, here) as T;
	const lines = base.split('\n');
	const [theirs, ours] = [stored, here].map((text) => changeOf(lines, text.split('\n'))) as [LineChange, LineChange];
	const [from, to] = [Math.min(theirs.from, ours.from), Math.max(theirs.to, ours.to)];
	const stretchOf = (change: LineChange) => [...lines.slice(from, change.from), ...change.lines, ...lines.slice(change.to, to)];
	const [first, second] = ours.to <= theirs.from && ours.from < theirs.to ? [ours, theirs] : [theirs, ours];
	const merged =
		first.to <= second.from
			? [...first.lines, ...lines.slice(first.to, second.from), ...second.lines]
			: mergeStretches(lines.slice(from, to), stretchOf(theirs), stretchOf(ours));
	return [...lines.slice(0, from), ...merged, ...lines.slice(to)].join('\n') as T;
}

/** Merges lines that both have changed: one by one where there are as many as before, else those that are new here follow. */
function mergeStretches(base: string[], stored: string[], here: string[]): string[] {
	if (base.length > 1 && stored.length === base.length && here.length === base.length) {
		return base.map((line, at) => mergeTexts(line, stored[at]!, here[at]!));
	}
	const added = addedTo(base, here);
	// They may have been joined before.
	const joined = joinTexts(stored.join('\n'), added.startsWith(between) ? added.slice(between.length) : added);
	return stored.length + here.length > 0 ? joined.split('\n') : [];
}

/** Text that was put at the end of lines, or else the lines that are not those of before; those without a word stay between them. */
function addedTo(base: string[], here: string[]): string {
	const [before, text] = [base, here].map((lines) => lines.join('\n')) as [string, string];
	if (text.startsWith(before)) return text.slice(before.length);
	const left = new Map<string, number>();
	for (const line of base) left.set(line, (left.get(line) ?? 0) + 1);
	return here
		.filter((line) => {
			const times = left.get(line) ?? 0;
			left.set(line, times - 1);
			return times <= 0 || !/[\p{L}\p{N}]/u.test(line);
		})
		.join('\n');
}

/** The lines of a text, from `from` to `to`, in whose place another has others. */
interface LineChange {
	from: number;
	to: number;
	lines: string[];
}

function changeOf(base: string[], text: string[]): LineChange {
	const { from, same } = changedStretch(base, text);
	return { from, to: base.length - same, lines: text.slice(from, text.length - same) };
}

/** The stretch in which two texts differ, or two lists of lines: where it begins in both, and how much follows it that is the same. */
export function changedStretch(base: ArrayLike<string>, text: ArrayLike<string>): { from: number; same: number } {
	const shorter = Math.min(base.length, text.length);
	let from = 0;
	while (from < shorter && base[from] === text[from]) from++;
	let same = 0;
	while (same < shorter - from && base[base.length - 1 - same] === text[text.length - 1 - same]) same++;
	return { from, same };
}
