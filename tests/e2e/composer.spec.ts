// What is written and not sent: it survives whatever happens around it, and comes twice nowhere.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app';
import { actionsOf, answer, ask, countRows, holdRows, inMessageMenu, inSessionMenu, newChat, putRows, refuseRows, rowsOf, said, say, storedConversation, storedId, storedSession, useServer } from './chat';

test.use({ weights: 'none' });

interface DraftRow {
	composer: string;
	attachments?: { name: string }[];
	edits?: Record<string, string>;
}

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const edited = (page: Page) => page.getByRole('textbox', { name: 'Edited message' });
const waiting = (page: Page) => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
const drafts = (page: Page) => rowsOf<DraftRow>(page, 'drafts').then((rows) => rows.map(({ composer }) => composer));
const asked = async (page: Page) =>
	(await rowsOf<{ role: string; parts: { text?: string }[] }>(page, 'messages'))
		.filter(({ role }) => role === 'user')
		.map(({ parts }) => parts[0]?.text);

/** From now on the page waits for Web Locks of this kind until the returned function is called. */
async function holdBack(page: Page, prefix: string): Promise<() => Promise<void>> {
	await page.evaluate(holdLocks, prefix);
	return () => page.evaluate(() => (window as unknown as { letGo: () => void }).letGo());
}

function holdLocks(prefix: string): void {
	const request = navigator.locks.request.bind(navigator.locks) as (...args: unknown[]) => Promise<unknown>;
	const held = new Promise<void>((letGo) => Object.assign(window, { letGo }));
	navigator.locks.request = (async (...args: unknown[]) => {
		if (String(args[0]).startsWith(prefix)) await held;
		return request(...args);
	}) as typeof navigator.locks.request;
}

/** From now on the page waits with reading files until the returned function is called. */
async function holdBackReading(page: Page): Promise<() => Promise<void>> {
	await page.evaluate(() => {
		const read = Blob.prototype.arrayBuffer;
		const held = new Promise<void>((readOn) => Object.assign(window, { readOn }));
		Blob.prototype.arrayBuffer = async function () {
			await held;
			return read.call(this);
		};
	});
	return () => page.evaluate(() => (window as unknown as { readOn: () => void }).readOn());
}

/** Goes to a session by its link in the sidebar. */
async function goTo(page: Page, url: string): Promise<void> {
	await page.locator(`nav a[href$="${url.split('/s/')[1]}"]`).first().click();
	await expect(page).toHaveURL(url);
}

test('[E11] a message leaves the composer when it is sent, and what is typed meanwhile stays', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const letFirst = await holdBack(page, 'answering:');
	await box(page).pressSequentially('first message');
	await page.keyboard.press('Enter');
	await expect(box(page)).toHaveValue('');
	await page.keyboard.type('second thought');
	// Twice is once.
	await page.keyboard.press('Enter');
	await letFirst();
	await answer(page);
	await expect(page).toHaveURL(/\/s\//);
	await expect(box(page)).toHaveValue('second thought');
	await expect(box(page)).toBeFocused();
	await expect.poll(() => drafts(page)).toEqual(['second thought']);

	const letSecond = await holdBack(page, 'answering:');
	await page.keyboard.press('Enter');
	await page.keyboard.type('third thought');
	// A page that ends now has all of it.
	await expect.poll(() => drafts(page)).toEqual(['second thought\n\nthird thought']);
	await letSecond();
	await expect(said(page).assistant).toHaveCount(2);
	await expect(box(page)).toHaveValue('third thought');
	await expect.poll(() => drafts(page)).toEqual(['third thought']);
	expect(await asked(page)).toEqual(['first message', 'second thought']);
});

test('[E11] a message that can’t be sent returns, before what was typed meanwhile', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Hello');
	const letGo = await holdBack(page, 'answering:');
	await say(page, 'Hello');
	await expect(box(page)).toHaveValue('');
	await box(page).pressSequentially('and more');
	await letGo();
	await expect(page.getByRole('button', { name: 'Send it again' })).toBeVisible();
	await expect(box(page)).toHaveValue('Hello\n\nand more');
	await expect.poll(() => drafts(page)).toEqual(['Hello\n\nand more']);
	expect(await asked(page)).toEqual(['Hello']);
});

test('[E11] who goes elsewhere while a message is sent stays there, and every text stays where it was typed', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Session B');
	const b = page.url();
	await box(page).fill('unsent in B');
	await newChat(page);
	await ask(page, 'Session A');
	const a = page.url();
	let letGo = await holdBack(page, 'answering:');
	await say(page, 'sent from A');
	await box(page).pressSequentially('unsent in A');
	await goTo(page, b);
	await expect(box(page)).toHaveValue('unsent in B');
	await letGo();
	await expect.poll(() => asked(page)).toEqual(['Session B', 'Session A', 'sent from A']);
	await expect.poll(async () => (await drafts(page)).sort()).toEqual(['unsent in A', 'unsent in B']);
	await expect(page).toHaveURL(b);
	await expect(box(page)).toHaveValue('unsent in B');

	await newChat(page);
	letGo = await holdBack(page, 'answering:');
	await say(page, 'Session C');
	await box(page).pressSequentially('for another chat');
	await goTo(page, a);
	await letGo();
	await expect.poll(() => asked(page)).toContain('Session C');
	expect((await drafts(page)).sort()).toEqual(['unsent in A', 'unsent in B']);
	await expect(page).toHaveURL(a);
	await newChat(page);
	await expect(box(page)).toHaveValue('for another chat');
});

