// What a user does in the crash campaign, with words that no one else says, and a record of where each was last seen: so that
// after a kill every one of them can be looked for.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { callsOn, Permissions } from './campaign-calls';
import { actionsOf, inMessageMenu, inSessionMenu, said } from './chat';

/** How long a word may stand on the screen before it must survive a kill. */
export const graceMs = 2000;

/** A random number below `count`, from a seed, so that a run can be had again. */
export function createDice(seed: number): (count: number) => number {
	let state = seed >>> 0;
	return (count) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * count);
	};
}

/** A message, or an answer that is not whole, as it is stored. */
export interface Row {
	id: string;
	text: string;
}

/** Where a word stood in a chat for the first time, and when; epoch milliseconds. */
interface Sighting {
	path: string;
	at: number;
}

/** A message that is shown as stored: its first words, and where and when that was seen first. */
interface Stored extends Sighting {
	text: string;
}

/**
 * What the user has seen: words in chats, and messages that are shown as stored. What they deleted themselves is not asked for.
 * A word in the composer of a new chat is not in a chat yet: it belongs to its tab alone until it is sent.
 */
export class Ledger {
	readonly words = new Map<string, Sighting>();
	/** Messages, and answers that ended before they were whole, by id. */
	readonly stored = new Map<string, Stored>();
	/** Words that a message said which was shown as stored, whatever became of it. */
	readonly sent = new Set<string>();
	readonly permissions = new Permissions();
	/** Messages that were deleted and not taken back: a page may show one for a moment more, which stands in the store until the purge. */
	private readonly deleted = new Set<string>();
	/** Counts how often the app began to say that there is no space left. */
	refusals = 0;
	/** What is being deleted: whether it went or is back can't be told at a kill. */
	private deleting: { words: Set<string>; path: string; messages: Set<string> } | undefined;

	/** Tells of words and stored messages on every page that is opened from now on: on one alone, a kill just then is an error of Playwright's. */
	async watch(context: BrowserContext): Promise<void> {
		await context.exposeFunction('seen', (words: string[], path: string, at: number) => {
			if (path === this.deleting?.path) return;
			this.see(words, path, at);
		});
		await context.exposeFunction('acknowledge', (id: string, text: string, path: string) => {
			for (const word of text.match(/typed\d+w/g) ?? []) this.sent.add(word);
			if (path === this.deleting?.path || this.deleted.has(id)) return;
			// What follows in other lines is stored with escapes.
			this.stored.set(id, { text: text.split('\n')[0]!, path, at: this.stored.get(id)?.at ?? Date.now() });
		});
		await context.exposeFunction('refuse', () => void this.refusals++);
		await context.addInitScript(watchPage);
	}

	/** Words stand in a chat, or were taken from there. */
	see(words: string[], path: string, at = Date.now()): void {
		for (const word of words) if (!this.words.has(word)) this.words.set(word, { path, at });
	}

	/**
	 * The user deletes something of a chat. Words and answers that they had just seen there may have been stored after its contents were
	 * read, and so may belong to it. Call the result when it is done, with true if it is back; what is seen of the chat until then is not
	 * recorded.
	 */
	delete(path: string, { words, messages }: Contents): (isBack: boolean) => void {
		const isJust = (sighting: Sighting) => sighting.path === path && sighting.at > Date.now() - graceMs;
		const seen = [...this.words].filter(([word, sighting]) => words.has(word) || isJust(sighting));
		const stored = [...this.stored].filter(([id, message]) => messages.has(id) || isJust(message));
		const deleting = (this.deleting = {
			words: new Set([...words, ...seen.map(([word]) => word)]),
			path,
			messages: new Set([...messages, ...stored.map(([id]) => id)])
		});
		this.forget(deleting);
		return (isBack) => {
			if (this.deleting === deleting) this.deleting = undefined;
			if (!isBack) {
				for (const id of messages) this.deleted.add(id);
				return this.forget(deleting);
			}
			for (const [word, sighting] of seen) this.words.set(word, { ...sighting, at: Date.now() });
			for (const [id, message] of stored) this.stored.set(id, message);
		};
	}

