/** A call as a model wrote it. `input` is JSON, or what stood in its place: whoever runs calls says what is wrong with it. */
export interface WrittenCall {
	toolName: string;
	input: string;
}

/** Calls, and the text after them. */
export interface WrittenCalls {
	calls: WrittenCall[];
	rest: string;
}

/** Tells whether a parameter of a tool is text: where values have no quotation marks, `7` may be a number or not. */
export type IsText = (toolName: string, parameter: string) => boolean;

/** A way in which models write calls. */
export interface ToolFormat {
	/** The mark before a call; undefined where an answer that begins with an object is one. */
	open?: string;
	/** The mark after a call; undefined where nothing comes after calls. */
	close?: string;
	/** Reads what stands after the first mark. Undefined where it is no call. */
	read(body: string, isText: IsText): WrittenCalls | undefined;
	/** Reads a call of which the input is broken. */
	readBroken?(body: string): WrittenCall | undefined;
}

/** Qwen 2.5 and 3, Hermes, SmolLM3: `<tool_call>{"name": "f", "arguments": {}}</tool_call>`. Qwen3-Coder and 3.5 have elements in it. */
export const tagged: ToolFormat = {
	open: '<tool_call>',
	close: '</tool_call>',
	read: (body, isText) => whole(readElements(body, isText) ?? readObjects(body)),
	readBroken: (body) => {
		const name = /"name"\s*:\s*"([^"\\]+)"/.exec(body);
		const key = /"(?:arguments|parameters)"\s*:\s*/.exec(body);
		if (!name) return undefined;
		const from = key ? key.index + key[0].length : body.length;
		const end = objectEnd(body, from);
		return { toolName: name[1]!, input: end === undefined ? body.slice(from).trim() : body.slice(from, end) };
	}
};

/** Llama 3.1 and 3.2: the answer is `{"name": "f", "parameters": {}}`, or several of them; first may come `<|python_tag|>`. */
export const bare: ToolFormat = { read: (body) => readObjects(body.trimStart().replace(/^<\|python_tag\|>/, ''), true) };

/** Mistral: `[TOOL_CALLS][{"name": "f", "arguments": {}}]`; later models write `[TOOL_CALLS]f[ARGS]{}`. */
export const listed: ToolFormat = {
	open: '[TOOL_CALLS]',
	read: (body) => {
		const read = body.split('[TOOL_CALLS]').map((one) => whole(readNamedObject(one) ?? readObjects(one)));
		return read.every((one) => one !== undefined) ? { calls: read.flatMap(({ calls }) => calls), rest: '' } : undefined;
	}
};

/** Gemma 4: `<|tool_call>call:f{city:<|"|>Bonn<|"|>}<tool_call|>`. */
export const gemma: ToolFormat = { open: '<|tool_call>', close: '<tool_call|>', read: (body) => readLoose(body, '<|"|>') };

/** FunctionGemma: the same with other marks. */
export const functionGemma: ToolFormat = { open: '<start_function_call>', close: '<end_function_call>', read: (body) => readLoose(body, '<escape>') };

const pythonTag = '<|python_tag|>';

/** Tells whether an answer begins as `bare` has it; undefined while it can go either way. */
export function beginsBare(answer: string): boolean | undefined {
	let text = answer.trimStart();
	if (pythonTag.startsWith(text)) return undefined;
	if (text.startsWith(pythonTag)) text = text.slice(pythonTag.length).trimStart();
	const key = /^\{\s*"([^"]*)"/.exec(text)?.[1];
	if (key !== undefined) return ['name', 'type', 'function', 'parameters', 'arguments'].includes(key);
	return text === '' || /^\{\s*(?:"[a-z]{0,10})?$/.test(text) ? undefined : false;
}

/** Returns calls after which there is nothing more. */
function whole(read: WrittenCalls | undefined): WrittenCalls | undefined {
	return read && /^[\s,;\]]*$/.test(read.rest) ? { ...read, rest: '' } : undefined;
}

/** Reads objects that are calls, one after the other or as a list. */
function readObjects(body: string, needInput = false): WrittenCalls | undefined {
	const calls: WrittenCall[] = [];
	let at = 0;
	for (;;) {
		const start = at + /^[\s,;[\]]*/.exec(body.slice(at))![0].length;
		const end = objectEnd(body, start);
		const call = end === undefined ? undefined : toCall(parsed(body.slice(start, end)), needInput);
		if (end === undefined || !call) break;
		calls.push(call);
		at = end;
	}
	return calls.length > 0 ? { calls, rest: body.slice(at) } : undefined;
}