test('[E11] who is on the way elsewhere when the first message of a chat is stored gets there', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const letGo = await holdBack(page, 'answering:');
	await say(page, 'A question');
	await expect(box(page)).toHaveValue('');
	let arrive = () => {};
	const isStored = new Promise<void>((resolve) => (arrive = resolve));
	await page.route('**/_app/immutable/nodes/**', async (route) => {
		await isStored;
		await route.continue();
	});
	const asksForPart = page.waitForRequest('**/_app/immutable/nodes/**');
	await page.getByRole('link', { name: 'Settings', exact: true }).click();
	await asksForPart;
	await letGo();
	await expect.poll(() => asked(page)).toEqual(['A question']);
	await expect.poll(() => page.evaluate(async () => (await window.snug.sessions.list())[0]?.status)).toBe('success');
	arrive();
	await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
	await expect(page).toHaveURL(/\/settings$/);
});

test('[E11] what is typed on while the first message of a new chat is stored comes once', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const letGo = await holdBack(page, 'answering:');
	await say(page, 'A question');
	await box(page).fill('and');
	await page.evaluate(() => {
		const field = document.querySelector<HTMLTextAreaElement>('textarea[aria-label="Message"]')!;
		const typeMore = () => {
			field.value += ' more';
			field.dispatchEvent(new Event('input', { bubbles: true }));
		};
		const add = IDBObjectStore.prototype.add;
		IDBObjectStore.prototype.add = function (...row) {
			if (this.name === 'messages') {
				IDBObjectStore.prototype.add = add;
				this.transaction.addEventListener('complete', typeMore);
			}
			return add.apply(this, row);
		};
	});
	await letGo();
	await answer(page);
	await expect(page).toHaveURL(/\/s\//);
	await expect.poll(() => drafts(page)).toEqual(['and more']);
	await expect(box(page)).toHaveValue('and more');
	await newChat(page);
	await expect(box(page)).toHaveValue('');
});

test('[E11] no edit is sent while a message is, which stays in the draft until it is stored', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Original');
	await said(page).you.hover();
	await actionsOf(said(page).you).getByRole('button', { name: 'Edit' }).click();
	await edited(page).fill('Edited');
	await holdBack(page, 'answering:');
	await box(page).fill('under way');
	await box(page).press('Enter');
	await expect.poll(() => drafts(page)).toEqual(['under way']);
	await edited(page).press('Enter');
	await box(page).fill('more');
	await expect.poll(() => drafts(page)).toEqual(['under way\n\nmore']);
	await expect(page.getByRole('form', { name: 'Edit message' }).getByRole('button', { name: 'Send' })).toBeDisabled();
	await page.reload();
	await expect(box(page)).toHaveValue('under way\n\nmore');
	await expect(edited(page)).toHaveValue('Edited');
});

test('[E11] [A14] the edit of a message ends for good with the message, and one that changes nothing is not stored', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'First');
	await say(page, 'Second');
	await expect(said(page).assistant).toHaveCount(2);
	await answer(page);
	await said(page).you.last().hover();
	await actionsOf(said(page).you.last()).getByRole('button', { name: 'Edit' }).click();
	await box(page).fill('beside');
	const rows = () => rowsOf<DraftRow>(page, 'drafts').then((rows) => rows.map(({ composer, edits }) => ({ composer, edits: Object.values(edits ?? {}) })));
	await expect.poll(rows).toEqual([{ composer: 'beside', edits: [] }]);
	await edited(page).fill('Second, edited');
	await expect.poll(rows).toEqual([{ composer: 'beside', edits: ['Second, edited'] }]);
	await inMessageMenu(page, said(page).assistant.first(), 'Delete from here on');
	await expect.poll(() => rowsOf(page, 'trash'), { timeout: 60_000 }).toEqual([]);
	await expect.poll(rows).toEqual([{ composer: 'beside', edits: [] }]);
	await box(page).fill('beside it');
	await expect.poll(rows).toEqual([{ composer: 'beside it', edits: [] }]);
});

test('[E11] what is typed before it is known who writes is merged with what is stored, and kept', async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Hello');
	await box(page).fill('from before');
	await expect.poll(() => drafts(page)).toEqual(['from before']);
	const url = page.url();
	await page.close();
	const next = await context.newPage();
	await next.addInitScript(holdLocks, 'session:');
	await next.goto(url);
	await expect(box(next)).toHaveValue('from before');
	await box(next).press('End');
	await next.keyboard.type(', typed at once');
	await next.evaluate(() => (window as unknown as { letGo: () => void }).letGo());
	await expect.poll(() => drafts(next)).toEqual(['from before, typed at once']);
	await expect(box(next)).toHaveValue('from before, typed at once');
});

