// What a person does in a chat, in the words of the page.
import { expect, type Locator, type Page } from '@playwright/test';

/** Chooses a server's model through the dialog, as a person would. `baseUrl` as typed into the address field. */
export async function useServer(page: Page, baseUrl: string, model: string): Promise<void> {
	await page.getByRole('button', { name: /where answers come from|a server/ }).first().click();
	const dialog = page.getByRole('dialog', { name: 'Where answers come from' });
	await dialog.getByRole('radio', { name: /A server/ }).check();
	await dialog.getByRole('textbox', { name: 'Address' }).fill(baseUrl);
	await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
	const search = dialog.getByRole('searchbox', { name: 'Find a model' });
	await search.fill(model);
	await dialog.getByRole('button', { name: model, exact: true }).click();
	await expect(dialog).toBeHidden();
}

/** Types a message and sends it. */
export async function say(page: Page, text: string): Promise<void> {
	await page.getByRole('textbox', { name: 'Message' }).fill(text);
	await page.getByRole('button', { name: 'Send' }).click();
}

/** The last answer, once it is whole. */
export async function answer(page: Page, { timeout = 30_000 } = {}): Promise<string> {
	const article = page.getByRole('article', { name: 'Assistant' }).last();
	await expect(article).toHaveAttribute('aria-busy', 'false', { timeout });
	return article.innerText();
}

/** Does something with the open session, from its menu. */
export async function inSessionMenu(page: Page, item: string): Promise<void> {
	await page.getByRole('button', { name: 'Session menu' }).click();
	await page.getByRole('button', { name: item, exact: true }).click();
}

/** Does something with a message, from its menu. */
export async function inMessageMenu(page: Page, message: Locator, item: string): Promise<void> {
	await message.hover();
	await actionsOf(message).getByRole('button', { name: 'More' }).click();
	await page.getByRole('group', { name: 'Message' }).getByRole('button', { name: item, exact: true }).click();
}

/** The buttons of a message: inside of an answer, beside what the person wrote. */
export function actionsOf(message: Locator): Locator {
	return message.locator('xpath=ancestor-or-self::*[contains(@class, "asked") or self::article[@aria-label="Assistant"]][last()]').locator('.actions');
}

/** What the person wrote, and the answers, as the transcript shows them. */
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
