import * as v from 'valibot';
import type { Session } from '../../conversation/session';
import type { Assert, Same, TableDefinition } from './definition';
import { amount, count, id, text, time, usage } from './fields';

export const session = v.object({
	id,
	key: text,
	title: text,
	titledBy: v.picklist(['snug', 'user']),
	workspace: text,
	surface: text,
	persona: v.exactOptional(text),
	preview: text,
	provider: text,
	model: text,
	status: v.picklist(['running', 'success', 'partial', 'waiting', 'failed', 'interrupted']),
	stopReason: text,
	stopCode: v.exactOptional(text),
	steps: count,
	messageCount: count,
	bytes: amount,
	usage,
	filesTouched: v.array(text),
	budgetUsd: v.exactOptional(amount),
	pinned: v.picklist([0, 1]),
	archived: v.picklist([0, 1]),
	createdAt: time,
	updatedAt: time,
	extra: v.exactOptional(v.object({ alias: v.exactOptional(text), truncated: v.exactOptional(v.boolean()) }))
});

type _SessionAgrees = Assert<Same<v.InferOutput<typeof session>, Session>>;

export const sessions = {
	schema: session,
	key: 'id',
	indexes: {
		1: 'key, updatedAt, [workspace+updatedAt]',
		2: 'key, updatedAt, [pinned+updatedAt], [workspace+pinned+updatedAt], [surface+pinned+updatedAt], [workspace+surface+pinned+updatedAt]',
		11: 'key, updatedAt, [pinned+updatedAt], [archived+pinned+updatedAt], [workspace+archived+pinned+updatedAt], [surface+archived+pinned+updatedAt], [workspace+surface+archived+pinned+updatedAt]'
	},
	scope: 'session',
	isSearchable: true,
	purge: 'trashed',
	repair: 'rebuild-session',
	backup: 'conversation'
} as const satisfies TableDefinition<Session>;