	/** What must be there after a kill: words that had been seen for a while by then, and all stored messages. */
	due(killedAt: number): { words: [string, Sighting][]; stored: [string, Stored][] } {
		if (this.deleting) this.forget(this.deleting);
		this.deleting = undefined;
		// What was younger is looked for no more, unless it is seen again.
		for (const [word, { at }] of this.words) if (at > killedAt - graceMs) this.words.delete(word);
		return { words: [...this.words], stored: [...this.stored] };
	}

	/** There is no place for new words on a full disk; nothing older may go, and no message of the user's that is shown as stored. */
	keepOnly(before: { words: Set<string>; stored: Set<string> }): void {
		for (const word of this.words.keys()) if (!before.words.has(word)) this.words.delete(word);
		for (const [id, { text }] of this.stored) if (!before.stored.has(id) && !text.includes('typed')) this.stored.delete(id);
	}

	private forget({ words, messages }: Contents): void {
		for (const word of words) this.words.delete(word);
		for (const id of messages) this.stored.delete(id);
	}
}

/** Runs in the page, before its own scripts. */
function watchPage(): void {
	const told = new Set<string>();
	const acknowledged = new Set<string>();
	let isRefused = false;
	const tell = (text: string) => {
		if (!location.pathname.includes('/s/')) return;
		const words = (text.match(/(?:typed|told)\d+w/g) ?? []).filter((word) => !told.has(word));
		for (const word of words) told.add(word);
		if (words.length > 0) void window.seen(words, location.pathname, Date.now());
	};
	// What is said or written; titles and summaries are made of that, and may outlive it.
	const places = 'main article, main form';
	// A file that is said to be read still is in the page alone.
	const textOf = (node: Node) => {
		const reading = node instanceof Element ? [...node.querySelectorAll('.reading')] : [];
		return reading.reduce((text, { textContent }) => text.replace(textContent, ''), node.textContent ?? '');
	};
	const textsIn = (node: Node) => {
		const element = node instanceof Element ? node : node.parentElement;
		if (element?.closest('.reading')) return [];
		if (element?.closest(places)) return [textOf(node)];
		return node instanceof Element ? [...node.querySelectorAll(places)].map(textOf) : [];
	};
	const look = () => {
		// A chat that was left may be drawn for a moment more.
		const articles = location.pathname.includes('/s/') ? document.querySelectorAll<HTMLElement>('article[data-id]') : [];
		for (const article of articles) {
			const id = article.dataset.id!;
			const isStored = article.parentElement?.querySelector('.actions') && article.getAttribute('aria-busy') !== 'true';
			if (!isStored || acknowledged.has(id)) continue;
			acknowledged.add(id);
			void window.acknowledge(id, article.querySelector('p')?.innerText ?? '', location.pathname);
		}
		const wasRefused = isRefused;
		isRefused = [...document.querySelectorAll('[role=alert], [role=status]')].some(({ textContent }) => textContent.includes('There is no space left'));
		if (isRefused && !wasRefused) void window.refuse();
	};
	new MutationObserver((changes) => {
		for (const { target, addedNodes } of changes) for (const node of [target.nodeType === Node.TEXT_NODE ? target : undefined, ...addedNodes]) if (node) for (const text of textsIn(node)) tell(text);
		look();
	}).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
	document.addEventListener('input', ({ target }) => {
		if (target instanceof HTMLTextAreaElement) tell(target.value);
	});
	window.lookAgain = () => {
		told.clear();
		acknowledged.clear();
		for (const text of textsIn(document.documentElement)) tell(text);
		for (const field of document.querySelectorAll('textarea')) tell(field.value);
		look();
	};
}

/** Words and ids of messages. */
interface Contents {
	words: Set<string>;
	messages: Set<string>;
}

declare global {
	interface Window {
		seen: (words: string[], path: string, at: number) => Promise<void>;
		acknowledge: (id: string, text: string, path: string) => Promise<void>;
		refuse: () => Promise<void>;
		lookAgain: () => void;
	}
}

