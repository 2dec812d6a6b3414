import * as v from 'valibot';
import { id, text } from './fields';

/** A model on this device, or one of a server's. */
export const source = v.variant('kind', [
	v.object({ kind: v.literal('on-device'), modelId: id }),
	v.object({ kind: v.literal('server'), providerId: id, model: text })
]);

/** The source of answers, as rows name it. */
export type Source = v.InferOutput<typeof source>;
