import FolderOpen from '@lucide/svelte/icons/folder-open';
import { isTemporary } from '../../shared/is-temporary';
import { folderDialog } from '../folder-dialog.svelte';
import type { Action } from './action';

export const folder: Action<{ conversation: { id: string } }> = {
	id: 'folder',
	label: 'Folder…',
	also: 'open a folder, files, undo',
	icon: FolderOpen,
	enabled: () => !isTemporary(),
	run: ({ conversation }) => folderDialog.open(conversation.id)
};
