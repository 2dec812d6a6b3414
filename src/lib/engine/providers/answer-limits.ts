import type { MetadataExtractor } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { ConnectionFailure } from '../../shared/egress';
import { SecretRedactor } from '../../shared/redact-secret';
import { shorten } from '../../shared/shorten';
import { endsWords, isKnown } from './known-parts';
import { Signatures } from './signatures';

/** The most that is read of an answer, in UTF-16 units, of its text and of its reasoning each: several times what any model writes. */
export const maxAnswer = 2 ** 20;

/** The most tools that an answer may call. */
export const maxToolCalls = 128;

/** The most pieces of tool calls of one event, and of an answer. */
const maxPiecesAtOnce = 1024;
const maxPieces = 100_000;

/** The most that reading pieces may take: at each, the SDK parses what its call has until then. In UTF-16 units. */
const maxParsed = 2e9;

/** Reads each event before the SDK takes it in, which compares every piece of a tool call with all calls before it. */
export const toolCallLimit: MetadataExtractor = {
	extractMetadata: () => Promise.resolve(undefined),
	createStreamExtractor() {
		let pieces = 0;
		let length = 0;
		let parsed = 0;
		return {
			processChunk(event) {
				const calls = (event as { choices?: { delta?: { tool_calls?: unknown } | null }[] }).choices?.[0]?.delta?.tool_calls;
				if (!Array.isArray(calls)) return;
				pieces += calls.length;
				if (calls.length > maxPiecesAtOnce || pieces > maxPieces) throw new ConnectionFailure('too-large');
				for (const call of calls as ({ function?: { arguments?: unknown } | null } | null)[]) {
					const text = call?.function?.arguments;
					if (typeof text === 'string') length += text.length;
					parsed += length;
				}
				if (parsed > maxParsed) throw new ConnectionFailure('too-large');
			},
			buildMetadata: () => undefined
		};
	}
};

/** The longest name of a tool, and the longest id of a call. */
const maxName = 200;

type Delta = Extract<LanguageModelV4StreamPart, { delta: string }>;

const isDelta = (part: LanguageModelV4StreamPart): part is Delta => 'delta' in part && typeof part.delta === 'string';

/**
 * The parts of a server's answer without its API key, up to a length that can be stored and drawn. What would be longer ends there
 * as at the model's own limit, and the connection is closed.
 */
export function limitedAnswer(stream: ReadableStream<LanguageModelV4StreamPart>, apiKey: string | undefined): ReadableStream<LanguageModelV4StreamPart> {
	const reader = stream.getReader();
	/** For what comes whole: to make one of a long key takes a while. */
	let whole: SecretRedactor | undefined;
	const redactor = () => (whole ??= new SecretRedactor(apiKey));
	const signatures = new Signatures((json) => redactor().redactJson(json) !== json);
	const lengths = new Map<Delta['type'], number>();
	const redactors = new Map<Delta['type'], { redactor: SecretRedactor; last: Delta }>();

	/** Returns the parts that waited for more of their kind, whatever came between: text and reasoning are each put together to one. */
	const waiting = (): LanguageModelV4StreamPart[] => {
		const ended = [...redactors.values()];
		redactors.clear();
		return ended.map(({ redactor, last }) => ({ ...last, delta: redactor.end() })).filter(({ delta }) => delta !== '');
	};

	return new ReadableStream({
		async pull(controller) {
			for (let enqueued = false; !enqueued; ) {
				const { done, value } = await reader.read();
				const part = value && signatures.take(value);
				const parts = !part || part.type === 'finish' || part.type === 'error' || endsWords(part) ? waiting() : [];
				if (part && isDelta(part)) {
					const before = lengths.get(part.type) ?? 0;
					const { redactor } = redactors.get(part.type) ?? { redactor: new SecretRedactor(apiKey) };
					redactors.set(part.type, { redactor, last: part });
					const delta = redactor.next(part.delta.slice(0, maxAnswer - before));
					if (delta !== '') parts.push({ ...part, delta });
					lengths.set(part.type, before + part.delta.length);
					if (before + part.delta.length > maxAnswer) {
						for (const last of [...parts, ...waiting(), cutOff]) controller.enqueue(last);
						controller.close();
						await reader.cancel().catch(() => undefined);
						return;
					}
				} else if (part && isKnown(part)) {
					parts.push(part.type === 'tool-call' ? withoutSecret(part, redactor()) : part);
				}
				for (const next of parts) controller.enqueue(next);
				if (done) {
					controller.close();
					return;
				}
				enqueued = parts.length > 0;
			}
		},
		cancel: (reason) => reader.cancel(reason)
	});
}

/** Returns a call without the API key, with names that a file of rows may have. */
function withoutSecret(call: LanguageModelV4ToolCall, redactor: SecretRedactor): LanguageModelV4ToolCall {
	const name = (text: string) => shorten(redactor.redact(text), maxName);
	return { ...call, toolCallId: name(call.toolCallId), toolName: name(call.toolName), input: redactor.redactJson(call.input) };
}

const cutOff: LanguageModelV4StreamPart = {
	type: 'finish',
	finishReason: { unified: 'length', raw: undefined },
	usage: {
		inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
		outputTokens: { total: undefined, text: undefined, reasoning: undefined }
	}
};