test('[A5] a tab that writes again has the text of the tab that wrote, and what was sent there is not unsent here', async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Hello');
	const second = await context.newPage();
	await second.goto(page.url());
	await second.getByRole('button', { name: 'Take over' }).click();
	await expect(page.getByRole('button', { name: 'Take over' })).toBeVisible();
	await box(second).fill('a long thought of the second tab');
	await expect.poll(() => drafts(second)).toEqual(['a long thought of the second tab']);
	await second.close();
	await expect(page.getByRole('button', { name: 'Take over' })).toBeHidden();
	await expect(box(page)).toHaveValue('a long thought of the second tab');
	await box(page).press('End');
	await page.keyboard.type('!');
	await expect.poll(() => drafts(page)).toEqual(['a long thought of the second tab!']);

	const third = await context.newPage();
	await third.goto(page.url());
	await expect(third.getByRole('button', { name: 'Take over' })).toBeVisible();
	await expect(box(third)).toHaveValue('a long thought of the second tab!');
	await page.getByRole('button', { name: 'Send' }).click();
	await expect(said(page).assistant).toHaveCount(2);
	await answer(page);
	await expect(box(third)).toHaveValue('');
	await page.close();
	await expect(third.getByRole('button', { name: 'Take over' })).toBeHidden();
	await expect(box(third)).toHaveValue('');
	expect(await drafts(third)).toEqual([]);
});

test('[E11] an edit goes on after a visit elsewhere and a reload; it ends when it is sent, and a cancelled one can be had back', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Original');
	const url = page.url();
	await said(page).you.hover();
	await actionsOf(said(page).you).getByRole('button', { name: 'Edit' }).click();
	await edited(page).fill('A careful new version');
	await newChat(page);
	await goTo(page, url);
	await expect(edited(page)).toHaveValue('A careful new version');
	await edited(page).fill('A careful new version of it');
	await expect.poll(async () => Object.values((await rowsOf<DraftRow>(page, 'drafts'))[0]?.edits ?? {})).toEqual(['A careful new version of it']);
	await page.reload();
	await expect(edited(page)).toHaveValue('A careful new version of it');
	await box(page).fill('beside it');

	await edited(page).press('Escape');
	await expect(edited(page)).toBeHidden();
	await expect(actionsOf(said(page).you).getByRole('button', { name: 'Edit' })).toBeFocused();
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(edited(page)).toHaveValue('A careful new version of it');
	await edited(page).press('Enter');
	await expect(said(page).you).toHaveText('A careful new version of it');
	await answer(page);
	await expect(edited(page)).toBeHidden();
	await expect(box(page)).toHaveValue('beside it');
	await expect.poll(() => rowsOf<DraftRow>(page, 'drafts')).toEqual([expect.not.objectContaining({ edits: expect.anything() })]);
});

test('[E11] [A14] an edit that is had back goes beside what was written in its place since', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Original');
	const edit = async () => {
		await said(page).you.hover();
		await actionsOf(said(page).you).getByRole('button', { name: 'Edit' }).click();
	};
	await edit();
	await edited(page).fill('First words');
	await edited(page).press('Escape');
	await edit();
	await edited(page).fill('Second words');
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(edited(page)).toHaveValue(/First words[^]*Second words/);
});

test('[E11] [A5] an edit is read only in a tab that only reads, and goes on there when it takes over', async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Original');
	await said(page).you.hover();
	await actionsOf(said(page).you).getByRole('button', { name: 'Edit' }).click();
	await edited(page).fill('Edited');
	const second = await context.newPage();
	await second.goto(page.url());
	await expect(edited(second)).toHaveValue('Edited');
	await expect(edited(second)).toHaveAttribute('readonly');
	await expect(second.getByRole('form', { name: 'Edit message' })).toContainText('Open in another tab');
	await edited(second).press('Escape');
	await expect(edited(second)).toHaveValue('Edited');
	await second.getByRole('button', { name: 'Take over' }).click();
	await expect(edited(second)).toBeEditable();
	await edited(second).fill('Edited there');
	await expect.poll(async () => Object.values((await rowsOf<DraftRow>(second, 'drafts'))[0]?.edits ?? {})).toEqual(['Edited there']);
	await expect(edited(page)).toHaveValue('Edited there');
});

