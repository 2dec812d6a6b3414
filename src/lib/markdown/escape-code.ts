/**
 * Characters that have no look of their own, or turn the text around them: with them, code reads otherwise than it runs. Joiners count
 * only after ASCII, since scripts and emoji need them.
 */
const unseen =
	/(?:[\p{Bidi_Control}\u00ad\u115f\u1160\u180e\u200b\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{e0000}-\u{e0fff}]|\u034f|\u17b4|\u17b5|(?<=[\0-\x7f])[\u200c\u200d])+/gu;

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A part of a code; `name` where nothing of it could be seen. */
export interface CodePiece {
	text: string;
	name?: string;
}

/** Returns HTML that shows `code` as it is, with names for what could not be seen in it; its text content stays the same. */
export function escapeCode(code: string): string {
	return splitCode(code).map(pieceHtml).join('');
}

function pieceHtml({ text, name }: CodePiece): string {
	if (name !== undefined) return `<span class="unseen" title="${name}">${text}</span>`;
	return text.replace(/[&<>]/g, (char) => entities[char as keyof typeof entities]);
}

/** Cuts `code` where something could not be seen. */
export function splitCode(code: string): CodePiece[] {
	const pieces: CodePiece[] = [];
	let at = 0;
	for (const { 0: run, index } of code.matchAll(unseen)) {
		if (index > at) pieces.push({ text: code.slice(at, index) });
		pieces.push({ text: run, name: nameOfRun(run) });
		at = index + run.length;
	}
	if (at < code.length) pieces.push({ text: code.slice(at) });
	return pieces;
}

function nameOfRun(run: string): string {
	const [first, ...more] = run;
	const name = `U+${first!.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
	return more.length === 0 ? name : `${name} +${more.length}`;
}
