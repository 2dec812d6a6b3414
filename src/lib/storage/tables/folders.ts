import { unchecked, type TableDefinition } from './definition';

/** The folder of a chat on this device, of which its model may have files. */
export interface Folder {
	sessionId: string;
	/** New with each folder that is opened; changes name it. */
	id: string;
	/** `own` is one in the browser's own storage. */
	kind: 'picked' | 'own';
	name: string;
	/** The way to one that was picked. */
	handle?: FileSystemDirectoryHandle;
	/** The user has closed it: nothing reads it until it is opened again. */
	closed?: true;
}

export const folders = {
	schema: unchecked<Folder>(),
	key: 'sessionId',
	indexes: { 14: '' },
	scope: 'device',
	purge: 'last-and-alone',
	// What leads to files of the user's is in no file.
	secrets: 'never'
} as const satisfies TableDefinition<Folder>;
