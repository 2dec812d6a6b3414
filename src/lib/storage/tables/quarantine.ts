import { unchecked, type TableDefinition } from './definition';

/**
 * A row that did not fit its schema, quarantined whole with the reason, so that the rest opens [R6]. `table` and `key` say
 * where it was; `at` when it was found, in epoch milliseconds.
 */
export interface QuarantinedRow {
	id: string;
	table: string;
	key: unknown;
	row: unknown;
	reason: string;
	at: number;
}

/** Has no schema: it holds what fits none. */
export const quarantine = {
	schema: unchecked<QuarantinedRow>(),
	key: 'id',
	indexes: { 2: '' },
	scope: 'shared',
	secrets: 'nested',
	backup: 'add-missing'
} as const satisfies TableDefinition<QuarantinedRow>;
