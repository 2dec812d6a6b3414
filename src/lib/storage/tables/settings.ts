import * as v from 'valibot';
import { contextOverrides } from './context-overrides';
import type { Assert, Same, TableDefinition } from './definition';
import { count, text, time } from './fields';
import { modelParameters } from './model-parameters';
import { source } from './source';

const retention = v.object({ days: v.nullable(count), maxBytes: v.nullable(count) });

/** After how many days without a change a session goes, and above how many bytes the oldest go; null for never. */
export type RetentionRule = v.InferOutput<typeof retention>;

/** Every setting, by name, with the shape of its value. */
const values = {
	/** The source of answers in chats that have none of their own. Unset until the user, or the first model on this device, decides. */
	source,
	/** Sent first in every new session; '' sends none. */
	systemPrompt: text,
	/** Parameters of every chat that does not set them itself. */
	parameters: modelParameters,
	/** The browser's answer when it was asked to keep this data; unset until it is. */
	persistence: v.picklist(['granted', 'denied']),
	/** Rule for the sessions that go by themselves [A8]. Unset until the user switches it on: then nothing ever does. */
	retention,
	/** The user has seen the rule that is offered. */
	retentionSeen: v.literal(true),
	/** Time at which a rule last took something by itself, or was last offered. */
	retentionCheckedAt: time,
	/** The last backup that was read back and found whole. */
	lastBackup: v.object({ at: time, bytes: count, counts: v.record(text, count), verified: v.literal(true) }),
	/** Reminders of a backup; set to false only. */
	backupReminder: v.literal(false),
	/** Time at which a reminder of a backup was last shown. */
	backupRemindedAt: time,
	/** Settings of the model's context that differ from its default everywhere, and then with each persona, by its name. */
	context: contextOverrides,
	contextByPersona: v.record(text, contextOverrides),
	/** Names of the personas that new chats of a workspace begin with, by its name. */
	workspacePersonas: v.record(text, text),
	/** Names of the tools that models may call in chats that do not set them. */
	tools: v.array(text),
	/** Names of those that don't ask before each call, in any chat. */
	allowedTools: v.array(text),
	/** The number of times that a model is asked in one turn at most. */
	maxSteps: count,
	/** Figures below answers of what they took; set to true only. */
	showTokens: v.literal(true),
	/** Times on messages; set to true only. */
	showTimes: v.literal(true),
	/** Wrap long lines of code; set to true only. */
	wrapCode: v.literal(true),
	/** Models on this device leave the graphics processor alone; set to true only. */
	processorOnly: v.literal(true)
};

export type SettingValues = { [N in keyof typeof values]: v.InferOutput<(typeof values)[N]> };

export type SettingName = keyof SettingValues;

const setting = v.variant(
	'name',
	Object.entries(values).map(([name, value]) => v.object({ name: v.literal(name as SettingName), value }))
);

/** One row a setting. Only what differs from its default is stored. */
export interface Setting {
	name: SettingName;
	value: SettingValues[SettingName];
}

type _SettingAgrees = Assert<Same<v.InferOutput<typeof setting>, Setting>>;

export const settings = {
	schema: setting,
	key: 'name',
	indexes: { 1: '' },
	scope: 'shared',
	backup: 'offer'
} as const satisfies TableDefinition<Setting>;
