import * as v from 'valibot';
import type { Message, Role } from '../conversation/message';
import { textOfTypes } from '../conversation/part-text';
import { isoTime } from '../shared/iso-time';
import { characterStart } from '../shared/shorten';
import type { ToolPorts } from './ports';
import { errorResult, makeTool, type InputSchema, type Tool } from './tool';

const limits = { least: 1, most: 50, usual: 20 };

/** The most characters of one message, and of all of a result. */
const longestMessage = 8_000;
const longestResult = 40_000;

const input = v.object({
	session_id: v.pipe(v.string(), v.nonEmpty()),
	until: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
	limit: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(limits.least), v.maxValue(limits.most)))
});

const inputSchema: InputSchema = {
	type: 'object',
	properties: {
		session_id: { type: 'string', minLength: 1, description: 'The session, as session_search gives it.' },
		until: {
			type: 'string',
			minLength: 1,
			description: 'The id of the last message to read, in whichever branch it is: a result of session_search, or `earlier` of another call. Left out, the newest messages are read.'
		},
		limit: { type: 'integer', minimum: limits.least, maximum: limits.most, default: limits.usual, description: 'How many messages are read, back from there.' }
	},
	required: ['session_id'],
	additionalProperties: false
};

/** The output for the model. */
export interface SessionReadOutput {
	title: string;
	/** Oldest first. */
	messages: { id: string; role: Role; created_at: string | null; text: string }[];
	/** The message before these, as `until` of the next call. */
	earlier?: string;
}

/** The tool `session_read`: messages of a session of this device, in any branch. System prompts are no part of it. */
export function createTool({ readSession }: Pick<ToolPorts, 'readSession'>): Tool {
	return makeTool({
		name: 'session_read',
		description:
			'Reads messages of an earlier conversation that is kept on this device. Call it with what session_search found when the lines it gives are not enough.',
		input,
		inputSchema,
		effect: 'read',
		async run({ session_id, until, limit = limits.usual }) {
			const found = await readSession(session_id, { limit, ...(until === undefined ? {} : { until }) });
			if (!found) return errorResult('There is no such session, or no such message in it. Take both ids from session_search.');
			return { output: outputOf(found), isError: false };
		}
	});
}

/** The newest messages that have room, each as far as it has. */
function outputOf({ title, messages }: { title: string; messages: Message[] }): SessionReadOutput {
	const read: SessionReadOutput['messages'] = [];
	let room = longestResult;
	for (const { id, role, createdAt, parts } of messages.toReversed()) {
		if (role === 'system') continue;
		const said = textOfTypes(parts, role === 'tool' ? ['redacted', 'unreadable'] : ['text', 'file', 'redacted', 'unreadable']);
		if (said === '') continue;
		const text = cut(said, Math.min(longestMessage, room));
		room -= text.length;
		read.unshift({ id, role, created_at: isoTime(createdAt), text });
		if (room < longestMessage / 8) break;
	}
	// Where none of these says anything, those before may.
	const earlier = (messages.find(({ id }) => id === read[0]?.id) ?? messages[0])?.parentId;
	return { title, messages: read, ...(earlier ? { earlier } : {}) };
}

function cut(text: string, length: number): string {
	if (text.length <= length) return text;
	const end = characterStart(text, length);
	return `${text.slice(0, end)} [… ${text.length - end} more characters]`;
}
