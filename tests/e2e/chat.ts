// What a user does in a chat, in the words of the page.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Message } from '../../src/lib/conversation/message';
import type { Session } from '../../src/lib/conversation/session';
import type { Tree } from '../../src/lib/conversation/tree';
import type { Position } from '../../src/lib/storage/tables/positions';

/** Chooses a server's model as a script does, for tests of something else: the dialog costs each of them half a second. */
export async function useServer(page: Page, baseUrl: string, model: string): Promise<void> {
	await page.waitForFunction(() => 'snug' in window);
	await page.evaluate(
		async ({ baseUrl, model }) => {
			const { id: providerId } = await window.snug.providers.connect({ baseUrl });
			await window.snug.models.choose({ providerId, model });
			const sessionId = /\/s\/([^/]+)$/.exec(location.pathname)?.[1];
			if (sessionId) await window.snug.models.choose({ providerId, model }, { sessionId });
		},
		{ baseUrl, model }
	);
	await expect(page.getByText(`${model} at `).filter({ visible: true }).first()).toBeVisible();
}

/** Has a second model asked too, from the menu in the composer. */
export async function askToo(page: Page, model: string): Promise<void> {
	await page.getByRole('button', { name: /Change model/ }).first().click();
	await page.getByRole('button', { name: 'Ask a second model too…' }).click();
	await expectAccessible(page, 'choosing a second model');
	const field = page.getByRole('searchbox', { name: 'Filter models' });
	// With fingers it would bring up the keyboard.
	if (await page.evaluate(() => matchMedia('(pointer: fine)').matches)) await expect(field).toBeFocused();
	else await field.focus();
	await page.keyboard.type(model);
	await page.keyboard.press('Enter');
	await expect(page.getByText(`and ${model}`)).toBeVisible();
}

/** Opens the dialog of models, from below the composer: from the menu of models, where there is one. A failure in the chat has a button “Change model” too. */
export async function openModelDialog(page: Page): Promise<Locator> {
	const button = page.getByRole('button', { name: /: Change model$|^a server$/ });
	const opensMenu = (await button.getAttribute('aria-expanded')) !== null;
	await button.click();
	if (opensMenu) await page.getByRole('button', { name: 'Add or remove models' }).click();
	return page.getByRole('dialog', { name: 'Model' });
}

/** Chooses a server's model through the dialog, as a user would. `baseUrl` as typed into the address field. */
export async function chooseServer(page: Page, baseUrl: string, model: string): Promise<void> {
	const dialog = await openModelDialog(page);
	await dialog.getByRole('radio', { name: /A server/ }).check();
	await dialog.getByRole('textbox', { name: 'Address' }).fill(baseUrl);
	await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
	const search = dialog.getByRole('searchbox', { name: 'Filter models' });
	await search.fill(model);
	await dialog.getByRole('button', { name: model, exact: true }).click();
	await expect(dialog).toBeHidden();
}

/** Types a message and sends it. */
export async function say(page: Page, text: string): Promise<void> {
	await page.getByRole('textbox', { name: 'Message' }).fill(text);
	await page.getByRole('button', { name: 'Send' }).click();
}

/** The answer to the last question, once it is whole. */
export async function answer(page: Page, { timeout = 30_000 } = {}): Promise<string> {
	const article = page.getByRole('article').last();
	await expect(article).toHaveAccessibleName('Assistant', { timeout });
	await expect(article).toHaveAttribute('aria-busy', 'false', { timeout });
	return article.innerText();
}

/** Leaves the open session for a new chat. */
export async function newChat(page: Page): Promise<void> {
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(page.getByRole('log', { name: 'Conversation' })).toHaveCount(0);
}

/** Does something with the open session, from its menu. */
export async function inSessionMenu(page: Page, item: string): Promise<void> {
	await page.getByRole('button', { name: 'Chat menu' }).click();
	await page.getByRole('button', { name: item, exact: true }).click();
}

/** Opens a panel beside the chat: by its button, or where there is no room for that, from the menu of the chat. */
export async function openPanel(page: Page, name: 'Tree' | 'Notes' | 'Context'): Promise<void> {
	await expect(page.getByRole('button', { name: 'Chat menu' })).toBeVisible();
	if (await page.locator('.frame-bar').getByRole('button', { name, exact: true }).isVisible()) await page.locator('.frame-bar').getByRole('button', { name, exact: true }).click();
	else await inSessionMenu(page, name);
	await expect(page.getByRole('complementary', { name })).toBeVisible();
}

/** Does something with a message, from its menu. */
export async function inMessageMenu(page: Page, message: Locator, item: string): Promise<void> {
	await message.hover();
	await actionsOf(message).getByRole('button', { name: 'More' }).click();
	await page.getByRole('group', { name: 'Message' }).getByRole('button', { name: item, exact: true }).click();
}

/** The buttons of a message: inside of an answer, beside what the user wrote. */
export function actionsOf(message: Locator): Locator {
	return message.locator('xpath=ancestor-or-self::*[contains(@class, "asked") or self::article[starts-with(@aria-label, "Assistant")]][last()]').locator('.actions');
}

