import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { amount, time } from './fields';

const sample = v.object({
	/** By length alone, without any factor. */
	raw: amount,
	/** The figure that the inspector gave. */
	shown: amount,
	/** The figure that the engine reported. */
	actual: amount,
	at: time
});

/** The estimate of one prompt, and what it took, in tokens. */
export type CalibrationSample = v.InferOutput<typeof sample>;

const calibration = v.object({
	model: v.pipe(v.string(), v.nonEmpty()),
	/** Oldest first, twenty at most. */
	samples: v.array(sample),
	/** The context window that the server named when a prompt was too long for it. */
	window: v.exactOptional(amount)
});

/** Figures that were learnt of a model's tokens, by its key. */
export type Calibration = v.InferOutput<typeof calibration>;

/** Comes again by use. What a file says of a model would count for all that is sent to it. */
export const calibrations = {
	schema: calibration,
	key: 'model',
	indexes: { 3: '' },
	scope: 'device',
	backup: 'former'
} as const satisfies TableDefinition<Calibration>;