/** The words in each place that one can get them back from, also in files, and in what a page left behind when it went. */
export async function storedWords(page: Page): Promise<Map<string, Set<string>>> {
	const texts = await page.evaluate(async () => {
		const db = await new Promise<IDBDatabase>((resolve, reject) => {
			const request = indexedDB.open('snug');
			request.onsuccess = () => resolve(request.result);
			request.onerror = () => reject(request.error!);
		});
		const texts: [place: string, text: string][] = [];
		for (const table of ['messages', 'drafts', 'answers', 'attachments', 'checkpoints', 'trash']) {
			const rows = await new Promise<unknown[]>((resolve) => {
				const request = db.transaction(table).objectStore(table).getAll();
				request.onsuccess = () => resolve(request.result);
			});
			const files = table === 'attachments' ? (rows as { content: Blob }[]) : [];
			texts.push([table, JSON.stringify(rows) + (await Promise.all(files.map(({ content }) => content.text()))).join(' ')]);
		}
		db.close();
		return [...texts, ['local storage', JSON.stringify(localStorage)] as const];
	});
	return new Map(texts.map(([place, text]) => [place, new Set(text.match(/(?:typed|told)\d+w/g))]));
}

/** What is in a chat, or in a message of it and all below, as it is stored: with edits, drafts and answers that are not whole. */
function contentsOf(page: Page, sessionId: string, messageId?: string): Promise<Contents> {
	return page
		.evaluate(
			async ([sessionId, messageId]) => {
				const db = await new Promise<IDBDatabase>((resolve) => {
					const request = indexedDB.open('snug');
					request.onsuccess = () => resolve(request.result);
				});
				const read = <T>(table: string) =>
					new Promise<T[]>((resolve) => {
						const request = db.transaction(table).objectStore(table).getAll();
						request.onsuccess = () => resolve((request.result as (T & { sessionId: string })[]).filter((row) => row.sessionId === sessionId));
					});
				const messages = await read<{ id: string; parentId: string | null; depth: number }>('messages');
				const drafts = await read<{ edits?: { [id: string]: string } }>('drafts');
				const answers = await read<{ parentId: string; messageId: string }>('answers');
				const decided = (await read<{ calls: { answerId: string }[] }>('checkpoints')).flatMap(({ calls }) => calls);
				db.close();
				const below = new Set(messageId ? [messageId] : messages.map(({ id }) => id));
				for (const { id, parentId } of messages.sort((a, b) => a.depth - b.depth)) if (parentId !== null && below.has(parentId)) below.add(id);
				const edits = drafts.flatMap((draft) => Object.entries(draft.edits ?? {})).filter(([id]) => below.has(id));
				const parts = answers.filter(({ parentId }) => below.has(parentId));
				const calls = decided.filter(({ answerId }) => below.has(answerId));
				const gone = [messages.filter(({ id }) => below.has(id)), edits, parts, calls, messageId ? [] : drafts];
				return { messages: [...below, ...parts.map(({ messageId }) => messageId)], words: JSON.stringify(gone).match(/(?:typed|told)\d+w/g) ?? [] };
			},
			[sessionId, messageId] as const
		)
		.then(({ messages, words }) => ({ messages: new Set(messages), words: new Set(words) }));
}

/** Whether a chat, or a message of it, is there and not deleted. */
function isStored(page: Page, sessionId: string, messageId?: string): Promise<boolean> {
	return page.evaluate(
		async ([sessionId, messageId]) => {
			const db = await new Promise<IDBDatabase>((resolve) => {
				const request = indexedDB.open('snug');
				request.onsuccess = () => resolve(request.result);
			});
			const get = <T>(table: string) =>
				new Promise<T | undefined>((resolve) => {
					const request = db.transaction(table).objectStore(table).get(sessionId);
					request.onsuccess = () => resolve(request.result as T);
				});
			const [session, tree] = [await get('sessions'), await get<{ removed: string[] }>('trees')];
			const known = messageId === undefined || (await new Promise<unknown>((resolve) => {
				const request = db.transaction('messages').objectStore('messages').index('id').getKey(messageId);
				request.onsuccess = () => resolve(request.result);
			})) !== undefined;
			db.close();
			return session !== undefined && known && (messageId === undefined || !tree!.removed.includes(messageId));
		},
		[sessionId, messageId] as const
	);
}

/** Tells whether an answer that is not whole is there: as that, or as a message. */
function isPartStored(page: Page, id: string): Promise<boolean> {
	return page.evaluate(async (id) => {
		const db = await new Promise<IDBDatabase>((resolve) => {
			const request = indexedDB.open('snug');
			request.onsuccess = () => resolve(request.result);
		});
		const parts = await new Promise<{ messageId: string }[]>((resolve) => {
			const request = db.transaction('answers').objectStore('answers').getAll();
			request.onsuccess = () => resolve(request.result as { messageId: string }[]);
		});
		const key = await new Promise<unknown>((resolve) => {
			const request = db.transaction('messages').objectStore('messages').index('id').getKey(id);
			request.onsuccess = () => resolve(request.result);
		});
		db.close();
		return key !== undefined || parts.some(({ messageId }) => messageId === id);
	}, id);
}

