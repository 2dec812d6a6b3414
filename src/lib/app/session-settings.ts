import { SessionSettings } from '../storage/session-settings';
import { db } from './environment';

/** The choices of the user for one chat. */
export const sessionSettings = new SessionSettings(db);