test('[E11] a draft that is restored under an open tab is not overwritten there, neither by what is typed nor by what is sent', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Hello');
	const sessionId = page.url().split('/s/')[1]!;
	const restore = (composer: string) => putRows(page, { drafts: [{ sessionId, composer }] });
	await restore('restored');
	await box(page).fill('typed');
	await expect.poll(() => drafts(page)).toEqual(['restored\n\ntyped']);
	await expect(box(page)).toHaveValue('restored\n\ntyped');
	await box(page).fill('');
	await expect.poll(() => drafts(page)).toEqual([]);
	await box(page).fill('sent');
	await expect.poll(() => drafts(page)).toEqual(['sent']);
	await restore('restored again');
	await box(page).press('Enter');
	await expect.poll(() => asked(page)).toEqual(['Hello', 'sent']);
	await expect(box(page)).toHaveValue('restored again');
	expect(await drafts(page)).toEqual(['restored again']);
});

test('[S11] a file that is read when one goes elsewhere is in the composer that it was added to', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Session A');
	const url = page.url();
	const readOn = await holdBackReading(page);
	const files = ['one', 'two'].map((name) => ({ name: `${name}.txt`, mimeType: 'text/plain', buffer: Buffer.from(name) }));
	await page.locator('input[type=file]').setInputFiles(files);
	await expect(page.getByText('Reading one.txt')).toBeVisible();
	await newChat(page);
	await readOn();
	await expect
		.poll(async () => (await rowsOf<DraftRow>(page, 'drafts')).map(({ attachments }) => attachments?.map(({ name }) => name)))
		.toEqual([['one.txt', 'two.txt']]);
	await expect(waiting(page)).toHaveCount(0);
	await goTo(page, url);
	await expect(waiting(page)).toHaveCount(2);
});

test('[S11] a file that is read while the first message of a new chat is sent goes to the session with it', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const readOn = await holdBackReading(page);
	const letGo = await holdBack(page, 'answering:');
	await say(page, 'A question');
	await page.locator('input[type=file]').setInputFiles({ name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('one') });
	await expect(page.getByText('Reading one.txt')).toBeVisible();
	await letGo();
	await answer(page);
	await expect(page).toHaveURL(/\/s\//);
	await expect(page.getByText('Reading one.txt')).toBeVisible();
	await readOn();
	await expect(waiting(page)).toHaveText([/one\.txt/]);
	await expect.poll(async () => (await rowsOf<DraftRow>(page, 'drafts')).map(({ attachments }) => attachments?.map(({ name }) => name))).toEqual([['one.txt']]);
	await newChat(page);
	await expect(waiting(page)).toHaveCount(0);
});

test('[E11] Enter that ends a composition sends nothing, also where the browser says that it had ended', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const press = (field: Element, init: KeyboardEventInit) =>
		field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }));
	const presses = async (field: Locator) => {
		expect(await field.evaluate(press, { isComposing: true })).toBe(true);
		expect(await field.evaluate(press, { keyCode: 229 })).toBe(true);
	};
	await box(page).fill('こんにちは');
	await presses(box(page));
	expect(await rowsOf(page, 'messages')).toEqual([]);
	await expect(box(page)).toHaveValue('こんにちは');
	await box(page).press('Enter');
	await answer(page);
	await said(page).you.hover();
	await actionsOf(said(page).you).getByRole('button', { name: 'Edit' }).click();
	await presses(edited(page));
	await expect(edited(page)).toHaveValue('こんにちは');
	expect(await rowsOf(page, 'messages')).toHaveLength(3);
});

test('[P8] [A14] when everything is deleted, what the tab keeps of it goes too; Undo brings back what was written', async ({ page, server }) => {
	const canary = 'kanarienvogel';
	const kept = () => page.evaluate((word) => [localStorage, sessionStorage].flatMap((storage) => Object.entries(storage)).filter((entry) => entry.join().includes(word)).map(([name]) => name), canary);
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, canary);
	const sessionId = page.url().split('/s/')[1]!;
	const parentId = (await rowsOf<{ id: string; role: string }>(page, 'messages')).find(({ role }) => role === 'user')!.id;
	await page.goto(`./search?q=${canary}`);
	await expect.poll(kept).toEqual(['search-words']);
	await newChat(page);
	await box(page).fill(canary);
	await expect.poll(kept).toContain('snug:new-chat');
	await page.evaluate(
		({ canary, sessionId, parentId }) => {
			sessionStorage.setItem(`snug:summary:${sessionId}`, JSON.stringify(canary));
			const answer = { messageId: crypto.randomUUID(), parentId, text: canary, reasoning: '', model: 'm', startedAt: 1 };
			// As an older version left it.
			localStorage.setItem(`snug:answer:${sessionId}`, JSON.stringify({ answer, textFrom: 0, reasoningFrom: 0, fence: 0 }));
		},
		{ canary, sessionId, parentId }
	);
	// A rule took it; it is kept for a week.
	const { sessions } = storedSession(7, { title: canary });
	const purgeAt = Date.now() + 7 * 86_400_000;
	await putRows(page, { trash: [{ id: sessions.id, kind: 'session', sessionId: sessions.id, at: Date.now(), purgeAt, session: sessions }] });
	const deleteEverything = async () => {
		await openStorage(page);
		await page.getByRole('main').getByRole('button', { name: 'Delete everything…' }).click();
		const dialog = page.getByRole('dialog', { name: 'Delete everything?' });
		await dialog.getByRole('textbox').fill('delete');
		await dialog.getByRole('button', { name: 'Delete everything' }).click();
		await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
	};
	await deleteEverything();
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect.poll(async () => (await kept()).sort()).toEqual(['snug:new-chat', `snug:summary:${sessionId}`]);
	await expect.poll(() => rowsOf(page, 'answers')).toMatchObject([{ parts: [{ type: 'text', text: canary }] }]);
	await expect.poll(() => rowsOf(page, 'trash')).toMatchObject([{ id: sessions.id, purgeAt }]);
	await page.evaluate((canary) => {
		sessionStorage.setItem('snug:beginning', JSON.stringify({ systemPrompt: canary }));
		sessionStorage.setItem('snug:second:', JSON.stringify({ name: canary, choice: { modelId: canary } }));
	}, canary);
	await deleteEverything();
	await expect.poll(kept).toEqual([]);
	await newChat(page);
	await expect(box(page)).toHaveValue('');
	await expect.poll(() => rowsOf(page, 'trash'), { timeout: 60_000 }).toEqual([]);
	expect(await kept()).toEqual([]);
});