/** How the server may fail, by its scenarios. */
const failures = ['500', '429', 'breaks-off', 'error-event', 'no-finish', 'bad-json'];

/** Moves that are done where a call of the model's waits for them. */
const waysOn = new Set(['allow a call', 'allow calls in a chat', 'deny a call', 'answer the model', 'resume']);

/** Moves that follow from others, and are counted beside them. */
const secondMoves = ['allow a call again', 'send an edit', 'undo a deleted branch', 'undo a deleted chat', 'undo a discard'];

/** Counts of a move: begun, and come about; and why it did not the first time. */
interface Tally {
	tried: number;
	done: number;
	reason?: string;
}

/** Tells, once the browser is gone, whether a move came about. */
type Proof = () => boolean;

/** Why a move can't be done just now. */
class NotDone extends Error {}

/** A user with up to two tabs, who does one thing after another until the browser is gone. */
export class User {
	/** What they did since the browser was opened, each with the milliseconds and the tab; `move` is what they are doing. */
	readonly course: string[] = [];
	move = '';
	private readonly begun = Date.now();
	private readonly tallies = new Map<string, Tally>();
	private readonly proofs: [move: string, proof: Proof][] = [];
	private isOver = false;
	/** Each throws if it does not come about. */
	private readonly moves: { [name: string]: () => Promise<void | Proof> };

	/** `doneBefore` is how often each move was done in other browsers, `site` one whose pages the model may fetch; `callsTools`: has it call tools most of the time. */
	constructor(
		private page: Page,
		private readonly dice: (count: number) => number,
		private readonly ledger: Ledger,
		private readonly nextNumber: () => number,
		private readonly doneBefore: ReadonlyMap<string, number>,
		private readonly site: string,
		private readonly tell: (occasion: string) => void,
		private readonly callsTools: boolean
	) {
		this.moves = {
			send: () => this.send(),
			'send more': () => this.send(),
			type: () => this.type(),
			'type on': () => this.type(),
			'send to a failing server': () => this.send(` (${this.pick(failures)})`),
			'call tools': () => this.send(`\n${this.calls()}\n.`).finally(() => this.lookOn()),
			'allow a call': () => this.allow('Allow once'),
			'allow calls in a chat': () => this.allow(/^Allow .*in this chat$/),
			'deny a call': () => this.deny(),
			'answer the model': () => this.answer(),
			resume: () => this.goOn('Resume'),
			attach: () => this.attach(),
			edit: () => this.edit(),
			regenerate: () => this.click(actionsOf(said(this.page).assistant.last()).getByRole('button', { name: 'Regenerate' })),
			retry: () => this.goOn('Retry'),
			keep: () => this.click(this.page.getByRole('button', { name: 'Keep partial answer' })),
			discard: () => this.discard(),
			stop: () => this.click(this.page.getByRole('button', { name: 'Stop' })),
			compact: () => this.compact(),
			'delete a branch': () => this.deleteBranch(),
			'delete a chat': () => this.deleteChat(),
			'previous version': () => this.step('Previous version'),
			'next version': () => this.step('Next version'),
			'new chat': () => this.click(this.page.getByRole('link', { name: 'New chat' })),
			'open a chat': () => this.open(),
			'take over': () => this.takeOver(),
			reload: () => this.page.reload().then(() => undefined)
		};
		for (const move of [...Object.keys(this.moves), ...secondMoves]) this.tallies.set(move, { tried: 0, done: 0 });
		limit(page);
	}

	/** Ends with `leave`; rejects with what is wrong with the browser or the campaign before that. */
	async live(): Promise<void> {
		try {
			while (!this.isOver) {
				const move = await this.next();
				this.course.push(`${Date.now() - this.begun} ${move} (tab ${this.page.context().pages().indexOf(this.page)}, ${this.path})`);
				await this.attempt(move, this.moves[move]!);
				await sleep(this.dice(250));
			}
		} catch (error) {
			if (!this.isOver) throw error;
		}
	}

