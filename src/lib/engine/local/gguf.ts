import { AppError } from '../../shared/app-error';
import { formatBytes } from '../../shared/bytes';
import { sniffForeign } from './sniff-foreign';
import { tensorTypes } from './tensor-types';

/**
 * The header of a GGUF file, as far as choosing, loading and describing a model needs it. Context lengths are
 * in tokens, embedding, key and value lengths in numbers.
 */
export interface Gguf {
	architecture: string;
	name?: string;
	contextLength: number;
	layers: number;
	embeddingLength: number;
	heads: number;
	/** Heads of the key-value cache; of layers that differ, the most. */
	headsKv: number;
	keyLength: number;
	valueLength: number;
	chatTemplate?: string;
	/** Texts that the tokenizer turns into one control token, such as `<|im_end|>`. */
	controlTokens: string[];
	/** Number of weights in the file. */
	parameters: number;
	/** The number format of most of its bytes, such as `Q4_1`. */
	quantization: string;
}

/** The part of a `Blob` that a header is read from. */
export type GgufSource = Pick<Blob, 'size' | 'slice'>;

const firstWindow = 64 * 1024;
const maxHeaderSize = 64 * 1024 * 1024;
const maxEntries = 65_536;

/** The longest name of an architecture, in UTF-16 units: it is kept with the model. */
const maxArchitecture = 100;

/** The most tokens of a vocabulary: the largest of real models have a quarter of a million. */
const maxTokens = 1_000_000;

/**
 * The most control tokens: chat models have a few thousand at most, those that write sounds or pictures in tokens some
 * ten thousand. With more the file is refused, since one that was left out could end a turn.
 */
const maxControlTokens = 100_000;

/**
 * Reads the header of a GGUF file by slices, and checks that the file is one that can answer in a chat and is whole.
 * Throws AppErrors: `gguf-foreign` (another kind of file), `gguf-truncated`, `gguf-damaged`, `gguf-unsupported`.
 */
export function readGguf(file: GgufSource): Promise<Gguf> {
	return readHead(file, (head) => parseGguf(head, file.size));
}

/** Calls `read` with the values in the header of a file that `readGguf` has accepted before, and returns its result. */
export function readGgufValues<T extends object>(file: GgufSource, read: (header: Header, cursor: Cursor) => T): Promise<T> {
	return readHead(file, (head) => {
		return unlessShort(head, file.size, (cursor) => {
			cursor.skip(8);
			cursor.count('tensors');
			return read(readValues(cursor, cursor.count('values')), cursor);
		});
	});
}

/** Gives `parse` more and more of the first bytes, until it returns something. */
async function readHead<T>(file: GgufSource, parse: (head: Uint8Array) => T | undefined): Promise<T> {
	for (let window = firstWindow; ; window *= 4) {
		const head = new Uint8Array(await file.slice(0, Math.min(window, file.size, maxHeaderSize)).arrayBuffer());
		const parsed = parse(head);
		if (parsed !== undefined) return parsed;
	}
}

/**
 * The same from the first bytes of a file of `size` bytes; undefined where `head` is too short to tell and more is to
 * be had. Nothing is allocated or repeated on the word of the file beyond what `head` itself holds.
 */
export function parseGguf(head: Uint8Array, size: number): Gguf | undefined {
	if (head.length < Math.min(24, size)) return undefined;
	const foreign = sniffForeign(head);
	if (foreign)
		throw new AppError(
			'gguf-foreign',
			`This file is ${foreign}, not a GGUF model. Choose a file that ends in .gguf.`
		);
	return unlessShort(head, size, (cursor) => readHeader(cursor, size));
}

/** Returns the result of `read`, or undefined where it ran into the end of `head` and the file goes on. */
function unlessShort<T>(head: Uint8Array, size: number, read: (cursor: Cursor) => T): T | undefined {
	try {
		return read(new Cursor(head));
	} catch (error) {
		if (error !== windowEnd) throw error;
		if (head.length >= size) throw truncated(size);
		if (head.length >= maxHeaderSize) throw damaged('its header is longer than any model needs');
		return undefined;
	}
}

function readHeader(cursor: Cursor, size: number): Gguf {
	cursor.skip(4);
	const version = cursor.u32();
	if (version !== 2 && version !== 3) throw unsupported(versionReason(version));
	const tensorCount = cursor.count('tensors');
	const valueCount = cursor.count('values');
	const header = readValues(cursor, valueCount);
	refuseOtherKinds(header);
	const tensors = readTensors(cursor, tensorCount);
	const alignment = header.number('general.alignment') ?? 32;
	if (!Number.isInteger(Math.log2(alignment)) || alignment > 2 ** 20)
		throw damaged('its alignment is no power of two');
	const dataStart = Math.ceil(cursor.at / alignment) * alignment;
	if (dataStart + tensors.end > size) throw truncated(size, dataStart + tensors.end);
	return describe(header, tensors, cursor);
}

