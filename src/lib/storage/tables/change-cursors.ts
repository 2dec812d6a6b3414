import { unchecked, type TableDefinition } from './definition';

/** The readers of the log of changes. */
export type ChangeReader = 'search';

/** The place of a reader in the log of changes: it is done with all up to `seq`. What every reader is done with is dropped. */
export interface ChangeCursor {
	reader: ChangeReader;
	seq: number;
}

export const changeCursors = {
	schema: unchecked<ChangeCursor>(),
	key: 'reader',
	indexes: { 7: '' },
	scope: 'derived'
} as const satisfies TableDefinition<ChangeCursor>;