	/** The browser is about to be killed: what fails from now on fails for that. */
	leave(): void {
		this.isOver = true;
	}

	/** Returns how often each move was tried and done, once the browser is gone. */
	count(): Map<string, Tally> {
		for (const [move, proof] of this.proofs.splice(0)) if (proof()) this.tallies.get(move)!.done++;
		return this.tallies;
	}

	/** Any move, one of those that can be done only now and then, where that is now, or one that was done least. */
	private async next(): Promise<string> {
		const { you, assistant } = said(this.page);
		const rare: string[] = [];
		const wayOn = await this.wayOn();
		if (wayOn && this.dice(4) > 0) return wayOn;
		if (this.callsTools && !wayOn && this.dice(4) > 0) return 'call tools';
		if ((await you.count()) === 0) rare.push('send', 'call tools', 'send to a failing server');
		else if ((await this.page.getByRole('log').locator('.ways').count()) > 0) rare.push(...((await this.unfinished.count()) > 0 ? ['retry', 'keep', 'discard', 'discard'] : ['retry']));
		else if (this.dice(3) === 0 && (await assistant.and(this.page.locator('[aria-busy=true]')).count()) > 0) rare.push('stop');
		else if (this.dice(3) === 0 && (await this.page.getByRole('group', { name: 'Versions' }).count()) > 0) rare.push('previous version', 'next version');
		else rare.push('call tools', 'call tools', 'send to a failing server', 'edit', 'regenerate', 'compact');
		const all = Object.keys(this.moves).filter((move) => !waysOn.has(move));
		const fewest = Math.min(...all.map((move) => this.timesDone(move)));
		return this.pick([rare, all, all.filter((move) => this.timesDone(move) === fewest)][this.dice(3)]!);
	}

	private timesDone(move: string): number {
		return (this.doneBefore.get(move) ?? 0) + this.tallies.get(move)!.done;
	}

	/** Tells whether a move is to follow the one that allows it: half of the time, and until it was done once. */
	private wants(move: string): boolean {
		return this.timesDone(move) === 0 || this.dice(2) === 1;
	}

	/** Tries a move and counts it. Returns whether it was done, as far as that is known by now. */
	private async attempt(move: string, work: () => Promise<void | Proof>): Promise<boolean> {
		const tally = this.tallies.get(move)!;
		const before = this.move;
		this.move = move;
		tally.tried++;
		try {
			const proof = await work();
			if (proof) this.proofs.push([move, proof]);
			else tally.done++;
			return true;
		} catch (error) {
			if (this.isOver) return false;
			const reason = reasonOf(error as Error);
			tally.reason ??= reason;
			this.course.push(`    “${move}” was not done: ${reason}`);
			return false;
		} finally {
			if (before && secondMoves.includes(move)) this.move = before;
		}
	}

	private words(count = 3): string {
		return Array.from({ length: count }, () => `typed${this.nextNumber()}w`).join(' ');
	}

	private pick<T>(list: readonly T[]): T {
		return list[this.dice(list.length)]!;
	}

	private click(what: Locator): Promise<void> {
		return what.click({ timeout: 500 });
	}

	/** Goes to another version of a message, of any that has one there. */
	private step(label: string): Promise<void> {
		return this.click(this.page.getByRole('button', { name: label, disabled: false }).first());
	}

	private get composer(): Locator {
		return this.page.getByRole('textbox', { name: 'Message', exact: true });
	}

	/** Types at the end of what is there, word by word. */
	private async append(field: Locator, words: string): Promise<void> {
		await field.focus({ timeout: 1000 });
		await field.press('Control+End', { timeout: 1000 });
		for (const word of words.split(' ')) await this.page.keyboard.insertText(` ${word}`);
		if (!(await field.inputValue({ timeout: 1000 })).includes(words)) throw new NotDone('the field did not take the words');
	}

	private async type(): Promise<void> {
		await this.append(this.composer, this.words());
	}

	/** Sees later whether a message is shown as stored, while the user does other things. */
	private async send(more = ''): Promise<Proof> {
		const words = this.words();
		await this.append(this.composer, words + more);
		const form = this.page.locator('form').filter({ has: this.composer });
		await form.getByRole('button', { name: 'Send', exact: true }).click({ timeout: 2000 });
		return () => this.ledger.sent.has(words.split(' ')[0]!);
	}

