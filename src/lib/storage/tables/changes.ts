import { unchecked, type TableDefinition } from './definition';

/**
 * A mark that something which can be searched was written: one row a transaction and session, added in that transaction itself by
 * `loggedChanges`, so that no writer can forget it. `seq` grows in the order of the commits. Who reads a change looks at
 * what is stored by then: it says where to look, not what happened there.
 *
 * It always stands for the session's own words too: its title, labels, notes, and whether it is there at all.
 */
export interface Change {
	seq: number;
	sessionId: string;
	/** The messages that were written, or `all` where that is not known one by one. */
	messageIds: string[] | 'all';
}

export const changes = {
	schema: unchecked<Change>(),
	key: 'seq',
	isNumbered: true,
	indexes: { 4: '' },
	scope: 'derived'
} as const satisfies TableDefinition<Change>;
