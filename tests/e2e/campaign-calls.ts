// Calls of tools in the crash campaign: what they do, counted where it is done, what the user allowed, and what must be so of them
// after a kill. Each call has a word of its own.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import type { Message } from '../../src/lib/conversation/message';
import { openCallsOf } from '../../src/lib/conversation/open-calls';
import { putRows, rowsOf } from './chat';

/** A site whose pages count how often each was fetched, by its name. All are slow: the browser may go between that and the result. */
export interface Site {
	url: string;
	fetched: Map<string, number>;
	close: () => void;
}

export async function startSite(): Promise<Site> {
	const fetched = new Map<string, number>();
	const server = createServer(({ url = '' }, response) => {
		const name = url.slice(1);
		fetched.set(name, (fetched.get(name) ?? 0) + 1);
		const headers = { 'content-type': 'text/plain', 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
		setTimeout(() => response.writeHead(200, headers).end('Pears are ripe.'), 300 + (fetched.size % 3) * 300);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		fetched,
		close() {
			server.close();
			server.closeAllConnections();
		}
	};
}

/** Calls that the server is asked to have its model make; it puts a word of its own for `{word}`. */
export function callsOn(site: string): string[] {
	const inputs = {
		current_time: [{}],
		session_search: [{ query: 'typed' }],
		notes_write: [{ name: 'fruit', text: '{word}' }, { name: '{word}', text: '{word}' }],
		fetch_page: Array(4).fill({ url: `${site}/{word}` }),
		files_edit: Array(5).fill({ path: 'list.md', old_text: 'the end', new_text: '{word}\nthe end' }),
		files_write: Array(2).fill({ path: '{word}.md', text: '{word}' }),
		ask_user: [{ question: 'What of {word}?' }]
	};
	return Object.entries(inputs).flatMap(([name, those]) => those.map((input) => `call ${name} ${JSON.stringify(input)}`));
}

/** The names of the tools that are called. */
export const tools = [...new Set(callsOn('').map((call) => call.split(' ')[1]!))];

/** Permissions that the user gave: to calls, by their words, and to tools in a chat. */
export class Permissions {
	/** Words of calls that were done, and have been looked for. */
	readonly looked = new Set<string>();
	private readonly given: { word: string; tool: string; sessionId: string | undefined; isAgain: boolean; isForChat: boolean }[] = [];

	/** `isAgain`: the card said that it may have been done already. Call the result if it did not come to that. */
	give(permission: Permissions['given'][number]): () => void {
		this.given.push(permission);
		return () => void this.given.splice(this.given.indexOf(permission), 1);
	}

	/** The most times that a call may have been done. */
	most(word: string, tool: string, sessionId: string): number {
		const ofCall = this.given.filter((one) => one.word === word);
		const isAllowed = ofCall.some(({ isAgain }) => !isAgain) || this.given.some((one) => one.isForChat && one.tool === tool && one.sessionId === sessionId);
		return Number(isAllowed) + ofCall.filter(({ isAgain }) => isAgain).length;
	}
}

/** Opens a folder of its own in each chat that has none, with a list in it. To be called while nothing else writes. */
export async function openFolders(page: Page): Promise<void> {
	const opened = new Set((await rowsOf<{ sessionId: string }>(page, 'folders')).map(({ sessionId }) => sessionId));
	const ids = (await rowsOf<{ id: string }>(page, 'sessions')).map(({ id }) => id).filter((id) => !opened.has(id));
	await page.evaluate(async (ids) => {
		const folders = await (await navigator.storage.getDirectory()).getDirectoryHandle('folders', { create: true });
		for (const id of ids) {
			const file = await (await folders.getDirectoryHandle(id, { create: true })).getFileHandle('list.md', { create: true });
			const writable = await file.createWritable();
			await writable.write('the end');
			await writable.close();
		}
	}, ids);
	await putRows(page, { folders: ids.map((sessionId) => ({ sessionId, id: crypto.randomUUID(), kind: 'own', name: 'Snug’s folder' })) });
}

/** The texts of all files in the chats' own folders. */
function filesOf(page: Page): Promise<string[]> {
	return page.evaluate(async () => {
		const folders = await (await navigator.storage.getDirectory()).getDirectoryHandle('folders', { create: true });
		const texts: string[] = [];
		for await (const folder of folders.values()) {
			for await (const file of (folder as FileSystemDirectoryHandle).values()) texts.push(await (await (file as FileSystemFileHandle).getFile()).text());
		}
		return texts;
	});
}

/** What is not as it must be of calls and their results, as sentences. `hasDeleted`: messages may have been deleted since this was looked at. */
export async function faultsOfCalls(page: Page, permissions: Permissions, fetched: ReadonlyMap<string, number>, hasDeleted: boolean): Promise<string[]> {
	const messages = await rowsOf<Message>(page, 'messages');
	const done = new Map(fetched);
	const notes = (await rowsOf<{ content: string }>(page, 'scratchpad')).map(({ content }) => content);
	for (const text of [...notes, ...(await filesOf(page))]) for (const word of text.match(/told\d+w/g) ?? []) done.set(word, (done.get(word) ?? 0) + 1);
	const byId = new Map(messages.map((message) => [message.id, message]));
	const [called, answered] = [new Set<string>(), new Set<string>()];
	const faults: string[] = [];
	for (const { id, sessionId, parentId, parts } of messages) {
		for (const part of parts) {
			if (part.type === 'tool-call') {
				const word = wordOf(part.input);
				called.add(word);
				const [times, most] = [done.get(word) ?? 0, permissions.most(word, part.toolName, sessionId)];
				if (times > most) faults.push(`${part.toolName} ${word} of ${sessionId} was done ${times} times, and allowed ${most} times`);
			}
			if (part.type !== 'tool-result') continue;
			let caller = byId.get(parentId!);
			while (caller?.role === 'tool') caller = byId.get(caller.parentId!);
			const call = caller?.parts.find((one) => one.type === 'tool-call' && one.toolCallId === part.toolCallId);
			if (call?.type !== 'tool-call') {
				faults.push(`result ${id} of ${sessionId} does not follow its call`);
				continue;
			}
			const [key, word] = [`${caller!.id} ${part.toolCallId}`, wordOf(call.input)];
			if (answered.has(key)) faults.push(`${part.toolName} ${word} of ${sessionId} has more than one result`);
			answered.add(key);
			const isSaidDone = !part.isError && ['notes_write', 'fetch_page', 'files_edit', 'files_write'].includes(part.toolName);
			const isSaidUndone = part.isError && String(part.output).includes('Nothing was done');
			if ((isSaidDone && !done.has(word)) || (isSaidUndone && done.has(word))) faults.push(`${part.toolName} ${word} of ${sessionId} was done ${done.get(word) ?? 0} times, and has the result ${JSON.stringify(part.output)}`);
		}
	}
	for (const word of done.keys()) {
		if (!called.has(word) && !permissions.looked.has(word) && !hasDeleted) faults.push(`${word} was done, and no message calls it`);
		permissions.looked.add(word);
	}
	return faults;
}

/** The chats that stand in the middle of calls. */
export async function amidCalls(page: Page): Promise<string[]> {
	const byId = new Map((await rowsOf<Message>(page, 'messages')).map((message) => [message.id, message]));
	const heads = new Map((await rowsOf<{ sessionId: string; headId: string }>(page, 'positions')).map(({ sessionId, headId }) => [sessionId, headId]));
	const sessions = await rowsOf<{ id: string }>(page, 'sessions');
	const isAmid = ({ id }: { id: string }) => {
		const path: Message[] = [];
		for (let at = byId.get(heads.get(id)!); at; at = byId.get(at.parentId!)) path.unshift(at);
		return path.at(-1)?.role === 'tool' || openCallsOf(path).length > 0;
	};
	return sessions.filter(isAmid).map(({ id }) => id);
}

function wordOf(input: unknown): string {
	return /told\d+w/.exec(JSON.stringify(input))?.[0] ?? '';
}