	private async attach(): Promise<void> {
		const [name, content] = [this.words(1), this.words(1)];
		const file = { name: `${name}.txt`, mimeType: 'text/plain', buffer: Buffer.from(content) };
		await this.page.locator('input[type=file]').first().setInputFiles([file], { timeout: 1000 });
		await this.page.getByRole('list', { name: 'Attached files' }).getByText(name).first().waitFor({ timeout: 1000 });
	}

	private async edit(): Promise<void> {
		const { you } = said(this.page);
		await this.click(actionsOf(you.nth(this.dice(await you.count()))).getByRole('button', { name: 'Edit' }));
		await this.append(this.page.getByRole('textbox', { name: 'Edited message' }).first(), this.words(1));
		const send = this.page.getByRole('form', { name: 'Edit message' }).getByRole('button', { name: 'Send' }).first();
		if (this.wants('send an edit')) await this.attempt('send an edit', () => this.click(send));
	}

	/** An answer that is not whole, at the end of a chat. */
	private get unfinished(): Locator {
		return said(this.page).assistant.last().and(this.page.locator('article:not(:has(.actions))'));
	}

	/** The same as it is shown. */
	private async part(): Promise<{ id: string; words: string[] } | undefined> {
		const part = this.unfinished;
		if ((await part.count()) === 0) return undefined;
		const [id, shown] = [await part.getAttribute('data-id', { timeout: 500 }), await part.textContent({ timeout: 500 })];
		return id ? { id, words: shown?.match(/told\d+w/g) ?? [] } : undefined;
	}

	private async goOn(label: 'Retry' | 'Resume'): Promise<void> {
		const button = this.page.getByRole('button', { name: label }).last();
		if (!(await button.isVisible())) throw new NotDone(`no ${label} is offered`);
		await this.click(button);
	}

	/** Steps in which the model calls tools, a line each. */
	private calls(): string {
		const all = callsOn(this.site);
		const few = <T>(make: () => T) => Array.from({ length: 1 + this.dice(2) }, make);
		return few(() => few(() => this.pick(all)).join(' && ')).join('\n');
	}

	private get cards(): Locator {
		return this.page.getByRole('group', { name: 'Approval' });
	}

	/** A call that waits for the user's permission, or else for their answer, and the word in it. */
	private async card(isQuestion = false): Promise<{ card: Locator; text: string; word: string }> {
		const those = this.cards.filter({ [isQuestion ? 'hasText' : 'hasNotText']: 'The model asks you' });
		const text = await this.oneOf(those, await those.count()).textContent({ timeout: 500 });
		// In a note it follows those that were written before.
		const word = text?.split('What the model sent')[0]!.match(/told\d+w/g)?.at(-1);
		if (!text || !word) throw new NotDone('the call has no word of its own');
		return { card: those.filter({ hasText: isQuestion ? word : new RegExp(`${word}((?!told\\d).)*What the model sent`, 's') }), text, word };
	}

	private oneOf(those: Locator, count: number): Locator {
		if (count === 0) throw new NotDone('no such call waits');
		return those.nth(this.dice(count));
	}

	private async allow(reach: string | RegExp): Promise<void> {
		const { sessionId } = this;
		const { card, text, word } = await this.card();
		const isAgain = text.includes('may have been done already');
		const press = async () => {
			const tool = toolOf(text);
			const takeBack = this.ledger.permissions.give({ word, tool, sessionId, isAgain, isForChat: reach !== 'Allow once' });
			const failure = await failureOf(card.getByRole('button', { name: reach }).click({ timeout: 2000 }));
			if (!wasPressed(failure) && !this.isOver) takeBack();
			if (failure) throw failure;
			this.tell('a decision');
			await this.lookOn();
		};
		if (!isAgain) await press();
		else if (!(await this.attempt('allow a call again', press))) throw new NotDone('it was not allowed again');
	}

	/** Looks on for a moment, most of the time: a call may wait soon. */
	async lookOn(): Promise<void> {
		if (!this.callsTools && this.dice(4) === 0) return;
		const resume = this.page.getByRole('button', { name: 'Resume' });
		await this.cards.or(resume).first().waitFor({ timeout: 1500 }).catch(() => undefined);
	}

