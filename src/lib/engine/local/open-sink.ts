import type { Sink } from './model-writer';

type SyncFile = FileSystemFileHandle & { createSyncAccessHandle(): Promise<ClosableSink> };

export type ClosableSink = Sink & { close(): void };

const tries = 30;
const between = 100;

/**
 * Opens a file for writing; works in a worker only. The writer before may have died with its page a moment ago, and the
 * browser takes a while to let go of its file, so this waits up to three seconds for it.
 */
export async function openSink(folder: FileSystemDirectoryHandle, name: string): Promise<ClosableSink> {
	const file = (await folder.getFileHandle(name, { create: true })) as SyncFile;
	for (let left = tries; ; left--) {
		try {
			return await file.createSyncAccessHandle();
		} catch (error) {
			const inUse = error instanceof DOMException && error.name === 'NoModificationAllowedError';
			if (!inUse || left === 0) throw error;
			await new Promise((resolve) => setTimeout(resolve, between));
		}
	}
}
