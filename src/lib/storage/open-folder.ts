import type { Database } from './database';
import type { Folder } from './tables/folders';

/** Returns the folder that is open in a chat; undefined where none is. */
export async function openFolderOf({ folders }: Database, sessionId: string): Promise<Folder | undefined> {
	const row = await folders.get(sessionId);
	return row?.closed ? undefined : row;
}
