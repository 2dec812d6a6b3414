/** Returns the line that opens the fenced code in which a Markdown text ends, with its line break; '' where it ends in none (CommonMark 0.31 §4.5, outside of quotations). */
export function openFence(text: string): string {
	let open: { line: string; marks: string } | undefined;
	for (const line of text.split('\n')) {
		const [, marks, info] = /^[ \t]*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
		if (marks === undefined || info === undefined) continue;
		if (!open) {
			if (marks[0] === '~' || !info.includes('`')) open = { line, marks };
		} else if (marks.startsWith(open.marks) && info.trim() === '') open = undefined;
	}
	return open ? `${open.line.trimStart()}\n` : '';
}
