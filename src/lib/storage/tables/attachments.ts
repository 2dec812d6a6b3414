import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { count, id, text, time } from './fields';

const extract = v.object({
	text: v.blob(),
	characters: count,
	/** Number of parts of the document, how many of them are in the text, and their name. */
	parts: count,
	read: count,
	unit: v.exactOptional(v.picklist(['page', 'slide', 'sheet', 'chapter'])),
	/** False where the text is the beginning only. */
	whole: v.boolean()
});

/** The text of a document, which models are sent in the place of the file. */
export type Extract = v.InferOutput<typeof extract>;

const attachment = v.object({
	/** The SHA-256 of its content in lower-case hex. */
	id,
	mediaType: text,
	bytes: count,
	content: v.blob(),
	/** A small picture of an image. */
	thumbnail: v.exactOptional(v.blob()),
	/** There for a document, and for nothing else. */
	extract: v.exactOptional(extract),
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
