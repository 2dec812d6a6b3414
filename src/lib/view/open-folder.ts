import { openFolder } from '../app/open-folder';
import type { Folder } from '../storage/tables/folders';
import { Live } from './live.svelte';

/** The folder that is open in a chat. */
export function folderOf(sessionId: string): Live<Folder | undefined> {
	return new Live(() => openFolder(sessionId));
}
