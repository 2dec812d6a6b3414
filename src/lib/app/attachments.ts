import { Attachments } from '../storage/attachments';
import { db } from './environment';

/** Files that messages have, as they are stored. */
export const attachments = new Attachments(db);