function describe(header: Header, tensors: Tensors, cursor: Cursor): Gguf {
	const architecture = header.text('general.architecture');
	if (!architecture) throw damaged('it does not name its architecture');
	if (architecture.length > maxArchitecture) throw damaged('the name of its architecture is longer than any model’s');
	const of = (key: string) => header.number(`${architecture}.${key}`);
	const heads = of('attention.head_count') ?? 0;
	const embeddingLength = of('embedding_length') ?? 0;
	const headLength = heads > 0 ? embeddingLength / heads : 0;
	const contextLength = of('context_length') ?? 0;
	if (!Number.isSafeInteger(contextLength) || contextLength < 1) throw damaged('it does not say how long a text it can take');
	const name = header.text('general.name');
	const chatTemplate = header.text('tokenizer.chat_template');
	return {
		architecture,
		...(name ? { name } : {}),
		contextLength,
		layers: of('block_count') ?? 0,
		embeddingLength,
		heads,
		headsKv: of('attention.head_count_kv') ?? heads,
		keyLength: of('attention.key_length') ?? headLength,
		valueLength: of('attention.value_length') ?? headLength,
		...(chatTemplate ? { chatTemplate } : {}),
		controlTokens: readControlTokens(cursor, header),
		parameters: tensors.parameters,
		quantization: tensors.quantization
	};
}

/** Files that are GGUF, but no chat model in one part. */
function refuseOtherKinds(header: Header): void {
	const architecture = header.text('general.architecture') ?? '';
	if ((header.number('split.count') ?? 1) > 1) {
		throw unsupported('one part of a model that was split into several. Choose a model in a single file');
	}
	if (architecture === 'clip' || header.text('general.type') === 'mmproj') {
		throw unsupported('the image part of a model (mmproj). Choose the language model itself');
	}
	if (header.text('general.type') === 'adapter') throw unsupported('an adapter, not a model. Choose the full model');
	if (/bert|t5encoder|embedding/.test(architecture) || (header.number(`${architecture}.pooling_type`) ?? 0) > 0) {
		throw unsupported('an embedding model, which cannot write answers. Choose a chat model');
	}
}

/** The place of an array: its first byte, and its number of items. */
export interface ArrayPlace {
	at: number;
	count: number;
}

/** The values of a header: single ones, short number arrays as their largest, and where the arrays of the tokenizer lie. */
export class Header {
	readonly values = new Map<string, string | number>();
	tokens?: ArrayPlace;
	tokenTypes?: ArrayPlace;
	merges?: ArrayPlace;

	text(key: string): string | undefined {
		const value = this.values.get(key);
		return typeof value === 'string' ? value : undefined;
	}

	number(key: string): number | undefined {
		const value = this.values.get(key);
		return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
	}
}

const string = 8;
const array = 9;

/** Reader and size in bytes of a value, by GGUF type id. */
const scalars: Record<number, { bytes: number; read(view: DataView, at: number): number }> = {
	0: { bytes: 1, read: (view, at) => view.getUint8(at) },
	1: { bytes: 1, read: (view, at) => view.getInt8(at) },
	2: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
	3: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
	4: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
	5: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
	6: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
	7: { bytes: 1, read: (view, at) => view.getUint8(at) },
	10: { bytes: 8, read: (view, at) => Number(view.getBigUint64(at, true)) },
	11: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
	12: { bytes: 8, read: (view, at) => view.getFloat64(at, true) }
};

function readValues(cursor: Cursor, count: number): Header {
	const header = new Header();
	for (let i = 0; i < count; i++) {
		const key = cursor.text();
		const type = cursor.u32();
		if (type === array) readArray(cursor, key, header);
		else if (type === string) header.values.set(key, cursor.text());
		else header.values.set(key, cursor.scalar(type));
	}
	return header;
}

function readArray(cursor: Cursor, key: string, header: Header): void {
	const type = cursor.u32();
	const count = cursor.u64();
	const found = { at: cursor.at, count };
	if (key === 'tokenizer.ggml.tokens' && type === string) {
		if (count > maxTokens) throw damaged(`it claims ${count} tokens`);
		header.tokens = found;
	}
	if (key === 'tokenizer.ggml.merges' && type === string) header.merges = found;
	if (key === 'tokenizer.ggml.token_type' && (type === 4 || type === 5)) header.tokenTypes = found;
	if (type === string) {
		for (let i = 0; i < count; i++) cursor.skip(cursor.u64());
		return;
	}
	const scalar = scalars[type];
	if (!scalar) throw damaged(`it holds a list of an unknown kind (${type})`);
	cursor.skip(count * scalar.bytes);
	// Per-layer numbers, such as attention heads; the largest is what memory must be there for.
	if (count > 0 && count <= 1024) {
		let largest = -Infinity;
		for (let i = 0; i < count; i++)
			largest = Math.max(largest, scalar.read(cursor.view, found.at + i * scalar.bytes));
		header.values.set(key, largest);
	}
}

