import { findSessions as find } from '../storage/find-sessions';
import { db } from './environment';

/** As `findSessions` of storage/. */
export const findSessions = (text: string) => find(db, text);
