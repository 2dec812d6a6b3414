import { beginsBare, StringScanner, type IsText, type ToolFormat, type WrittenCall, type WrittenCalls } from './tool-formats';

/** Piece of an answer with calls in it. */
export type AnswerPiece = { type: 'text'; delta: string } | ({ type: 'tool-call' } & WrittenCall);

/**
 * Reads an answer as it comes, cut anywhere, and tells calls from text. Each letter is in a call or in the text, but for blanks around
 * calls. What only looks like a call stays text, and so does half a call at the end.
 */
export class ToolCallReader {
	/** Letters that are not told yet, without the mark of the call that they may be. */
	private held = '';
	/** The place in a call up to which the mark of its end was looked for. */
	private searched = 0;
	private strings = new StringScanner();
	private place: 'start' | 'text' | 'call';
	/** Blanks at the start, or after a call: another call may come. */
	private blanks = '';
	private isAfterCall = false;
	private isTelling = false;
	private pieces: AnswerPiece[] = [];

	constructor(
		private readonly format: ToolFormat,
		private readonly isText: IsText = () => true
	) {
		this.place = format.open === undefined ? 'start' : 'text';
	}

	/** Returns what can be told now that `delta` is there. */
	push(delta: string): AnswerPiece[] {
		this.held += delta;
		while (this.step(false));
		return this.take();
	}

	/** Returns what is left. */
	end(): AnswerPiece[] {
		while (this.step(true));
		if (this.place === 'call') this.settle(this.held, undefined);
		else this.tell(this.held);
		if (!this.isAfterCall && !this.isTelling) this.add(this.blanks);
		return this.take();
	}

	/** Goes on to the next mark. Returns false where there is none yet. */
	private step(isEnd: boolean): boolean {
		const { open, close } = this.format;
		if (this.place === 'call') return close !== undefined && this.readCall(close, isEnd);
		if (this.place === 'start') return this.begin();
		const at = open === undefined ? -1 : this.held.indexOf(open);
		const told = at < 0 ? this.held.length - (open === undefined ? 0 : overlap(this.held, open)) : at;
		this.tell(this.held.slice(0, told));
		this.held = this.held.slice(at < 0 ? told : told + open!.length);
		this.searched = 0;
		this.strings = new StringScanner();
		if (at >= 0) this.place = 'call';
		return at >= 0;
	}

	private begin(): boolean {
		const isCall = beginsBare(this.held);
		if (isCall !== undefined) this.place = isCall ? 'call' : 'text';
		return isCall === false;
	}

	/** Reads a call up to its mark. Within a string the mark is a part of that, if the string has an end. */
	private readCall(close: string, isEnd: boolean): boolean {
		let at = this.held.indexOf(close, this.searched);
		while (at >= 0 && this.strings.isInString(this.held, at)) at = this.held.indexOf(close, at + 1);
		if (at < 0) this.searched = Math.max(0, this.held.length - close.length + 1);
		const end = at < 0 && isEnd ? this.held.indexOf(close) : at;
		if (end < 0) return false;
		this.place = 'text';
		this.settle(this.held.slice(0, end), close);
		this.held = this.held.slice(end + close.length);
		return true;
	}

	/** Tells what stood after a mark, up to `close` if that came. */
	private settle(body: string, close: string | undefined): void {
		const { open } = this.format;
		const read = this.format.read(body, this.isText);
		if (read) return this.tellCalls(read);
		// The mark may have been a word of the text before the mark of a call.
		const again = open === undefined ? -1 : body.lastIndexOf(open);
		if (open !== undefined && again >= 0) {
			this.tell(open + body.slice(0, again));
			return this.settle(body.slice(again + open.length), close);
		}
		const broken = close === undefined ? undefined : this.format.readBroken?.(body);
		if (broken) this.tellCalls({ calls: [broken], rest: '' });
		else this.tell((open ?? '') + body + (close ?? ''));
	}

	private tellCalls({ calls, rest }: WrittenCalls): void {
		this.pieces.push(...calls.map((call) => ({ type: 'tool-call' as const, ...call })));
		this.blanks = '';
		this.isTelling = false;
		this.isAfterCall = true;
		this.tell(rest);
	}

	private tell(text: string): void {
		const told = this.isTelling ? text : this.blanks + text;
		if (!this.isTelling && told.trim() === '') {
			this.blanks = told;
			return;
		}
		this.isTelling = true;
		this.add(told);
	}

	private add(delta: string): void {
		if (delta !== '') this.pieces.push({ type: 'text', delta });
	}

	private take(): AnswerPiece[] {
		const { pieces } = this;
		this.pieces = [];
		return pieces;
	}
}

/** Returns the number of letters at the end of a text with which `mark` may begin. */
function overlap(text: string, mark: string): number {
	let length = Math.min(text.length, mark.length - 1);
	while (!mark.startsWith(text.slice(text.length - length))) length--;
	return length;
}
