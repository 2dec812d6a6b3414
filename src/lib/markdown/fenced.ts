/** A stretch of a text: as it was written, or the code within a fence. */
export type Stretch = { text: string } | { code: string; info: string };

/** The most fences of a text that are told apart; what follows is text. */
const maxFences = 50;

const opening = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})([^]*)$/;
const closing = /^ {0,3}(`{3,}|~{3,})\s*$/;

/** Cuts a text where fences of code begin and end. Everything else stays as it was written, but for empty lines next to a fence; so does a fence without an end. */
export function stretchesOf(text: string): Stretch[] {
	const lines = text.split('\n');
	const stretches: Stretch[] = [];
	let next = 0;
	let fence: { at: number; mark: string; info: string } | undefined;
	const addText = (end: number) => {
		let [from, to] = [next, end];
		if (stretches.length > 0) while (from < to && isEmpty(lines[from]!)) from++;
		if (end < lines.length) while (from < to && isEmpty(lines[to - 1]!)) to--;
		if (from < to) stretches.push({ text: lines.slice(from, to).join('\n') });
	};
	for (let at = 0, fences = 0; at < lines.length && fences < maxFences; at++) {
		const line = lines[at]!;
		if (!fence) {
			const [, mark, info] = opening.exec(line) ?? [];
			if (mark !== undefined) fence = { at, mark, info: info!.trim() };
			continue;
		}
		const [, mark] = closing.exec(line) ?? [];
		if (!mark?.startsWith(fence.mark)) continue;
		addText(fence.at);
		stretches.push({ code: lines.slice(fence.at + 1, at).join('\n'), info: fence.info });
		next = at + 1;
		fences++;
		fence = undefined;
	}
	addText(lines.length);
	return stretches;
}

/** The mark of a list item. */
const item = /^\s*(?:[-+*]|\d+[.)])\s/;

/** A fence right behind the mark of a list item or a quotation. */
const withinBlock = /^\s*(?:[-+*>]|\d+[.)])\s.*(?:`{3}|~{3})/;

/** Returns the line that opens the code in which a text ends, with its line break; '' where it ends in none, or where it can't be told without reading lists and quotations. */
export function openFence(text: string): string {
	let open: { line: string; mark: string } | undefined;
	let isInList = false;
	for (const line of text.split('\n')) {
		if (open && !isEmpty(line) && indentOf(line) < indentOf(open.line)) {
			if (!isInList) return '';
			// What stands further left ends the item of a list, and the code in it.
			open = undefined;
		}
		if (!open && item.test(line)) isInList = true;
		const [, mark] = (open ? closing : opening).exec(line) ?? [];
		if (!open && withinBlock.test(line)) return '';
		if (mark === undefined) continue;
		if (!open) open = { line, mark };
		else if (mark.startsWith(open.mark)) open = undefined;
	}
	return open ? `${open.line.trimStart()}\n` : '';
}

function indentOf(line: string): number {
	return line.length - line.trimStart().length;
}

/** Returns Markdown that is this code and nothing else, whatever is in it. */
export function fenceOf({ code, info }: Extract<Stretch, { code: string }>): string {
	const longest = Math.max(2, ...Array.from(code.matchAll(/`{3,}/g), ([run]) => run.length));
	const mark = '`'.repeat(longest + 1);
	return `${mark}${info.replaceAll('`', '')}\n${code}\n${mark}`;
}

function isEmpty(line: string): boolean {
	return line.trim() === '';
}
