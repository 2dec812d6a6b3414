import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { id, text } from './fields';
import { modelParameters } from './model-parameters';
import { source } from './source';

const row = v.object({
	sessionId: id,
	/** The model that answers here, whichever is chosen for new chats. */
	source: v.exactOptional(source),
	/** Parameters that it sets in the place of the defaults. */
	parameters: v.exactOptional(modelParameters),
	/** The system prompt that the next message brings with it, as it was typed. */
	systemPrompt: v.exactOptional(text),
	/** Name of the persona that the next message says was put into the chat; '' for none in the place of one. */
	nextPersona: v.exactOptional(text),
	/** Names of the tools that its model may call, in the place of those for all chats. */
	tools: v.exactOptional(v.array(text)),
	/** Names of the tools that don't ask before each call here, beside those that ask in no chat. */
	allowedTools: v.exactOptional(v.array(text))
});

/** Choices of the user for one chat. There is no row where nothing was chosen. */
export type SessionSettingsRow = v.InferOutput<typeof row>;

export const sessionSettings = {
	schema: row,
	key: 'sessionId',
	indexes: { 10: '' },
	scope: 'session',
	purge: 'last-and-alone',
	backup: 'keep-own'
} as const satisfies TableDefinition<SessionSettingsRow>;