function toCall(value: unknown, needInput: boolean): WrittenCall | undefined {
	if (!isRecord(value)) return undefined;
	const { name, arguments: input = value.parameters } = isRecord(value.function) ? value.function : value;
	if (typeof name !== 'string' || name === '' || (input === undefined && needInput)) return undefined;
	return { toolName: name, input: typeof input === 'string' ? input : JSON.stringify(input ?? {}) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads `f[ARGS]{}`. Its mark is a control token, which the engine may leave out. */
function readNamedObject(body: string): WrittenCalls | undefined {
	const head = /^\s*([\w.-]+)(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?\s*(?=\{)/.exec(body);
	const end = head && objectEnd(body, head[0].length);
	const input = end ? body.slice(head[0].length, end) : '';
	return end && parsed(input) !== undefined ? { calls: [{ toolName: head[1]!, input }], rest: body.slice(end) } : undefined;
}

/** Reads `<function=f><parameter=p>value</parameter></function>`. */
function readElements(body: string, isText: IsText): WrittenCalls | undefined {
	const [, toolName, content] = /^\s*<function=([^>\s]+)>(.*)<\/function>\s*$/su.exec(body) ?? [];
	if (toolName === undefined || content === undefined) return undefined;
	const input: [string, unknown][] = [];
	const [open, close] = ['<parameter=', '</parameter>'];
	let at = 0;
	for (let next; (next = content.indexOf(open, at)) >= 0; ) {
		const nameEnd = content.indexOf('>', next);
		const end = nameEnd < 0 ? -1 : content.indexOf(close, nameEnd);
		const name = content.slice(next + open.length, Math.max(nameEnd, 0));
		if (end < 0 || !/^\S+$/.test(name) || content.slice(at, next).trim() !== '') return undefined;
		const value = content.slice(nameEnd + 1, end).replace(/^\n/, '').replace(/\n$/, '');
		input.push([name, isText(toolName, name) ? value : valueOf(value)]);
		at = end + close.length;
	}
	return content.slice(at).trim() === '' ? { calls: [{ toolName, input: JSON.stringify(Object.fromEntries(input)) }], rest: '' } : undefined;
}

/** Reads `call:f{key:value}`, where texts stand between `quote` marks. */
function readLoose(body: string, quote: string): WrittenCalls | undefined {
	const head = /^\s*call:([\w.-]+)\s*(?=\{)/.exec(body);
	const read = head && looseValue(body, head[0].length, quote);
	return read && body.slice(read.end).trim() === '' ? { calls: [{ toolName: head[1]!, input: JSON.stringify(read.value) }], rest: '' } : undefined;
}

interface LooseValue {
	value: unknown;
	end: number;
}

/** A model has no reason to nest deeper. */
const deepest = 50;

function looseValue(text: string, at: number, quote: string, depth = 0): LooseValue | undefined {
	if (text.startsWith(quote, at)) {
		const end = text.indexOf(quote, at + quote.length);
		return end < 0 ? undefined : { value: text.slice(at + quote.length, end), end: end + quote.length };
	}
	const close = { '{': '}', '[': ']' }[text[at] ?? ''];
	if (close === undefined) {
		const word = /^[^,{}[\]]+/.exec(text.slice(at))?.[0];
		return word === undefined ? undefined : { value: valueOf(word), end: at + word.length };
	}
	const entries: [string, unknown][] = [];
	let next = at + 1;
	for (;;) {
		next += /^[\s,]*/.exec(text.slice(next))![0].length;
		if (text[next] === close) return { value: close === '}' ? Object.fromEntries(entries) : entries.map(([, value]) => value), end: next + 1 };
		const key = close === '}' ? looseKey(text, next, quote) : { value: '', end: next };
		const item = key && depth < deepest ? looseValue(text, key.end, quote, depth + 1) : undefined;
		if (!key || !item) return undefined;
		entries.push([key.value, item.value]);
		next = item.end;
	}
}

function looseKey(text: string, at: number, quote: string): { value: string; end: number } | undefined {
	const end = text.indexOf(':', at);
	return end < 0 ? undefined : { value: text.slice(at, end).replaceAll(quote, '').trim(), end: end + 1 };
}

function parsed(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}

/** Returns what a text without quotation marks stands for. */
function valueOf(text: string): unknown {
	return text.trim() === 'null' ? null : (parsed(text) ?? text.trim());
}

/** Returns the place after the object that begins at `start`; undefined where none does, or where it has no end. */
function objectEnd(text: string, start: number): number | undefined {
	if (text[start] !== '{') return undefined;
	let depth = 0;
	for (let at = start; at < text.length; at++) {
		if (text[at] === '"') at = stringEnd(text, at);
		else if (text[at] === '{') depth++;
		else if (text[at] === '}' && --depth === 0) return at + 1;
	}
	return undefined;
}

/** Returns the place of the quotation mark that ends the string which begins at `start`, or that of the end of the text. */
function stringEnd(text: string, start: number): number {
	let at = start + 1;
	while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at;
}

/** Tells of places in a text, from first to last, whether they are within a string of the object that it begins with. */
export class StringScanner {
	private at = 0;
	private isWithin = false;
	private isObject: boolean | undefined;

	/** Tells whether the place `end` of the text, which may have grown, is within a string. */
	isInString(text: string, end: number): boolean {
		if (!(this.isObject ??= /^\s*\{/.test(text))) return false;
		for (; this.at < end; this.at++) {
			const letter = text[this.at];
			if (letter === '"') this.isWithin = !this.isWithin;
			else if (letter === '\\' && this.isWithin) this.at++;
		}
		return this.isWithin;
	}
}
