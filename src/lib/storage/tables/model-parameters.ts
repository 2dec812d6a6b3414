import * as v from 'valibot';
import type { ModelParameters } from '../../conversation/model-parameters';
import { parameterLimits, reasoningEfforts, stopLimits } from '../../conversation/parameter-limits';
import type { Assert, Same } from './definition';
import { count, text, within } from './fields';

const { temperature, topP, maxTokens, seed } = parameterLimits;
const { texts, length } = stopLimits;

/** The one check of parameters: of rows that are written, read or imported, and of what is typed. */
export const modelParameters = v.object({
	temperature: v.exactOptional(within(v.number(), temperature)),
	topP: v.exactOptional(within(v.number(), topP)),
	maxTokens: v.exactOptional(within(count, maxTokens)),
	reasoningEffort: v.exactOptional(v.picklist(reasoningEfforts)),
	stop: v.exactOptional(v.pipe(v.array(v.pipe(text, v.regex(new RegExp(`^.{1,${length}}$`)))), v.check((all) => all.length > 0 && all.length <= texts))),
	seed: v.exactOptional(within(count, seed))
});

type _ModelParametersAgree = Assert<Same<v.InferOutput<typeof modelParameters>, ModelParameters>>;
