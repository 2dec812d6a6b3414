import fc from 'fast-check';
import type { Message, Part, Role } from '../../conversation/message';

const fenceMarks = fc.constantFrom('```', '````', '~~~', '~~~~~');

/** Texts that quote the tag, hold pairs and marks, and fold to something else. */
export const prose = fc
	.array(
		fc.oneof(
			{ weight: 6, arbitrary: fc.constantFrom('We', 'moved', 'it', 'src/a.ts', 'because', 'é́', '👩‍🚀', '字', 'x'.repeat(60)) },
			{ weight: 1, arbitrary: fc.constantFrom('[COMPACTION SUMMARY]', '[COMPACTION', 'SUMMARY]', '\n', '\n\n', '\t', 'User:', '`code`') }
		),
		{ maxLength: 40 }
	)
	.map((words) => words.join(' '));

const code = fc.array(fc.constantFrom('let a;', '', '  b()', '~~', '``', 'y'.repeat(90)), { maxLength: 12 });

/** Fenced code as whole lines, without the last line end. Its own fence is not in it. */
export const fence = fc
	.tuple(fenceMarks, fc.constantFrom('', 'ts', 'python x'), code)
	.map(([marks, info, lines]) => [`${marks}${info}`, ...lines, marks].join('\n'));

export const markdown = fc.array(fc.oneof(prose, fence), { maxLength: 5 }).map((pieces) => pieces.join('\n'));

function messageOf(role: Role, parts: Part[]): Message {
	return { id: 'm', sessionId: 's', parentId: null, depth: 0, role, parts, createdAt: 1 };
}

const text = markdown.map((text): Part => ({ type: 'text', text }));
const call = fc
	.constantFrom('search', 'read_file')
	.map((toolName): Part => ({ type: 'tool-call', toolCallId: 'c', toolName, input: { path: 'src/a.ts' } }));
const result = fc
	.tuple(fc.oneof(markdown, fc.constant({ found: ['src/a.ts', 12] }), fc.constant(undefined)), fc.boolean())
	.map(([output, isError]): Part => ({ type: 'tool-result', toolCallId: 'c', toolName: 'search', output, isError }));
const other = fc.constantFrom<Part>(
	{ type: 'reasoning', text: 'Hm.' },
	{ type: 'file', attachmentId: 'a', mediaType: 'image/png', name: 'photo.png' },
	{ type: 'redacted', at: 1 },
	{ type: 'unreadable', reason: 'Broken.' }
);

export const message = fc.oneof(
	fc.array(fc.oneof({ weight: 4, arbitrary: text }, other), { maxLength: 3 }).map((parts) => messageOf('user', parts)),
	fc.array(fc.oneof({ weight: 4, arbitrary: text }, call, other), { maxLength: 4 }).map((parts) => messageOf('assistant', parts)),
	fc.array(result, { minLength: 1, maxLength: 2 }).map((parts) => messageOf('tool', parts))
);

/** The messages of a conversation, in any order of roles. */
export const messages = fc.array(message, { maxLength: 25 });

/** A message that says `text`. */
export function saying(role: 'user' | 'assistant', text: string): Message {
	return messageOf(role, [{ type: 'text', text }]);
}

export function returning(output: unknown, isError = false): Message {
	return messageOf('tool', [{ type: 'tool-result', toolCallId: 'c', toolName: 'search', output, isError }]);
}

export function made(role: Role, ...parts: Part[]): Message {
	return messageOf(role, parts);
}