/** What the user wrote, and the answers, as the transcript shows them. */
export function said(page: Page): { you: Locator; assistant: Locator } {
	return { you: page.getByRole('article', { name: 'You' }), assistant: page.getByRole('article', { name: 'Assistant' }) };
}

/** All rows of a table, as they are stored. */
export function rowsOf<T>(page: Page, table: string): Promise<T[]> {
	return page.evaluate(async (table) => {
		const db = await new Promise<IDBDatabase>((resolve, reject) => {
			const request = indexedDB.open('snug');
			request.onsuccess = () => resolve(request.result);
			request.onerror = () => reject(request.error!);
		});
		const rows = await new Promise<unknown[]>((resolve) => {
			const request = db.transaction(table).objectStore(table).getAll();
			request.onsuccess = () => resolve(request.result);
		});
		db.close();
		return rows as T[];
	}, table);
}

/** What is stored of the text of an answer that is not whole; undefined where there is none. */
export async function unfinishedText(page: Page): Promise<string | undefined> {
	const [answer] = await rowsOf<{ parts: { type: string; text?: string }[] }>(page, 'answers');
	return answer?.parts.map(({ type, text = '' }) => (type === 'text' ? text : '')).join('');
}

/** Has every write into these tables refused from now on, as on a full disk; into no others than these. `refusals` counts them. */
export function refuseRows(page: Page, tables: string[]): Promise<void> {
	return page.evaluate((tables) => {
		const { prototype } = IDBObjectStore as unknown as { prototype: { put: IDBObjectStore['put']; own?: IDBObjectStore['put'] } };
		prototype.own ??= prototype.put;
		const { own } = prototype;
		prototype.put = function (this: IDBObjectStore, ...row) {
			if (!tables.includes(this.name)) return own.apply(this, row);
			const { dataset } = document.documentElement;
			dataset.refusals = String(Number(dataset.refusals ?? 0) + 1);
			throw new DOMException('No room.', 'QuotaExceededError');
		};
	}, tables);
}

/** Has writes into a table wait, as a long transaction does, until the returned function is called. */
export async function holdRows(page: Page, table: string): Promise<() => Promise<void>> {
	const name = `held-${table}`;
	await page.evaluate(
		async ({ table, name }) => {
			const request = indexedDB.open('snug');
			const db = await new Promise<IDBDatabase>((resolve) => (request.onsuccess = () => resolve(request.result)));
			const store = db.transaction(table, 'readwrite').objectStore(table);
			document.documentElement.setAttribute(name, '');
			await new Promise<void>((resolve) => {
				const hold = () => {
					store.count().onsuccess = () => (document.documentElement.hasAttribute(name) ? hold() : db.close());
					resolve();
				};
				hold();
			});
		},
		{ table, name }
	);
	return () => page.evaluate((name) => document.documentElement.removeAttribute(name), name);
}

/** Counts the writes of the page that were refused by `refuseRows`. */
export function refusals(page: Page): Promise<number> {
	return page.evaluate(() => Number(document.documentElement.dataset.refusals ?? 0));
}

/** How many rows each table of the database has. */
export function countRows(page: Page): Promise<Record<string, number>> {
	return page.evaluate(async () => {
		const db = await new Promise<IDBDatabase>((resolve, reject) => {
			const request = indexedDB.open('snug');
			request.onsuccess = () => resolve(request.result);
			request.onerror = () => reject(request.error!);
		});
		const counts: Record<string, number> = {};
		for (const name of db.objectStoreNames) {
			counts[name] = await new Promise((resolve) => {
				const request = db.transaction(name).objectStore(name).count();
				request.onsuccess = () => resolve(request.result);
			});
		}
		db.close();
		return counts;
	});
}

/** Every file in the folder of models, whole or not. */
export function modelFiles(page: Page): Promise<string[]> {
	return page.evaluate(async () => {
		const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('models', { create: true });
		const names: string[] = [];
		for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name);
		return names;
	});
}

/** Sends a message and waits for its answer. */
export async function ask(page: Page, text: string): Promise<void> {
	await say(page, text);
	await expect(said(page).you.last()).toHaveText(text);
	await answer(page);
}

/** Puts rows into the tables of a page that is open, beside the app: it sees them when it is opened again. */
export async function putRows(page: Page, rows: Record<string, unknown[]>): Promise<void> {
	// The app makes the tables.
	await expect.poll(() => page.evaluate(() => indexedDB.databases())).not.toEqual([]);
	await page.evaluate(async (rows) => {
		const db = await new Promise<IDBDatabase>((resolve, reject) => {
			const request = indexedDB.open('snug');
			request.onsuccess = () => resolve(request.result);
			request.onerror = () => reject(request.error!);
		});
		const written = db.transaction(Object.keys(rows), 'readwrite');
		for (const [table, those] of Object.entries(rows)) for (const row of those) written.objectStore(table).put(row);
		await new Promise((resolve, reject) => {
			written.oncomplete = resolve;
			written.onabort = () => reject(written.error!);
		});
		db.close();
	}, rows);
}

