import * as v from 'valibot';
import type { Role } from '../conversation/message';
import { isoTime } from '../shared/iso-time';
import type { Found, ToolPorts } from './ports';
import { errorResult, makeTool, type InputSchema, type Tool } from './tool';

const limits = { least: 1, most: 20, usual: 5 };

/** Number of hits that are looked at: most of them may be of the conversation that asks. */
const looked = 200;

/** System messages are no part of the index: they hold the prompts that a session ran under. What tools gave is not found, since it may be the words of another chat, which are gone there by now. */
const roles = ['user', 'assistant'] as const;

const input = v.object({
	query: v.pipe(v.string(), v.regex(/\S/)),
	limit: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(limits.least), v.maxValue(limits.most))),
	session_id: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
	role: v.exactOptional(v.picklist(roles))
});

const inputSchema: InputSchema = {
	type: 'object',
	properties: {
		query: {
			type: 'string',
			minLength: 1,
			description: 'Words that all have to be there. "Quotes" make a phrase, a minus before a word (-word) leaves out what has it.'
		},
		limit: {
			type: 'integer',
			minimum: limits.least,
			maximum: limits.most,
			default: limits.usual,
			description: 'How many results are given; the best come first.'
		},
		session_id: { type: 'string', minLength: 1, description: 'Searches in this session only.' },
		role: { type: 'string', enum: [...roles], description: 'Only messages of this role.' }
	},
	required: ['query'],
	additionalProperties: false
};

/** The output for the model. `role` is a message's only. */
export interface SessionSearchOutput {
	total: number;
	results: {
		id: string;
		kind: 'message' | 'title' | 'label' | 'note';
		session: string;
		session_title: string;
		score: number;
		snippet: string;
		role?: Role;
		/** ISO 8601, in UTC; null where the store holds no time that there is. */
		created_at: string | null;
	}[];
	/** Notes that the model needs to read the results rightly, as sentences. */
	note?: string;
}

/**
 * The tool `session_search` [E7]: full-text search over the sessions of this device, all branches. A limit that is out of
 * range is refused, as all input that the schema does not allow is.
 */
export function createTool({ search }: Pick<ToolPorts, 'search'>): Tool {
	return makeTool({
		name: 'session_search',
		description:
			'Searches the earlier conversations that are kept on this device, in every branch: messages, session titles, labels and notes. ' +
			'Call it when the user refers to something said before that is not in this conversation. The best results come first.',
		input,
		inputSchema,
		effect: 'read',
		async run({ query, limit = limits.usual, session_id: sessionId, role }, context) {
			// In what the model has before it, the words it looks for are a question.
			const isElsewhere = (hit: Found['hits'][number]) => sessionId !== undefined || hit.sessionId !== context.sessionId;
			const isSaid = (hit: Found['hits'][number]) => hit.role !== 'tool';
			const found = await search(query.trim(), {
				limit: looked,
				...(sessionId === undefined ? {} : { sessionId }),
				...(role === undefined ? {} : { role })
			}, context.signal);
			if (found.refused !== undefined) return errorResult(found.refused);
			const hits = found.hits.filter((hit) => isElsewhere(hit) && isSaid(hit));
			const total = found.total - (found.hits.length - hits.length);
			return { output: outputOf({ ...found, hits: hits.slice(0, limit), total }, found.correctionsIn(hits)), isError: false };
		}
	});
}

function outputOf(found: Found, corrections: ReturnType<Found['correctionsIn']>): SessionSearchOutput {
	const note = noteOn(found, corrections);
	return {
		total: found.total,
		results: found.hits.map(({ id, kind, sessionId, session, role, createdAt, score, snippet }) => ({
			id,
			kind,
			session: sessionId,
			session_title: session,
			score: Number(score.toFixed(3)),
			snippet: snippet.text,
			...(role === undefined ? {} : { role }),
			created_at: isoTime(createdAt)
		})),
		...(note === '' ? {} : { note })
	};
}

function noteOn({ progress }: Found, corrections: ReturnType<Found['correctionsIn']>): string {
	const sentences = corrections.map(({ word, to }) => `“${word}” is nowhere; in its place, the search took ${to.map((other) => `“${other}”`).join(', ')}.`);
	if (progress) sentences.push(`The search index is still being built: ${progress.done} of ${progress.total} messages are in it.`);
	return sentences.join(' ');
}