/** Goes to where everything is deleted, in the page that is open. */
async function openStorage(page: Page): Promise<void> {
	await page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: 'Settings', exact: true }).click();
	await page.getByRole('link', { name: 'Space, backups and old chats' }).click();
}

test('[A14] a deletion of everything that is refused takes nothing, and an Undo that is refused is offered again', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Hello');
	await newChat(page);
	await box(page).fill('half a thought');
	const tables = Object.keys(await countRows(page)).filter((table) => table !== 'settings');
	const deleteEverything = async () => {
		await page.getByRole('main').getByRole('button', { name: 'Delete everything…' }).click();
		const dialog = page.getByRole('dialog', { name: 'Delete everything?' });
		await dialog.getByRole('textbox').fill('delete');
		await dialog.getByRole('button', { name: 'Delete everything' }).click();
	};
	const refused = page.getByText(/no space left/);
	await openStorage(page);
	await refuseRows(page, tables);
	await deleteEverything();
	await expect(refused).toBeVisible();
	expect(await rowsOf(page, 'sessions')).toHaveLength(1);
	await page.getByRole('button', { name: 'Dismiss' }).click();
	await expect(refused).toBeHidden();
	await refuseRows(page, []);
	await deleteEverything();
	await expect(page.getByText('Chat deleted.')).toBeVisible();
	await refuseRows(page, tables);
	const undo = page.getByRole('button', { name: 'Undo' });
	await undo.click();
	await expect(refused).toBeVisible();
	// Other writes are refused, too: only once it is offered again was it refused itself.
	await expect(undo).toBeVisible();
	await refuseRows(page, []);
	await undo.click();
	await expect.poll(() => rowsOf(page, 'sessions')).toHaveLength(1);
	await newChat(page);
	await expect(box(page)).toHaveValue('half a thought');
});

test('[E11] what the store refuses is stored as soon as it takes it, and one types on after a click on Send', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Hello');
	await say(page, 'Sent by a click');
	await expect(box(page)).toBeFocused();
	await expect(said(page).assistant.last()).toContainText('Sent by a click');
	await refuseRows(page, ['drafts']);
	await box(page).fill('half a thought');
	await expect(page.getByText(/no space left/)).toBeVisible();
	await refuseRows(page, []);
	await expect.poll(() => drafts(page)).toEqual(['half a thought']);
	await expect(page.getByText(/no space left/)).toBeHidden();
});

test('[E11] a new chat has one text in a tab: Back brings back neither an older one nor one that was sent', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Some session');
	const url = page.url();
	await newChat(page);
	await box(page).fill('first half');
	await goTo(page, url);
	await newChat(page);
	await expect(box(page)).toHaveValue('first half');
	await box(page).fill('first half and second half');
	await page.goBack();
	await expect(page).toHaveURL(url);
	await page.goBack();
	await expect(box(page)).toHaveValue('first half and second half');
	await page.reload();
	await expect(box(page)).toHaveValue('first half and second half');
	await page.getByRole('button', { name: 'Send' }).click();
	await answer(page);
	await page.goBack();
	await expect(said(page).assistant).toHaveCount(0);
	await expect(box(page)).toHaveValue('');
	await page.reload();
	await expect(box(page)).toHaveValue('');
});

