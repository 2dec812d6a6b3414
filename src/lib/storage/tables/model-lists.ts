import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { id, text, time } from './fields';

const modelList = v.object({ providerId: id, models: v.array(text), traits: v.exactOptional(v.record(text, text)), at: time });

/** The models of a server by name, as it last listed them, and what it said of some of them. It comes again when the server is asked. */
export type ModelListRow = v.InferOutput<typeof modelList>;

export const modelLists = {
	schema: modelList,
	key: 'providerId',
	indexes: { 10: '' },
	scope: 'device'
} as const satisfies TableDefinition<ModelListRow>;
