import { openFolderOf } from '../storage/open-folder';
import type { Folder } from '../storage/tables/folders';
import { db } from './environment';

/** Returns the folder that is open in a chat; undefined where none is. */
export function openFolder(sessionId: string): Promise<Folder | undefined> {
	return openFolderOf(db, sessionId);
}