/** The id of the session that `storedSession` makes of that number. */
export function storedId(number: number): string {
	return `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

/** A session with one question and its answer, as rows for `putRows`; the higher its number, the newer it is. */
export function storedSession(number: number, fields: Partial<Session> = {}): { sessions: Session; messages: Message[]; trees: Tree; positions: Position } {
	const sessionId = storedId(number);
	const idOf = (depth: number) => `01900000-0000-7000-800${depth + 1}-${String(number).padStart(12, '0')}`;
	const at = Date.UTC(2026, 0, 1) + number * 1000;
	const texts = ['', `Question ${number}`, `Answer ${number}`];
	const messages = (['system', 'user', 'assistant'] as const).map((role, depth): Message => {
		const parts = depth === 0 ? [] : [{ type: 'text' as const, text: texts[depth]! }];
		return { id: idOf(depth), sessionId, parentId: depth === 0 ? null : idOf(depth - 1), depth, role, parts, createdAt: at };
	});
	const tip = { id: idOf(2), depth: 2, forkId: null, forkDepth: 0, fromId: null };
	return {
		sessions: {
			id: sessionId,
			key: `web:home:${number}`,
			title: `Session ${number}`,
			titledBy: 'user',
			workspace: 'home',
			surface: 'web',
			preview: texts[1]!,
			provider: 'on-device',
			model: 'tiny',
			status: 'success',
			stopReason: '',
			steps: 1,
			messageCount: 3,
			bytes: 100,
			usage: {},
			filesTouched: [],
			pinned: 0,
			archived: 0,
			createdAt: at,
			updatedAt: at,
			...fields
		},
		messages,
		trees: { sessionId, tips: [tip], labels: {}, mainTip: null, removed: [] },
		positions: { sessionId, headId: tip.id, fence: 0 }
	};
}

/** A session in which these texts were said in turn, the user first, as rows for `putRows`. `system` is its system prompt. */
export function storedConversation(number: number, texts: string[], { system = '' } = {}): ReturnType<typeof storedSession> {
	const { sessions, messages, trees, positions } = storedSession(number);
	const idOf = (depth: number) => `01900000-0000-7000-${(0x8000 + depth).toString(16)}-${String(number).padStart(12, '0')}`;
	const all = [system, ...texts].map((text, depth): Message => {
		const role = depth === 0 ? 'system' : depth % 2 === 1 ? 'user' : 'assistant';
		const parts = text === '' ? [] : [{ type: 'text' as const, text }];
		return { ...messages[0]!, id: idOf(depth), parentId: depth === 0 ? null : idOf(depth - 1), depth, role, parts };
	});
	const tip = { ...trees.tips[0]!, id: idOf(texts.length), depth: texts.length };
	const bytes = texts.join('').length;
	return {
		sessions: { ...sessions, messageCount: all.length, bytes },
		messages: all,
		trees: { ...trees, tips: [tip] },
		positions: { ...positions, headId: tip.id }
	};
}

/** Stores sessions, as `storedSession` makes them, and opens the app again. */
export async function withSessions(page: Page, stored: ReturnType<typeof storedSession>[]): Promise<void> {
	await putRows(page, {
		sessions: stored.map(({ sessions }) => sessions),
		messages: stored.flatMap(({ messages }) => messages),
		trees: stored.map(({ trees }) => trees),
		positions: stored.map(({ positions }) => positions)
	});
	await page.goto('./');
}

/** A page that is the app's own but runs nothing of it, so that its database can be made as it would be found. */
export async function openBlank(page: Page): Promise<void> {
	await page.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }));
	await page.goto('./blank');
}

/** Fails if axe finds anything on the page, once what was drawn last has its size. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
	await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
	const { violations } = await new AxeBuilder({ page }).analyze();
	expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]), screen).toEqual([]);
}

/** Ends the tab's process, so that nothing in it runs to its end. */
export async function crash(page: Page): Promise<void> {
	const devtools = await page.context().newCDPSession(page);
	const crashed = page.waitForEvent('crash');
	devtools.send('Page.crash').catch(() => 'it has no one left to answer');
	await crashed;
}

/**
 * Presses a button that hears nothing for a while after it has moved, until it hears it, and with the mouse itself: Playwright's own click scrolls before it presses. What a program scrolls to soon
 * after something was drawn is left again: then it is scrolled to again.
 */
export async function pressOnceStill(button: Locator): Promise<void> {
	const page = button.page();
	await expect(async () => {
		await expect(button).toBeEnabled();
		const middle = await button.evaluate(async (button) => {
			await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
			const { x, y, width, height } = button.getBoundingClientRect();
			const middle = { x: x + width / 2, y: y + height / 2 };
			if (!button.contains(document.elementFromPoint(middle.x, middle.y))) {
				button.scrollIntoView({ block: 'center' });
				throw new Error('The button is not in sight.');
			}
			Object.assign(window, { isHeard: false });
			button.addEventListener('click', () => Object.assign(window, { isHeard: true }), { once: true });
			return middle;
		});
		await page.mouse.click(middle.x, middle.y);
		expect(await page.evaluate(() => (window as unknown as { isHeard: boolean }).isHeard)).toBe(true);
	}).toPass();
}
