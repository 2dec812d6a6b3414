import * as v from 'valibot';
import { id, text } from './fields';

/** A model on this device, one of a server's, or the one that the browser itself has. */
export const source = v.variant('kind', [
	v.object({ kind: v.literal('on-device'), modelId: id }),
	v.object({ kind: v.literal('server'), providerId: id, model: text }),
	v.object({ kind: v.literal('browser') })
]);

/** The source of answers, as rows name it. */
export type Source = v.InferOutput<typeof source>;