test('[P3] a key in the composer and words of an answer read no message again, with the context shown too', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'slow-tokens@100');
	await putRows(page, rowsFor(storedConversation(1, Array.from({ length: 300 }, (_, index) => `Text ${index}`))));
	await page.addInitScript(() => {
		Object.assign(window, { read: 0 });
		const count = (proto: IDBObjectStore | IDBIndex) => {
			const getAll = proto.getAll;
			proto.getAll = function (this: IDBObjectStore | IDBIndex, ...args: []) {
				const request = getAll.apply(this as IDBObjectStore, args);
				const { name } = 'objectStore' in this ? this.objectStore : this;
				request.addEventListener('success', () => {
					if (name === 'messages') (window as unknown as { read: number }).read += request.result.length;
				});
				return request;
			};
		};
		count(IDBObjectStore.prototype);
		count(IDBIndex.prototype);
	});
	await page.goto(`./s/${storedId(1)}`);
	await page.getByRole('group', { name: 'Chat', exact: true }).getByRole('button', { name: 'Context' }).click();
	await expect(page.getByText('The next message sends')).toBeVisible();
	const readBy = async (act: () => Promise<void>) => {
		await page.evaluate(() => Object.assign(window, { read: 0 }));
		await act();
		return page.evaluate(() => (window as unknown as { read: number }).read);
	};
	const typed = await readBy(async () => {
		await box(page).pressSequentially('fifteen letters', { delay: 30 });
		await expect.poll(() => drafts(page)).toEqual(['fifteen letters']);
		await expect(page.getByText('Not sent yet').first()).toBeVisible();
	});
	expect(typed).toBe(0);

	await say(page, Array.from({ length: 60 }, (_, index) => `word${index}`).join(' '));
	await expect(said(page).assistant.last()).toContainText('word5 ');
	const streamed = await readBy(async () => {
		await expect(said(page).assistant.last()).toContainText('word30 ');
	});
	expect(streamed).toBe(0);
});

const rowsFor = ({ sessions, messages, trees, positions }: ReturnType<typeof storedConversation>) => ({ sessions: [sessions], messages, trees: [trees], positions: [positions] });

test('[S11] a file in the new chat of an open tab is not swept, and one that is gone is not sent', async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.locator('input[type=file]').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Some notes') });
	await expect(waiting(page)).toHaveCount(1);
	await changeFiles(page, 'age');
	const other = await context.newPage();
	// It sweeps when it is opened, before it looks after anything else.
	await other.goto('./');
	await swept(other);
	await other.close();
	expect(await rowsOf(page, 'attachments')).toHaveLength(1);
	// It holds it after a reload as well, when it sweeps itself.
	await page.reload();
	await swept(page);
	await expect(waiting(page)).toHaveCount(1);
	expect(await rowsOf(page, 'attachments')).toHaveLength(1);

	await changeFiles(page, 'clear');
	await page.reload();
	await expect(waiting(page)).toContainText('No longer here');
	await say(page, 'Look');
	await expect(page.getByRole('alert')).toContainText('“notes.txt” is no longer here');
	await expect(box(page)).toHaveValue('Look');
	expect(await rowsOf(page, 'sessions')).toEqual([]);
	await page.getByRole('button', { name: 'Remove notes.txt' }).click();
	await page.getByRole('button', { name: 'Send' }).click();
	await answer(page);
});

test('[E11] [A14] the unsent text of a chat that is deleted comes back with it, also where one has gone back to it, or reloaded it, meanwhile', async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Mine');
	const chat = page.url();
	await box(page).fill('half a thought');
	await page.locator('input[type=file]').setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan') });
	await expect(waiting(page)).toHaveCount(1);
	const drafts = async () => (await rowsOf<DraftRow>(page, 'drafts')).map(({ composer, attachments = [] }) => [composer, ...attachments.map(({ name }) => name)]);
	await expect.poll(drafts).toEqual([['half a thought', 'plan.txt']]);
	const isBack = async () => {
		await expect(said(page).you).toHaveText('Mine');
		await expect(box(page)).toHaveValue('half a thought');
		await expect(waiting(page)).toHaveText(/plan\.txt/);
		expect(await drafts()).toEqual([['half a thought', 'plan.txt']]);
	};
	await inSessionMenu(page, 'Delete chat');
	await expect(page.getByText('Chat deleted.')).toBeVisible();
	await page.goBack();
	await expect(page.getByText('Chat not found')).toBeVisible();
	await page.getByRole('button', { name: 'Undo' }).click();
	await isBack();

	const other = await context.newPage();
	await other.goto('./');
	await other.waitForFunction(() => 'snug' in window);
	const id = chat.split('/').at(-1)!;
	await other.evaluate((id) => window.snug.sessions.delete(id), id);
	await page.reload();
	await expect(page.getByText('Chat not found')).toBeVisible();
	await other.evaluate((id) => window.snug.sessions.restore(id), id);
	await isBack();
	await newChat(page);
	await expect(box(page)).toHaveValue('');
});

