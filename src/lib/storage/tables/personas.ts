import * as v from 'valibot';
import { maxPersonaName } from '../../conversation/persona';
import type { TableDefinition } from './definition';
import { text, time } from './fields';
import { modelParameters } from './model-parameters';
import { source } from './source';

const persona = v.object({
	name: v.pipe(text, v.regex(new RegExp(`^\\S(.{0,${maxPersonaName - 2}}\\S)?$`))),
	/** As it was typed; empty where none is to be sent. */
	systemPrompt: text,
	/** All that it sets: a parameter that is not here is left to the defaults. */
	parameters: v.exactOptional(modelParameters),
	/** The model that answers; without it, that of the chat stays. */
	source: v.exactOptional(source),
	/** Names of the tools that its model may call; without it, those of the chat stay. */
	tools: v.exactOptional(v.array(text)),
	/** Names of those that don't ask before each call. */
	allowedTools: v.exactOptional(v.array(text)),
	createdAt: time
});

/** Choices under a name, which the user puts in the place of those of a chat. Its context settings are among the settings, by its name. */
export type Persona = v.InferOutput<typeof persona>;

/** The table is named as it was when a persona had a prompt and parameters only. */
export const personas = {
	schema: persona,
	key: 'name',
	indexes: { 11: '' },
	scope: 'shared',
	backup: 'add-missing'
} as const satisfies TableDefinition<Persona>;