/** Kinds of tokens that are found in a text before it is cut up. */
export const controlType = 3;
export const userDefinedType = 4;

/** User-defined tokens count where they look like markup: some converters store their turn marks so. */
export function readControlTokens(cursor: Cursor, { tokens, tokenTypes }: Header): string[] {
	if (!tokens || !tokenTypes) return [];
	const found: string[] = [];
	cursor.at = tokens.at;
	for (let i = 0; i < tokens.count && i < tokenTypes.count; i++) {
		const type = cursor.view.getInt32(tokenTypes.at + 4 * i, true);
		const length = cursor.u64();
		const at = cursor.skip(length);
		if (type !== controlType && (type !== userDefinedType || !isMarkup(cursor.view, at, length))) continue;
		if (found.length === maxControlTokens) throw damaged(`it has more than ${maxControlTokens} control tokens`);
		found.push(cursor.textAt(at, length));
	}
	return found;
}

/** Tells whether a text has brackets around it. By its bytes, since texts that are decoded in their millions stall the page. */
function isMarkup(view: DataView, at: number, length: number): boolean {
	return length > 2 && '<['.includes(letterAt(view, at)) && '>]'.includes(letterAt(view, at + length - 1));
}

function letterAt(view: DataView, at: number): string {
	return String.fromCharCode(view.getUint8(at));
}

interface Tensors {
	/** The first byte after the last tensor, counted from the start of the data. */
	end: number;
	parameters: number;
	quantization: string;
}

function readTensors(cursor: Cursor, count: number): Tensors {
	let end = 0;
	let parameters = 0;
	const bytesOf = new Map<string, number>();
	for (let i = 0; i < count; i++) {
		cursor.skip(cursor.u64());
		const dimensions = cursor.u32();
		if (dimensions > 4) throw damaged('a tensor has more than four dimensions');
		let elements = 1;
		for (let d = 0; d < dimensions; d++) elements *= cursor.u64();
		const id = cursor.u32();
		const type = tensorTypes[id];
		if (!type)
			throw unsupported(
				`stored in a number format (${id}) that the engine does not know. Choose another quantization`
			);
		const bytes = Math.ceil(elements / type.block) * type.bytes;
		end = Math.max(end, cursor.u64() + bytes);
		parameters += elements;
		bytesOf.set(type.name, (bytesOf.get(type.name) ?? 0) + bytes);
	}
	if (!Number.isSafeInteger(end) || !Number.isSafeInteger(parameters))
		throw damaged('its tensors have impossible sizes');
	const most = [...bytesOf].reduce((a, b) => (b[1] > a[1] ? b : a), ['', -1]);
	if (most[1] < 0) throw unsupported('without any weights, such as a vocabulary alone. Choose a full model');
	return { end, parameters, quantization: most[0] };
}

/** Thrown where the window ends before the header does; never leaves `parseGguf`. */
const windowEnd = Symbol('end of window');

const utf8 = new TextDecoder();

/** Reads a header from its first bytes on. */
export class Cursor {
	at = 0;
	readonly view: DataView;

	constructor(private readonly bytes: Uint8Array) {
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	skip(length: number): number {
		const start = this.at;
		if (length > this.bytes.length - start) throw windowEnd;
		this.at += length;
		return start;
	}

	u32(): number {
		return this.view.getUint32(this.skip(4), true);
	}

	u64(): number {
		const value = Number(this.view.getBigUint64(this.skip(8), true));
		if (!Number.isSafeInteger(value)) throw damaged('it holds an impossible length');
		return value;
	}

	count(what: string): number {
		const count = this.u64();
		if (count > maxEntries) throw damaged(`it claims ${count} ${what}`);
		return count;
	}

	scalar(type: number): number {
		const scalar = scalars[type];
		if (!scalar) throw damaged(`it holds a value of an unknown kind (${type})`);
		return scalar.read(this.view, this.skip(scalar.bytes));
	}

	text(): string {
		const length = this.u64();
		return this.textAt(this.skip(length), length);
	}

	textAt(at: number, length: number): string {
		return utf8.decode(this.bytes.subarray(at, at + length));
	}
}

function versionReason(version: number): string {
	const swapped = version >>> 24;
	return version % 2 ** 16 === 0 && swapped > 0
		? 'stored for big-endian machines. Choose the usual little-endian file'
		: `in version ${version} of the GGUF format, but versions 2 and 3 are understood. Choose a newer conversion`;
}

function unsupported(reason: string): AppError {
	return new AppError('gguf-unsupported', `This GGUF file is ${reason}.`);
}

function damaged(reason: string): AppError {
	return new AppError('gguf-damaged', `This GGUF file is damaged: ${reason}. Download it again.`);
}

function truncated(size: number, whole?: number): AppError {
	const missing = whole
		? `it has ${formatBytes(size)} of at least ${formatBytes(whole)}`
		: `it ends after ${formatBytes(size)}`;
	return new AppError(
		'gguf-truncated',
		`This GGUF file is not complete: ${missing}. Download it again.`
	);
}
