import * as v from 'valibot';
import type { Removal } from '../../conversation/removal';
import { unfinishedAnswer } from './answers';
import { boundary } from './boundaries';
import type { Assert, Same, TableDefinition } from './definition';
import { id, text, time } from './fields';
import { message } from './messages';
import { session } from './sessions';
import { tip } from './trees';

const deleted = {
	/** The session's id, or the message's; a redaction's has `redacted:` before it, since that message can be deleted as well. */
	id,
	sessionId: id,
	/** Times of its deletion and of its purge. */
	at: time,
	purgeAt: time,
	/** Some of its rows are gone already: it can't be brought back any more. */
	begun: v.exactOptional(v.literal(true))
};

const removal = v.object({
	id,
	parentId: id,
	tips: v.tupleWithRest([tip], tip),
	headId: v.nullable(id),
	mainTip: v.nullable(id)
});

type _RemovalAgrees = Assert<Same<v.InferOutput<typeof removal>, Removal>>;

const ofSession = v.object({ ...deleted, kind: v.literal('session'), session });

const ofBranch = v.object({ ...deleted, kind: v.literal('branch'), removal, answer: v.exactOptional(unfinishedAnswer), secondAnswer: v.exactOptional(unfinishedAnswer) });

const ofWords = v.object({
	...deleted,
	kind: v.literal('redaction'),
	message,
	preview: text,
	title: text,
	edit: v.exactOptional(text),
	boundaries: v.exactOptional(v.array(boundary))
});

/** The content that a redaction took: what was said, what was made of it, an edit of it that was not sent, and the boundaries that covered it. */
export type Redaction = v.InferOutput<typeof ofWords>;

const kinds = v.variant('kind', [ofSession, ofBranch, ofWords]);

/**
 * Something that was deleted and can still be brought back. Deleting moves or marks one small row, whatever the size of what is
 * deleted; the message rows stay where they are until the item is purged.
 */
export type TrashItem = v.InferOutput<typeof kinds>;

/** Tells whether what is deleted is of the session that it says, and has the id that finds it again: purging goes by both. */
function isOfOne(item: TrashItem): boolean {
	if (item.kind === 'session') return item.id === item.sessionId && item.session.id === item.id;
	if (item.kind === 'branch') return item.id === item.removal.id;
	return item.id === `redacted:${item.message.id}` && [item.message, ...(item.boundaries ?? [])].every((row) => row.sessionId === item.sessionId);
}

export const trash = {
	schema: v.pipe(kinds, v.check(isOfOne, 'Its ids do not match.')),
	key: 'id',
	indexes: { 2: 'purgeAt, sessionId' },
	scope: 'session',
	sessionIndex: 'sessionId',
	purge: 'last',
	backup: 'conversation'
} as const satisfies TableDefinition<TrashItem>;
