import * as v from 'valibot';
import { maxPresetName } from '../../conversation/preset';
import type { TableDefinition } from './definition';
import { text, time } from './fields';
import { modelParameters } from './model-parameters';

export const presetName = v.pipe(text, v.regex(new RegExp(`^\\S(.{0,${maxPresetName - 2}}\\S)?$`)));

const preset = v.object({
	name: presetName,
	/** As it was typed; empty where none is to be sent. */
	systemPrompt: text,
	/** All that it sets: a parameter that is not here is left to the defaults. */
	parameters: v.exactOptional(modelParameters),
	createdAt: time
});

/** Settings of a model under a name: a system prompt and parameters, which the user puts in the place of those of a chat. */
export type Preset = v.InferOutput<typeof preset>;

export const presets = {
	schema: preset,
	key: 'name',
	indexes: { 11: '' },
	scope: 'shared',
	backup: 'add-missing'
} as const satisfies TableDefinition<Preset>;
