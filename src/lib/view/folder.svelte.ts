import { folders } from '../app/folders';
import { openFolder } from '../app/open-folder';
import { nameOfCall } from '../storage/file-changes';
import type { FolderPermission } from '../storage/folders';
import type { FileChange } from '../storage/tables/file-changes';
import type { Folder } from '../storage/tables/folders';
import { inBackground } from '../storage/storage-failure';
import { changedFiles, type ChangedFile } from './changed-files';
import { Live } from './live.svelte';
import { notify, reportFailure } from './notices.svelte';
import { saveFile } from './save-file';
import { withoutLeaving } from './under-way';

type Picker = (options: { mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>;

/** The browser's own way to pick a folder of the machine's; undefined where it has none. */
const picker = (): Picker | undefined => (window as { showDirectoryPicker?: Picker }).showDirectoryPicker;

/** The folder of a chat, and what was changed in it. */
export class ChatFolder {
	private readonly folder: Live<Folder | undefined>;
	private readonly made: Live<FileChange[]>;
	private known = $state.raw<{ id: string; permission: FolderPermission } | undefined>();
	/** True while something is done that takes time. */
	busy = $state(false);
	private running: Promise<unknown> = Promise.resolve();

	constructor(private readonly sessionId: string) {
		this.folder = new Live(() => openFolder(sessionId));
		this.made = new Live(() => folders.changes(sessionId));
		$effect(() => {
			if (this.current) void inBackground(() => this.look());
		});
	}

	/** Undefined while loading, and where none is open. */
	get current(): Folder | undefined {
		return this.folder.current;
	}

	get loading(): boolean {
		return this.folder.loading;
	}

	/** True where the browser wants the user to allow it again. */
	get locked(): boolean {
		return this.current !== undefined && this.known?.id === this.current.id && this.known.permission !== 'granted';
	}

	/** True where folders of the machine's can be picked. */
	get canPick(): boolean {
		return picker() !== undefined;
	}

	/** The change that a call has made; undefined where it has made none, or that is kept no more. */
	changeOf(answerId: string, toolCallId: string): FileChange | undefined {
		return this.made.current?.findLast(({ call }) => call === nameOfCall({ answerId, toolCallId }));
	}

	/** Files that were changed in the folder, by path. */
	get files(): ChangedFile[] {
		return changedFiles((this.made.current ?? []).filter(({ folderId }) => folderId === this.current?.id));
	}

	/** Finds out whether the folder may be used, and what became of changes that a page left. */
	async look(): Promise<void> {
		const { current } = this;
		if (!current) return;
		this.known = { id: current.id, permission: await folders.accessTo(current) };
		await folders.settle(this.sessionId);
	}

	/** Has the user pick a folder, or opens the chat's own. */
	open(kind: Folder['kind']): Promise<void> {
		return this.report(async () => {
			try {
				await folders.open(this.sessionId, kind === 'picked' ? await picker()!({ mode: 'readwrite' }) : undefined);
			} catch (error) {
				// Picking none is no failure.
				if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
			}
		});
	}

	/** Has the browser ask whether the folder may be used. */
	allow(): Promise<void> {
		return this.report(async () => {
			await folders.accessTo(this.current!, { ask: true });
			await this.look();
		});
	}

	close(): Promise<void> {
		return this.report(() => folders.close(this.sessionId));
	}

	undo({ id, path }: FileChange): Promise<void> {
		return this.report(async () => {
			await folders.undo(this.sessionId, id);
			notify({ text: `“${path}” is as it was before.`, milliseconds: 4000 });
		});
	}

	/** Adds files, once what was begun before is done: they were chosen, and would have to be chosen again. */
	add(files: readonly File[]): Promise<void> {
		return withoutLeaving(this.addNext(files));
	}

	private async addNext(files: readonly File[]): Promise<void> {
		while (this.busy) await this.running;
		return this.report(async () => {
			await folders.add(this.sessionId, files);
			notify({ text: files.length === 1 ? `“${files[0]!.name}” is in the folder.` : `${files.length} files are in the folder.`, milliseconds: 4000 });
		});
	}

	download(): Promise<void> {
		return this.report(async () => saveFile(await withoutLeaving(folders.download(this.sessionId)), 'folder.zip'));
	}

	private async report(work: () => Promise<unknown>): Promise<void> {
		if (this.busy) return;
		this.busy = true;
		await (this.running = reportFailure(work));
		this.busy = false;
	}
}