test('[S11] [A14] a file that is offered back is not swept meanwhile, however long it waited in its composer', async ({ page, context, server }) => {
	const other = await context.newPage();
	const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan') };
	const attachOld = async () => {
		await page.locator('input[type=file]').setInputFiles(plan);
		await expect(waiting(page)).toHaveCount(1);
		await changeFiles(page, 'age');
	};
	const putBack = async () => {
		await swept(other);
		await page.getByRole('button', { name: 'Undo' }).last().click();
	};
	await page.goto('./');
	await useServer(page, server.url, 'slow-tokens@100');
	await say(page, Array.from({ length: 200 }, (_, index) => `word${index}`).join(' '));
	await expect(said(page).assistant).toContainText('word3');
	await other.goto('./');
	await attachOld();
	await box(page).press('Enter');
	await page.getByRole('group', { name: 'Queued message' }).getByRole('button', { name: 'Remove' }).click();
	await putBack();
	await expect(waiting(page)).toHaveText(/plan\.txt/);
	await expect(waiting(page)).not.toContainText('No longer here');
	await page.getByRole('button', { name: 'Remove plan.txt' }).click();
	await page.getByRole('button', { name: 'Stop' }).click();

	await newChat(page);
	await attachOld();
	await page.goto('./settings/storage');
	await page.getByRole('button', { name: 'Delete everything' }).click();
	await page.getByRole('dialog').getByRole('textbox').fill('delete');
	await page.getByRole('dialog').getByRole('button', { name: 'Delete everything' }).click();
	await putBack();
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(waiting(page)).toHaveText(/plan\.txt/);
	await expect(waiting(page)).not.toContainText('No longer here');
});

/** Beside the app: makes all files two days old, removes them, or adds one that nothing holds. */
function changeFiles(page: Page, what: 'age' | 'clear' | 'abandon'): Promise<void> {
	return page.evaluate(
		(what) =>
			new Promise<void>((resolve) => {
				const request = indexedDB.open('snug');
				request.onsuccess = () => {
					const transaction = request.result.transaction('attachments', 'readwrite');
					const store = transaction.objectStore('attachments');
					if (what === 'clear') store.clear();
					if (what === 'abandon') store.put({ id: 'f'.repeat(64), mediaType: 'text/plain', bytes: 1, content: new Blob(['x']), createdAt: 0 });
					const all = store.getAll() as IDBRequest<{ createdAt: number }[]>;
					all.onsuccess = () => {
						if (what === 'age') for (const row of all.result) store.put({ ...row, createdAt: Date.now() - 2 * 86_400_000 });
					};
					transaction.oncomplete = () => (request.result.close(), resolve());
				};
			}),
		what
	);
}

/** Waits until a page that was just opened has swept: a file that nothing holds is gone then. */
async function swept(page: Page): Promise<void> {
	await changeFiles(page, 'abandon');
	await page.reload();
	await expect.poll(async () => (await rowsOf<{ id: string }>(page, 'attachments')).some(({ id }) => id === 'f'.repeat(64))).toBe(false);
}

test('[E11] a reload while the store takes its time loses neither what was typed nor what was sent', async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Hello');
	const url = page.url();
	const other = await context.newPage();
	await other.goto('./settings');
	const reload = async (release: () => Promise<void>) => {
		await page.reload({ waitUntil: 'commit' });
		await release();
	};
	await page.bringToFront();

	let release = await holdRows(other, 'positions');
	await box(page).pressSequentially('typed on a slow disk');
	await reload(release);
	await expect(box(page)).toHaveValue('typed on a slow disk');
	await expect.poll(() => drafts(page)).toEqual(['typed on a slow disk']);

	release = await holdRows(other, 'positions');
	await box(page).pressSequentially(', and sent');
	await box(page).press('Enter');
	await expect(box(page)).toHaveValue('');
	await box(page).pressSequentially('and more');
	await reload(release);
	await expect(box(page)).toHaveValue('typed on a slow disk, and sent\n\nand more');
	expect(await asked(page)).toEqual(['Hello']);
	await expect.poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('unwritten')))).toEqual([]);
	await page.reload();
	await expect(box(page)).toHaveValue('typed on a slow disk, and sent\n\nand more');
	await box(page).fill('');

	release = await holdRows(other, 'positions');
	await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
	await edited(page).fill('Hello again');
	await page.goto('./settings', { waitUntil: 'commit' });
	await release();
	await page.getByRole('textbox', { name: /prompt/i }).waitFor();
	await page.goto(url);
	await expect(edited(page)).toHaveValue('Hello again');
});

test('[E11] [S11] Enter while a file is read sends what was entered, where it was, or nothing', async ({ page, server }) => {
	const file = { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('one') };
	const attach = async () => {
		const readOn = await holdBackReading(page);
		await page.locator('input[type=file]').setInputFiles(file);
		await expect(page.getByText('Reading one.txt')).toBeVisible();
		return readOn;
	};
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Hello');

	let readOn = await attach();
	await box(page).pressSequentially('What is this');
	await box(page).press('Enter');
	await box(page).pressSequentially(', do you thi');
	await readOn();
	await expect(waiting(page)).toHaveText([/one\.txt/]);
	await expect(box(page)).toHaveValue('What is this, do you thi');
	await box(page).pressSequentially('nk?');
	await box(page).press('Enter');
	await expect(said(page).you).toContainText(['Hello', 'What is this, do you think?']);

	await page.goto('./w/Garden');
	readOn = await attach();
	await box(page).pressSequentially('for the garden');
	await box(page).press('Enter');
	await newChat(page);
	await readOn();
	await expect(waiting(page)).toHaveText([/one\.txt/]);
	await expect(box(page)).toHaveValue('for the garden');
	expect(await asked(page)).toEqual(['Hello', 'What is this, do you think?']);
	expect(await rowsOf(page, 'sessions')).toHaveLength(1);
});

