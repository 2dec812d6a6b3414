import { sessionGroups } from '../storage/session-groups';
import type { SessionFilter } from '../storage/sessions';
import { clock, db } from './environment';

/** As `sessionGroups` of storage/, as of now. */
export const groupsOf = (filter: SessionFilter) => sessionGroups(db, filter, clock());
