import { lazy } from '../shared/lazy';
import { readableToolName } from '../shared/server-tool-name';
import { inBackground } from '../storage/storage-failure';
import type { AddedToolServers, ServerToolName } from './tool-servers';

let servers = $state.raw<AddedToolServers>();

/** Loaded where a tool of a server is shown. */
const open = lazy(async () => {
	const { AddedToolServers } = await import('./tool-servers');
	servers = new AddedToolServers();
});

/** Returns the name of a tool as its server has it; the words of `callName` until that is read, and where none here has that tool. */
export function serverToolName(callName: string): ServerToolName {
	void inBackground(open);
	return servers?.nameOf(callName) ?? { title: readableToolName(callName) };
}