test('[E11] [Z9] an edit that is being sent can be neither changed nor cancelled, also after a visit elsewhere', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Other');
	const other = page.url();
	await newChat(page);
	await ask(page, 'First words');
	const url = page.url();
	await actionsOf(said(page).you.first()).getByRole('button', { name: 'Edit', exact: true }).click();
	await edited(page).fill('Edited words');
	const letGo = await holdBack(page, 'answering:');
	await edited(page).press('Enter');
	await goTo(page, other);
	await goTo(page, url);
	await expect(edited(page)).toHaveAttribute('readonly');
	await edited(page).press('Escape');
	await expect(page.getByRole('button', { name: 'Cancel' })).toBeDisabled();
	await letGo();
	await expect(edited(page)).toHaveCount(0);
	await expect.poll(() => asked(page)).toEqual(['Other', 'First words', 'Edited words']);
	await expect(page.getByText('Edit discarded.')).toBeHidden();
	await expect.poll(() => drafts(page)).toEqual([]);
});

test('[E11] an edit is offered back until another is sent in its place, or its message is deleted', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'First words');
	await ask(page, 'Second words');
	const offer = page.getByText('Edit discarded.');
	const discard = async (text: string) => {
		await actionsOf(said(page).you.last()).getByRole('button', { name: 'Edit', exact: true }).click();
		await edited(page).fill(text);
		await edited(page).press('Escape');
		await expect(offer).toHaveCount(1);
	};
	await discard('Other words');
	await actionsOf(said(page).you.last()).getByRole('button', { name: 'Edit', exact: true }).click();
	await edited(page).fill('Sent words');
	await edited(page).press('Enter');
	await expect(said(page).you.last()).toHaveText('Sent words');
	await expect(offer).toHaveCount(0);
	await discard('Third words');
	await discard('Fourth words');
	await inMessageMenu(page, said(page).you.last(), 'Delete from here on');
	await expect(page.getByText('Messages deleted.')).toBeVisible();
	await expect(offer).toHaveCount(0);
});

test('[E11] a field undoes nothing of another chat', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'One');
	const one = page.url();
	await newChat(page);
	await box(page).pressSequentially('Two');
	await box(page).press('Enter');
	await answer(page);
	await box(page).pressSequentially('of two');
	await goTo(page, one);
	await expect(box(page)).toBeFocused();
	await box(page).pressSequentially('of one');
	for (const key of ['Control+z', 'Control+z', 'Control+y', 'Control+y', 'Control+y']) {
		await page.keyboard.press(key);
		expect(['', 'of one']).toContain(await box(page).inputValue());
	}
	expect(await drafts(page)).not.toContain('Two');
});

test('[E11] what a page was sending when it went comes back into the new chat, unless it is a message', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Hello');
	const [message] = await rowsOf<{ id: string }>(page, 'messages');
	await newChat(page);
	const sent = [
		{ id: message!.id, text: 'Hello', attachments: [] },
		{ id: storedId(1), text: 'Not stored', attachments: [] }
	];
	await page.addInitScript((kept) => sessionStorage.setItem('snug:new-chat', kept), JSON.stringify({ text: 'typed since', attachments: [], sent }));
	await page.reload();
	await expect(box(page)).toHaveValue('Not stored\n\ntyped since');
});

test('[P8] [E11] what a page left of a chat goes with the chat', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Hello');
	const left = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('unwritten')).length);
	await refuseRows(page, ['drafts']);
	await box(page).fill('Secret words');
	await page.evaluate(() => dispatchEvent(new Event('pagehide')));
	expect(await left()).toBe(1);
	const id = page.url().split('/s/')[1]!;
	await page.evaluate(async (id) => window.snug.sessions.delete(id), id);
	page.on('dialog', (dialog) => void dialog.accept());
	await page.goto('./');
	await page.evaluate(
		() =>
			new Promise<void>((resolve) => {
				const request = indexedDB.open('snug');
				request.onsuccess = () => {
					const db = request.result;
					const store = db.transaction('trash', 'readwrite').objectStore('trash');
					store.openCursor().onsuccess = ({ target }) => {
						const { result: cursor } = target as IDBRequest<IDBCursorWithValue | null>;
						if (!cursor) return db.close(), resolve();
						cursor.update({ ...(cursor.value as object), purgeAt: 0 });
						cursor.continue();
					};
				};
			})
	);
	await page.reload();
	await expect.poll(left).toBe(0);
});
