import { traitsOf, type ModelTraits } from '../../conversation/model-traits';

/** An error as a server says it. */
export interface SaidError {
	/** Its words; empty where there are none. */
	message: string;
	/** The protocol's own names for its kind, such as `rate_limit_error`. */
	code: string;
	/** The HTTP status that it stands for, where that is not the answer's own, as within a stream. */
	status?: number;
	/** Seconds to wait, where they are told elsewhere than in the header Retry-After, which few servers let a page read. */
	retryAfter?: number;
	/** True where the account has nothing left, so that to try again does not help. */
	noCredit?: boolean;
}

/** A model as a server lists it. Nothing of it is trusted yet. */
export interface ListedModel {
	id: unknown;
	traits: ModelTraits;
}

/** Things in which protocols differ where models are listed, a key is sent and failures are said. */
export interface ServerProtocol {
	/** A server that speaks it, as in “the address of an OpenAI-compatible server”. */
	server: string;
	/** The end that base URLs usually have, such as `/v1`. */
	version: string;
	/** The header that carries the API key, and what stands before the key in it. */
	key: { header: string; prefix?: string };
	/** Headers of every request. */
	headers?: Record<string, string>;
	/** A path that refuses a wrong key, where the list of models is given to everyone. */
	keyCheck?: string;
	/** The path of the list of models below the base URL, with its query. */
	list: string;
	/** Reads a list of models. Undefined for what is none. */
	models(content: unknown): ListedModel[] | undefined;
	/** Reads an error in the body of an answer, parsed where it is JSON, or in an event of a stream. */
	errorIn(content: unknown): SaidError;
	/** Matches the code and the words of an error that says that a prompt is too long. */
	contextFull: RegExp;
	/** Finds in such words how many tokens the model takes, as the first group. */
	window: RegExp;
}

/** The status of a server that can't take more for now. RFC 9110 has none for it; Anthropic's is used by others too. */
export const overloaded = 529;

/** Returns a field of what may be an object. */
export function field(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** The most entries of a list that are read: the largest catalogue there is has a few thousand. */
const maxModels = 10_000;

/** Reads the first entries of a list that a field has; undefined where it has none. */
export function entriesIn<T>(content: unknown, name: string, read: (entry: unknown) => T): T[] | undefined {
	const entries = field(content, name);
	return Array.isArray(entries) ? entries.slice(0, maxModels).map(read) : undefined;
}

/** Reads a status that an error's own code may be. */
export function statusIn(code: unknown): number | undefined {
	const status = Number(code);
	return status >= 400 && status < 600 ? status : undefined;
}

/**
 * Reads an error in any of the shapes that servers have which take OpenAI for their model: `{ error: { message, code, type } }`, `{ error }`,
 * `{ message }`, `{ detail }`, or words alone.
 */
export function commonError(content: unknown): SaidError {
	const error = field(content, 'error') ?? content;
	const message = [error, field(error, 'message'), field(content, 'message'), field(content, 'detail')].find((candidate) => typeof candidate === 'string');
	const codes = [field(error, 'code'), field(error, 'type'), field(error, 'status')].filter((code) => typeof code === 'string' || typeof code === 'number');
	const status = statusIn(field(error, 'statusCode')) ?? statusIn(field(error, 'code'));
	const noCredit = codes.includes('insufficient_quota') || status === 402;
	return { message: message ?? '', code: codes.join(' '), ...(status !== undefined && { status }), ...(noCredit && { noCredit }) };
}

/** OpenAI's own protocol as others took it over, each in its way. */
export const openAiLike: ServerProtocol = {
	server: 'an OpenAI-compatible server',
	version: '/v1',
	key: { header: 'authorization', prefix: 'Bearer ' },
	list: '/models',
	models: (content) => entriesIn(content, 'data', (entry) => ({ id: field(entry, 'id'), traits: traitsOf(entry) })),
	errorIn: commonError,
	contextFull: /context[ _-]?(length|window|size|limit)|maximum context|exceed.{0,40}context|prompt is too long|too many (input |prompt )?tokens/i,
	// As OpenAI, vLLM, llama.cpp and LM Studio say it.
	window: /(?:maximum context length is|context (?:length|size|window)(?: of| is| \(|:)?|n_ctx[ =:]+)\s*\(?([\d,]{3,10})/i
};
