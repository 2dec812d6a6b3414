import { goto } from '$app/navigation';
import { resolve } from '$app/paths';
import { page } from '$app/state';
import Archive from '@lucide/svelte/icons/archive';
import ArchiveRestore from '@lucide/svelte/icons/archive-restore';
import ClipboardCopy from '@lucide/svelte/icons/clipboard-copy';
import Download from '@lucide/svelte/icons/download';
import FolderInput from '@lucide/svelte/icons/folder-input';
import Hash from '@lucide/svelte/icons/hash';
import Info from '@lucide/svelte/icons/info';
import Link from '@lucide/svelte/icons/link';
import Pin from '@lucide/svelte/icons/pin';
import PinOff from '@lucide/svelte/icons/pin-off';
import Share from '@lucide/svelte/icons/share-2';
import Trash from '@lucide/svelte/icons/trash-2';
import { exportFormats } from '../../transfer/exports/registry';
import { copy, copyExport, copyLink, downloadExport } from '../export';
import { reportFailure } from '../notices.svelte';
import { archiveSessions, deleteSessions, pinSessions, unarchiveSessions } from '../session-actions';
import { asking } from '../sessions.svelte';
import { canShare, shareSession } from '../share';
import { isTemporary } from '../../shared/is-temporary';
import { chatPath } from '../temporary';
import type { Action } from './action';
import { rename, type SessionTarget } from './rename';
import { keepChat } from './temporary';
import { showWorkspace } from './workspace';

type SessionAction = Action<SessionTarget>;

/** Tells whether chats are stored here, and listed. */
const isStored = () => !isTemporary();

export const pin: SessionAction = {
	id: 'pin',
	label: 'Pin',
	icon: Pin,
	command: 'pin',
	enabled: ({ session }) => isStored() && !session.pinned && !session.archived,
	run: ({ session }) => reportFailure(() => pinSessions([session.id], true))
};

export const unpin: SessionAction = {
	id: 'unpin',
	label: 'Unpin',
	icon: PinOff,
	command: 'unpin',
	enabled: ({ session }) => Boolean(session.pinned),
	run: ({ session }) => reportFailure(() => pinSessions([session.id], false))
};

export const archive: SessionAction = {
	id: 'archive',
	label: 'Archive',
	icon: Archive,
	enabled: ({ session }) => isStored() && !session.archived,
	run: ({ session }) => reportFailure(() => archiveSessions([session.id]))
};

export const unarchive: SessionAction = {
	id: 'unarchive',
	label: 'Unarchive',
	icon: ArchiveRestore,
	enabled: ({ session }) => Boolean(session.archived),
	run: ({ session }) => reportFailure(() => unarchiveSessions([session.id]))
};

export const move: SessionAction = {
	id: 'move',
	label: 'Move to workspace…',
	icon: FolderInput,
	enabled: isStored,
	run: ({ session }) => (asking.what = { move: [session.id] })
};

const details: SessionAction = { id: 'details', label: 'Details', icon: Info, run: ({ session }) => (asking.what = { detailsOf: session.id }) };

const downloads = exportFormats.map(
	({ id, label }): SessionAction => ({
		id: `download-${id}`,
		label: `Download as ${label}`,
		also: 'export, save, share, backup',
		icon: Download,
		run: ({ session }) => reportFailure(() => downloadExport(session.id, id))
	})
);

/** Text only: what is bytes can't be pasted. */
const copies = exportFormats
	.filter(({ isText }) => isText)
	.map(
		({ id, label }): SessionAction => ({
			id: `copy-${id}`,
			label: `Copy as ${label}`,
			also: 'export, share',
			icon: ClipboardCopy,
			run: ({ session }) => reportFailure(() => copyExport(session.id, id))
		})
	);

const share: SessionAction = {
	id: 'share-session',
	label: 'Share…',
	icon: Share,
	enabled: canShare,
	run: ({ session }) => shareSession(session.id)
};

const copySessionLink: SessionAction = { id: 'copy-link', label: 'Copy link', also: 'share, address, URL', icon: Link, enabled: isStored, run: ({ session }) => copyLink(chatPath(session.id)) };

const copyId: SessionAction = {
	id: 'copy-id',
	label: 'Copy chat ID',
	icon: Hash,
	enabled: isStored,
	run: ({ session }) => copy(session.id, 'Chat ID copied.')
};

const remove: SessionAction = {
	id: 'delete-session',
	label: 'Delete chat',
	icon: Trash,
	command: 'delete',
	danger: true,
	enabled: isStored,
	async run({ session }) {
		const { id } = session;
		const isOpen = page.params.id === id;
		if (isOpen) await goto(resolve('/'));
		// Whoever has gone elsewhere since stays there.
		const returnTo = () => {
			if (page.url.pathname === resolve('/')) void goto(chatPath(session.id));
		};
		await reportFailure(() => deleteSessions([id], isOpen ? returnTo : undefined));
	}
};

/** Actions on a session as a whole, as its menu groups them. */
export const sessionActions: readonly SessionAction[][] = [
	[keepChat, rename, pin, unpin, archive, unarchive, showWorkspace, move, details],
	[share, ...downloads, ...copies, copySessionLink, copyId],
	[remove]
];
