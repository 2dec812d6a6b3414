import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { count, id, text, time } from './fields';

const model = v.object({
	id,
	name: text,
	/** The name of its file, without the ending. */
	fileName: v.exactOptional(text),
	/** The size of its file. */
	bytes: count,
	/** The hash of its file, in lower-case hex. */
	sha256: text,
	architecture: text,
	/** In tokens, as the file says. */
	contextLength: count,
	hasChatTemplate: v.boolean(),
	/** The address that it was downloaded from. */
	url: v.exactOptional(text),
	createdAt: time
});

/** A model on this device. The row is written after its file `<id>.gguf` in OPFS is whole and checked, so a row means a usable file. */
export type LocalModel = v.InferOutput<typeof model>;

export const models = {
	schema: model,
	key: 'id',
	indexes: { 1: '' },
	scope: 'device'
} as const satisfies TableDefinition<LocalModel>;