	private async deny(): Promise<void> {
		const { card } = await this.card();
		await card.getByRole('button', { name: 'Deny…' }).click({ timeout: 2000 });
		await this.say(card, 'Message to the model', 'Deny');
	}

	private async answer(): Promise<void> {
		const { card } = await this.card(true);
		await this.say(card, 'Your answer', 'Answer');
	}

	/** Says something to the model in a card, which goes when that is stored. */
	private async say(card: Locator, label: string, button: string): Promise<void> {
		const { path } = this;
		const words = this.words(1);
		await card.getByRole('textbox', { name: label }).fill(words, { timeout: 1000 });
		await card.getByRole('button', { name: button, exact: true }).click({ timeout: 2000 });
		this.tell('a decision');
		await card.waitFor({ state: 'hidden', timeout: 2000 });
		this.ledger.see([words], path);
	}

	/** A move by which calls of the model go on, where they wait for that. */
	private async wayOn(): Promise<string | undefined> {
		if ((await this.cards.count()) > 0) {
			this.tell('a card');
			if ((await this.cards.filter({ hasText: 'The model asks you' }).count()) > 0) return 'answer the model';
			return this.pick(['allow a call', 'allow a call', 'allow calls in a chat', 'deny a call']);
		}
		const isOffered = async (name: string) => (await this.page.getByRole('button', { name }).count()) > 0;
		if (await isOffered('Resume')) return 'resume';
		return (await isOffered('Keep partial answer')) ? 'retry' : undefined;
	}

	/** Goes on with the calls of the chat that is shown until `isDone`. Returns false where that does not come. */
	async finish(isDone: () => Promise<boolean>): Promise<boolean> {
		return until(async () => {
			if (await isDone()) return true;
			const move = await this.wayOn();
			if (move) await this.attempt(move, this.moves[move]!);
			return false;
		}, 30_000);
	}

	/** Discards an answer that is not whole, and half of the time takes that back. */
	private async discard(): Promise<void> {
		const { page, path } = this;
		const discard = page.getByRole('button', { name: 'Discard' });
		if (!(await discard.isVisible())) throw new NotDone('no Discard is offered');
		const part = await this.part();
		if (!part) throw new NotDone('no answer that is not whole is shown');
		const settle = this.ledger.delete(path, { words: new Set(part.words), messages: new Set([part.id]) });
		const isThere = (wanted: boolean) => until(async () => (await isPartStored(page, part.id)) === wanted);
		const isShown = async () => (await page.locator(`article[data-id="${part.id}"]`).count()) > 0;
		const failure = await failureOf(this.click(discard));
		const isGone = wasPressed(failure) && (await isThere(false)) && (await until(async () => !(await isShown())));
		const isBack = !isGone || (this.wants('undo a discard') && (await this.undo('undo a discard', 'Partial answer discarded.', () => isThere(true))));
		await this.settle(settle, isBack);
		if (!isGone) throw failure ?? new NotDone('it is still there');
	}

	private async compact(): Promise<void> {
		const id = this.sessionId;
		if (!id) throw new NotDone('no chat is open');
		const refusal = await this.page.evaluate(
			(id) => {
				if (!('snug' in window)) return 'The page is still loading.';
				return window.snug.context.compact(id, 'code-aware').then(
					() => undefined,
					(error: Error) => {
						// What the store refuses comes as it is, and is no bug.
						if (/^(Type|Reference|Range|Syntax)?Error$/.test(error.name)) throw error;
						return `${error.name}: ${error.message}`;
					}
				);
			},
			id
		);
		if (refusal !== undefined) throw new NotDone(refusal);
	}

	private async deleteBranch(): Promise<void> {
		const { you } = said(this.page);
		const message = you.nth(this.dice(await you.count()));
		const id = await message.getAttribute('data-id', { timeout: 500 });
		if (!id) throw new NotDone('the message has no id');
		const undo = { move: 'undo a deleted branch', notice: 'Messages deleted.' };
		await this.delete(id, undo, () => inMessageMenu(this.page, message, 'Delete from here on'));
	}

	private async deleteChat(): Promise<void> {
		const undo = { move: 'undo a deleted chat', notice: 'Chat deleted.' };
		await this.delete(undefined, undo, () => inSessionMenu(this.page, 'Delete chat'));
	}

