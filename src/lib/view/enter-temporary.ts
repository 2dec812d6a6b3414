import { base } from '$app/paths';
import { Dexie } from 'dexie';
import * as memory from 'fake-indexeddb';
import { MemoryStorage } from '../shared/memory-storage';
import { withSiteData } from '../shared/site-data';
import { copyDatabase, tablesOfDevice } from '../storage/copy-database';
import { databaseVersion } from '../storage/database';
import { databaseName, openAsItIs, versionOf } from '../storage/raw-database';
import { preferencesKey } from './kept-preferences';
import { temporaryPath } from './temporary';

/** The place in which the tab itself stores as long as it lives; undefined where site data are blocked. */
let tabStorage: Storage | undefined;

/**
 * Puts memory in the place of all that a page can store in, before anything of the app has opened it: so nothing of a temporary chat reaches the disk
 * or another tab, whatever the app does. To be called before the app is loaded. Where it fails the app must not start.
 */
export async function enterTemporary(): Promise<void> {
	const device = await openAsItIs(indexedDB, databaseName).catch(() => undefined);
	if (device && versionOf(device) < databaseVersion) {
		device.close();
		// There it is upgraded.
		location.replace(`${base}/`);
		return new Promise(() => undefined);
	}
	queueByMessages();
	if (device) {
		await copyDatabase(device, memory.indexedDB, tablesOfDevice);
		device.close();
	}
	for (const [name, value] of Object.entries(memory)) if (/^(IDB|indexedDB)/.test(name)) replace(globalThis, name, value);
	// Dexie has looked at them already.
	Object.assign(Dexie.dependencies, { indexedDB: memory.indexedDB, IDBKeyRange: memory.IDBKeyRange });

	const preferences = keptPreferences();
	tabStorage = withSiteData(() => sessionStorage, (storage) => storage);
	replace(globalThis, 'localStorage', new MemoryStorage());
	replace(globalThis, 'sessionStorage', new MemoryStorage());
	// No list of chats, on this page.
	localStorage.setItem(preferencesKey, JSON.stringify({ ...preferences, sidebar: 'folded' }));

	// What was opened before tells nobody either.
	replace(BroadcastChannel.prototype, 'postMessage', () => undefined);
	replace(StorageManager.prototype, 'persist', () => Promise.resolve(false));
	// The models of this device are a copy here, so a file that is not among them is not one that was left behind.
	replace(FileSystemDirectoryHandle.prototype, 'removeEntry', () => Promise.resolve());

	const { dataset } = document.documentElement;
	dataset.sidebar = 'folded';
	dataset.temporary = '';
	if (location.pathname + location.search === temporaryPath) return;
	// A chat of a page that is gone.
	if (location.pathname.includes('/s/')) dataset.temporary = 'gone';
	history.replaceState(history.state, '', temporaryPath);
}

/** Has the tab keep what this page has kept of a chat that is stored now: that lives as long as the tab, in any page. */
export function giveToTab(sessionId: string): void {
	for (const name of Object.keys(sessionStorage).filter((name) => name.includes(sessionId))) {
		withSiteData(
			() => tabStorage!,
			(storage) => storage.setItem(name, sessionStorage.getItem(name)!)
		);
	}
}

function replace(object: object, name: string, value: unknown): void {
	Object.defineProperty(object, name, { value, configurable: true, writable: true });
}

function keptPreferences(): object {
	try {
		return JSON.parse(localStorage.getItem(preferencesKey)!) as object;
	} catch {
		// Where site data are blocked there are none.
		return {};
	}
}

/** Has what `fake-indexeddb` does later come by messages: timers are slow where they nest, and in a hidden tab. */
function queueByMessages(): void {
	const { port1, port2 } = new MessageChannel();
	const waiting: (() => void)[] = [];
	port1.onmessage = () => waiting.shift()?.();
	replace(globalThis, 'setImmediate', (run: () => void) => {
		waiting.push(run);
		port2.postMessage(undefined);
	});
}
