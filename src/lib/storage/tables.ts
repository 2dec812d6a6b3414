import type { Dexie, Table } from 'dexie';
import type * as v from 'valibot';
import { answers } from './tables/answers';
import { attachmentUses } from './tables/attachment-uses';
import { attachments } from './tables/attachments';
import { boundaries } from './tables/boundaries';
import { calibrations } from './tables/calibrations';
import { changeCursors } from './tables/change-cursors';
import { changes } from './tables/changes';
import { checkpoints } from './tables/checkpoints';
import { contexts } from './tables/contexts';
import { deletions } from './tables/deletions';
import { drafts } from './tables/drafts';
import { fileChanges } from './tables/file-changes';
import { folders } from './tables/folders';
import { messages } from './tables/messages';
import { modelLists } from './tables/model-lists';
import { models } from './tables/models';
import { personas } from './tables/personas';
import { positions } from './tables/positions';
import { providers } from './tables/providers';
import { quarantine } from './tables/quarantine';
import { scratchpad } from './tables/scratchpad';
import { searchState } from './tables/search-state';
import { secondAnswers } from './tables/second-answers';
import { secrets } from './tables/secrets';
import { segments } from './tables/segments';
import { sessionSettings } from './tables/session-settings';
import { sessions } from './tables/sessions';
import { settings } from './tables/settings';
import { toolServers } from './tables/tool-servers';
import { trash } from './tables/trash';
import { trees } from './tables/trees';

/** Every table, once. A new one is a file in `tables/` and a line here. Those of a session are written to a backup in this order. */
export const tables = {
	settings,
	providers,
	presets: personas,
	sessions,
	trees,
	positions,
	messages,
	attachmentUses,
	drafts,
	answers,
	secondAnswers,
	scratchpad,
	boundaries,
	contexts,
	sessionSettings,
	checkpoints,
	folders,
	fileChanges,
	trash,
	attachments,
	quarantine,
	deletions,
	calibrations,
	models,
	modelLists,
	toolServers,
	secrets,
	changes,
	changeCursors,
	segments,
	searchState
} as const;

export type TableName = keyof typeof tables;

type Schema<N extends TableName> = (typeof tables)[N]['schema'];

/** The rows of each table. */
export type Rows = { [N in TableName]: v.InferOutput<NonNullable<Schema<N>>> };

/** The tables whose rows are checked. */
export type CheckedTable = { [N in TableName]: undefined extends Schema<N> ? never : N }[TableName];

type KeyOf<Row, Key> = Key extends keyof Row ? Row[Key] : { -readonly [I in keyof Key]: Key[I] extends keyof Row ? Row[Key[I]] : never };

/** A row to be added: the key may be left out where the browser gives it. */
type Added<N extends TableName> = (typeof tables)[N] extends { isNumbered: true; key: infer K extends keyof Rows[N] } ? Omit<Rows[N], K> & Partial<Pick<Rows[N], K>> : Rows[N];

/** A database with these tables, each as a property. */
export type Store = Dexie & { readonly [N in TableName]: Table<Rows[N], KeyOf<Rows[N], (typeof tables)[N]['key']>, Added<N>> };