	/** Deletes a message and what follows it, or a chat, and half of the time takes that back. */
	private async delete(messageId: string | undefined, undo: { move: string; notice: string }, work: () => Promise<void>): Promise<void> {
		const { page, path, sessionId } = this;
		if (!sessionId) throw new NotDone('no chat is open');
		const settle = this.ledger.delete(path, await contentsOf(page, sessionId, messageId));
		const isThere = (wanted: boolean) => until(async () => (await isStored(page, sessionId, messageId)) === wanted);
		const failure = await failureOf(work());
		const isGone = wasPressed(failure) && (await isThere(false));
		const isBack = !isGone || (this.wants(undo.move) && (await this.undo(undo.move, undo.notice, () => isThere(true))));
		// What was deleted must not be seen again.
		if (!isBack) await until(async () => (messageId ? (await page.locator(`article[data-id="${messageId}"]`).count()) === 0 : this.path !== path));
		await this.settle(settle, isBack);
		if (!isGone) throw failure ?? new NotDone('it is still there');
	}

	/** Takes back what the newest notice with these words tells of. Returns whether it is back. */
	private undo(move: string, notice: string, isBack: () => Promise<boolean>): Promise<boolean> {
		const line = this.page.getByRole('status').locator('div').filter({ hasText: notice }).first();
		return this.attempt(move, async () => {
			await line.getByRole('button', { name: 'Undo' }).click({ timeout: 1500 });
			if (!(await isBack())) throw new NotDone('it is not back');
		});
	}

	private async settle(settle: (isBack: boolean) => void, isBack: boolean): Promise<void> {
		settle(isBack);
		await this.page.evaluate(() => window.lookAgain());
	}

	private async open(): Promise<void> {
		const chats = this.page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /typed/ });
		await this.click(chats.nth(this.dice(Math.min(5, await chats.count()))));
	}

	/** Goes on in another tab of the same chat, which takes it over if the first has it open. */
	private async takeOver(): Promise<void> {
		if (!this.sessionId) throw new NotDone('no chat is open');
		const [first, second] = this.page.context().pages().filter((page) => !page.isClosed() && page.url().startsWith('http'));
		let other = first === this.page ? second : first;
		if (!other) {
			other = await this.page.context().newPage();
			limit(other);
		}
		if (other.url() !== this.page.url()) await other.goto(this.page.url());
		this.page = other;
		await other.bringToFront();
		await other.getByRole('button', { name: 'Take over' }).click({ timeout: 3000 });
	}

	/** The path of the page that they have before them. */
	get path(): string {
		return new URL(this.page.url()).pathname;
	}

	private get sessionId(): string | undefined {
		return /\/s\/([^/]+)/.exec(this.path)?.[1];
	}
}

/** The tool whose call a card shows. */
function toolOf(card: string): string {
	if (card.includes('Edit the file “')) return 'files_edit';
	if (card.includes('the file “')) return 'files_write';
	return card.includes('the note “') ? 'notes_write' : 'fetch_page';
}

/** Limits waiting: nothing is waited for until it comes, to be pressed at a time when no one wants that. */
function limit(page: Page): void {
	page.setDefaultTimeout(2000);
	page.setDefaultNavigationTimeout(30_000);
}

/** Why a move can't be done just now, in a line. Any other error is one of the browser or of the campaign, and thrown. */
function reasonOf(error: Error): string {
	const isPassing = /Execution context was destroyed|net::ERR_ABORTED|frame was detached/.test(error.message);
	if (!(error instanceof NotDone) && error.name !== 'TimeoutError' && !isPassing) throw error;
	const waitedFor = /waiting for .*/.exec(error.message)?.[0];
	return [error.message.split('\n')[0]!, waitedFor, !(error instanceof NotDone) && wasPressed(error) && '(pressed, but too slow)'].filter(Boolean).join(' ');
}

/** Tells whether something was pressed, also where the browser was too slow to say so in time. */
function wasPressed(failure: Error | undefined): boolean {
	return !failure || failure.message.includes('performing click action');
}

function failureOf(work: Promise<void>): Promise<Error | undefined> {
	return work.then(
		() => undefined,
		(error: Error) => error
	);
}

/** Whether it became so within some seconds. */
async function until(isSo: () => Promise<boolean>, milliseconds = 8000): Promise<boolean> {
	for (const begun = Date.now(); Date.now() - begun < milliseconds; await sleep(50)) if (await isSo()) return true;
	return false;
}
