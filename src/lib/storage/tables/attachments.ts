import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { count, id, text, time } from './fields';

const attachment = v.object({
	/** The SHA-256 of its content in lower-case hex. */
	id,
	mediaType: text,
	bytes: count,
	content: v.blob(),
	/** A small picture of an image. */
	thumbnail: v.exactOptional(v.blob()),
	createdAt: time
});

/** A file that was attached, kept once however often it is used [S11]. One that nothing uses is swept. */
export type Attachment = v.InferOutput<typeof attachment>;

export const attachments = {
	schema: attachment,
	key: 'id',
	indexes: { 2: '' },
	scope: 'shared',
	backup: 'with-messages'
} as const satisfies TableDefinition<Attachment>;
