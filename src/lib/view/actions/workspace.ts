import { goto } from '$app/navigation';
import { resolve } from '$app/paths';
import Folder from '@lucide/svelte/icons/folder';
import { homeWorkspace, type Session } from '../../conversation/session';
import { shorten } from '../../shared/shorten';
import type { Action } from './action';

// The bar of a chat has it, and loads no other action on a session.

/** The address of the list of a workspace's chats. */
export function chatsOf(workspace: string): ReturnType<typeof resolve> {
	return `${resolve('/(app)/sessions')}?workspace=${encodeURIComponent(workspace)}` as ReturnType<typeof resolve>;
}

/** Goes to the chats of the workspace that a chat is in. */
export const showWorkspace: Action<{ session: Session }> = {
	id: 'show-workspace',
	label: 'Show its workspace',
	labelFor: ({ session }) => `Show workspace “${shorten(session.workspace, 24)}”`,
	icon: Folder,
	enabled: ({ session }) => session.workspace !== homeWorkspace,
	run: ({ session }) => goto(chatsOf(session.workspace))
};
