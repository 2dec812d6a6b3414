// What has room where: panels, notices, tables and files at the widths that people have.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app';
import {
	actionsOf,
	answer,
	ask,
	chooseServer,
	expectAccessible,
	inSessionMenu,
	openPanel,
	putRows,
	rowsOf,
	said,
	say,
	storedConversation,
	storedId,
	storedSession,
	useServer,
	withSessions
} from './chat';

test.use({ weights: 'none' });

for (const width of [390, 820, 1000, 1099]) {
	test(`[P10] a panel lies over a conversation that would be too narrow beside it, and a click beside it or Escape closes it (${width} pixels)`, async ({ page }) => {
		await page.setViewportSize({ width, height: 800 });
		await page.goto('./');
		await withSessions(page, [storedSession(1)]);
		await page.goto(`./s/${storedSession(1).sessions.id}`);
		const log = page.getByRole('log', { name: 'Conversation' });
		const composer = page.getByRole('textbox', { name: 'Message' });
		const before = (await log.boundingBox())!;
		await composer.fill('Ready to be sent');
		for (const name of ['Tree', 'Notes', 'Context'] as const) {
			await openPanel(page, name);
			const panel = page.getByRole('complementary', { name });
			// The tree takes the focus on once it is drawn.
			await expect.poll(() => panel.evaluate((element) => element.contains(document.activeElement))).toBe(true);
			expect((await page.locator('.frame-chat').boundingBox())!.width).toBe((await page.getByRole('main').boundingBox())!.width);
			const box = (await panel.boundingBox())!;
			expect(box.x + box.width).toBe(width);
			if (width > 480) {
				// What it covers can't be reached by keys.
				await expect(page.locator('.frame-chat')).toHaveAttribute('inert');
				await page.mouse.click(box.x - 20, 400);
			} else await page.keyboard.press('Escape');
			await expect(page.getByRole('complementary')).toHaveCount(0);
			await expect(page.getByRole('button', { name: width < 800 ? 'Chat menu' : name, exact: true })).toBeFocused();
		}
		await expect(composer).toHaveValue('Ready to be sent');
		expect((await log.boundingBox())!.width).toBe(before.width);
		await openPanel(page, 'Notes');
		await page.keyboard.press('Escape');
		await expect(page.getByRole('complementary')).toHaveCount(0);
		await composer.click();
	});
}

/** Returns how much of an element lies under another one, from 0 to 1, by its area. */
async function share(element: Locator, over: Locator): Promise<number> {
	const [a, b] = [(await element.boundingBox())!, (await over.boundingBox())!];
	const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
	const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
	return (Math.max(0, width) * Math.max(0, height)) / (a.width * a.height);
}

test('the composer is at the foot of the window from its first frame on, when a chat opens', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [storedConversation(1, ['Hello', 'Hello to you'])]);
	await page.addInitScript(() => {
		const places: number[] = [];
		const look = () => {
			const place = document.querySelector('textarea[aria-label="Message"]')?.getBoundingClientRect().top;
			if (place !== undefined) places.push(place / innerHeight);
			requestAnimationFrame(look);
		};
		requestAnimationFrame(look);
		Object.assign(window, { places });
	});
	/** The highest that it was. */
	const highest = () => page.evaluate(() => Math.min(...(window as unknown as { places: number[] }).places));
	await page.goto('./');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
	await page.getByRole('link', { name: 'Session 1' }).first().click();
	await expect(page.getByText('Hello to you')).toBeVisible();
	// In a new chat it is in the middle.
	expect(await highest()).toBeGreaterThan(0.3);
	await page.reload();
	await expect(page.getByText('Hello to you')).toBeVisible();
	expect(await highest()).toBeGreaterThan(0.7);
});

test('beside a panel the conversation keeps its room in a wide window', async ({ page }) => {
	await page.setViewportSize({ width: 1100, height: 800 });
	await page.goto('./');
	await withSessions(page, [storedSession(1)]);
	await page.getByRole('link', { name: 'Session 1' }).first().click();
	await page.getByRole('button', { name: 'Notes' }).click();
	const panel = (await page.getByRole('complementary', { name: 'Notes' }).boundingBox())!;
	const log = (await page.getByRole('log', { name: 'Conversation' }).boundingBox())!;
	expect(log.width).toBeGreaterThan(420);
	expect(log.x + log.width).toBeLessThanOrEqual(panel.x + 1);
	for (const name of ['Message', 'Send']) {
		const part = page.getByRole(name === 'Send' ? 'button' : 'textbox', { name });
		expect(await share(part, page.getByRole('complementary'))).toBe(0);
	}
	await page.getByRole('textbox', { name: 'Message' }).click();
});

const reminder = 'This browser may delete your chats when the disk is full.';

test('[P2] a reminder of a backup comes a week after the first message, not before it, whatever was imported', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'echo');
	await ask(page, 'First');
	const remindedAt = async () => (await rowsOf<{ name: string; value: number }>(page, 'settings')).find(({ name }) => name === 'backupRemindedAt')?.value;
	await expect.poll(remindedAt).toBeGreaterThan(Date.now() - 60_000);
	const old = storedSession(1, { createdAt: Date.now() - 40 * 86_400_000, updatedAt: Date.now() - 40 * 86_400_000 });
	await putRows(page, { sessions: [old.sessions], messages: old.messages, trees: [old.trees], positions: [old.positions] });
	await page.goto('./');
	await expect(page.getByRole('link', { name: 'Session 1' }).first()).toBeVisible();
	await expect(page.getByText(reminder)).toHaveCount(0);
});

test('[P2] on a phone the reminder is a card below the bar of a conversation, and covers nothing', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto('./');
	// From here on the first page looks at nothing: it would have reminded, and once is enough.
	await page.waitForLoadState('networkidle');
	const at = Date.now() - 8 * 86_400_000;
	const stored = storedSession(1, { createdAt: at, updatedAt: at });
	await putRows(page, { sessions: [stored.sessions], messages: stored.messages, trees: [stored.trees], positions: [stored.positions] });
	await page.goto(`./s/${stored.sessions.id}`);
	const notice = page.getByText(reminder);
	await expect(notice).toBeVisible();
	const bar = (await page.locator('main header').boundingBox())!;
	const card = (await notice.locator('..').boundingBox())!;
	const log = (await page.getByRole('log', { name: 'Conversation' }).boundingBox())!;
	expect(bar.y).toBe(0);
	expect(card.y).toBeGreaterThanOrEqual(bar.y + bar.height);
	expect(log.y).toBeGreaterThanOrEqual(card.y + card.height + 8);
	expect(card.x + card.width).toBeLessThanOrEqual(390);
});

test.describe('with the service worker', () => {
	test.use({ serviceWorkers: 'allow' });

	test('an address without a page says so, and leads back', async ({ page, expectConsole }) => {
		// By the host, before the service worker is there.
		expectConsole.push(/404/);
		for (const path of ['no-such-page', 'deep/in/no/place']) {
			await page.goto(`./${path}`);
			await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
			await expect(page.getByText(`There is nothing at`)).toContainText(path);
			await expect(page.getByRole('navigation', { name: 'Sessions' })).toBeVisible();
			await expectAccessible(page, path);
		}
		await page.getByRole('main').getByRole('link', { name: 'Start a new chat' }).click();
		await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
		// The service worker answers it as well.
		await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
		await page.goto('./deep/in/no/place');
		await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
	});
});

test('on a phone a table scrolls sideways before its words stand below each other', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 });
	const row = '| a fairly long sentence in a cell | and another one of that kind | and a third that is as long | and a fourth |';
	const table = `| One | Two | Three | Four |\n|---|---|---|---|\n${row}\n`;
	await page.goto('./');
	await withSessions(page, [storedConversation(1, ['A table?', table])]);
	await page.goto(`./s/${storedSession(1).sessions.id}`);
	const cells = said(page).assistant.getByRole('cell');
	await expect(cells).toHaveCount(4);
	for (const cell of await cells.all()) expect((await cell.boundingBox())!.width).toBeGreaterThan(100);
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('the name of an attached file shows in full where there is room', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'echo');
	await page.locator('input[type=file]').first().setInputFiles(
		['notes-of-monday.md', 'notes-of-tuesday.md'].map((name) => ({ name, mimeType: 'text/markdown', buffer: Buffer.from(`# ${name}`) }))
	);
	const names = page.getByRole('list', { name: 'Attached files' }).locator('.name');
	await expect(names).toHaveCount(2);
	for (const name of await names.all()) expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
	await say(page, 'See');
	await answer(page);
});

test('on a phone a chat that is called by one long word makes the first screen no wider', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto('./');
	await withSessions(page, [storedSession(1, { title: 'x'.repeat(270) })]);
	await expect(page.getByRole('main').getByRole('link', { name: /Continue/ })).toBeVisible();
	const widest = () => page.evaluate(() => Math.max(...Array.from(document.querySelectorAll('main *'), (element) => element.getBoundingClientRect().right)));
	expect(await widest()).toBeLessThanOrEqual(390);
});

test('[P10] the sidebar folds away by its button, by Ctrl B and from “Commands”, for this device; the focus and dialogs stay in sight', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [storedSession(1)]);
	const list = page.getByRole('navigation', { name: 'Sessions' });
	const [hide, show] = [list.getByRole('button', { name: 'Hide chats' }), page.getByRole('button', { name: 'Show chats' })];
	const left = async () => (await page.getByRole('main').boundingBox())!.x;
	await expect(show).toBeHidden();
	await hide.click();
	await expect(list).toBeHidden();
	await expect(show).toBeFocused();
	expect(await left()).toBe(0);
	await page.reload();
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
	await expect(list).toBeHidden();
	expect(await left()).toBe(0);
	await expectAccessible(page, 'without the sidebar');
	await show.press('Enter');
	await expect(hide).toBeFocused();
	await expect(list.getByRole('link', { name: 'Session 1' })).toBeInViewport();
	await page.keyboard.press('Control+b');
	await expect(show).toBeFocused();
	await page.keyboard.press('Control+b');
	await expect(list).toBeVisible();
	await page.keyboard.press('Control+k');
	await page.getByRole('combobox').fill('hide the sidebar');
	await page.getByRole('option', { name: 'Show or hide the sidebar' }).click();
	await expect(list).toBeHidden();

	// The name of a chat, and the title of the list, stand beside the button; a dialog of the list is seen.
	await page.goto(`./s/${storedId(1)}`);
	const shown = (await show.boundingBox())!;
	for (const address of [`./s/${storedId(1)}`, './sessions']) {
		await page.goto(address);
		expect((await page.getByRole('heading', { level: 1 }).boundingBox())!.x).toBeGreaterThanOrEqual(shown.x + shown.width);
	}
	await page.getByRole('main').getByRole('button', { name: 'Actions for “Session 1”' }).click();
	await page.getByRole('button', { name: 'Details' }).click();
	await expect(page.getByRole('dialog', { name: 'Chat details' })).toBeVisible();
	await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

	// Where it lies over the rest it begins closed, and has no shortcut.
	await page.setViewportSize({ width: 390, height: 800 });
	await page.keyboard.press('Control+b');
	await expect(list).toBeHidden();
	await show.click();
	await expect(list).toBeVisible();
	await hide.click();
	await page.setViewportSize({ width: 1280, height: 800 });
	await expect(list).toBeHidden();
});

for (const width of [390, 820, 1280]) {
	test(`[P10] [A14] notices are right above the composer, in the middle of what is read, and every Undo is among them (${width} pixels)`, async ({ page }) => {
		await page.setViewportSize({ width, height: 800 });
		await page.goto('./');
		await withSessions(page, [1, 2, 3].map((number) => storedSession(number)));
		for (const number of [1, 2]) {
			await page.goto(`./s/${storedSession(number).sessions.id}`);
			await inSessionMenu(page, 'Delete chat');
			await expect(page.getByText('Chat deleted.')).toHaveCount(1);
		}
		await page.evaluate((path) => document.querySelector<HTMLElement>(`nav a[href$="${path}"]`)!.click(), storedSession(3).sessions.id);
		await expect(page.getByRole('log', { name: 'Conversation' })).toBeVisible();
		const notice = (await page.getByText('Chat deleted.').locator('..').boundingBox())!;
		const main = (await page.getByRole('main').boundingBox())!;
		const composer = (await page.locator('form.composer').boundingBox())!;
		expect(Math.abs(notice.x + notice.width / 2 - (main.x + main.width / 2))).toBeLessThan(2);
		expect(notice.x).toBeGreaterThan(main.x);
		expect(notice.x + notice.width).toBeLessThanOrEqual(width);
		expect(notice.y + notice.height).toBeLessThan(composer.y);
		expect(composer.y - notice.y - notice.height).toBeLessThan(40);
		// What it speaks of stays in sight.
		const log = (await page.getByRole('log', { name: 'Conversation' }).boundingBox())!;
		expect(log.y + log.height).toBeLessThanOrEqual(notice.y);
	});
}

for (const width of [390, 1280]) {
	test(`[P10] [A14] a notice in a dialog stands at its foot, and covers nothing of it at its end (${width} pixels)`, async ({ page }) => {
		await page.setViewportSize({ width, height: 600 });
		await page.goto('./');
		await withSessions(page, [storedSession(1)]);
		await page.goto(`./s/${storedSession(1).sessions.id}`);
		await inSessionMenu(page, 'Archive');
		await expect(page.getByText('Chat archived.')).toBeVisible();
		await inSessionMenu(page, 'Details');
		const dialog = page.getByRole('dialog', { name: 'Chat details' });
		const notice = dialog.getByText('Chat archived.').locator('..');
		const place = (await notice.boundingBox())!;
		const box = (await dialog.boundingBox())!;
		expect(place.y).toBeGreaterThan(box.y + box.height / 2);
		expect(place.y + place.height).toBeLessThanOrEqual(box.y + box.height);
		expect(await share(dialog.getByRole('heading'), notice)).toBe(0);
		await dialog.evaluate((element) => element.scrollTo(0, element.scrollHeight));
		expect(await share(dialog.locator('dd').last(), notice)).toBe(0);
	});
}

for (const width of [390, 1280]) {
	test(`[P10] a notice of two lines is as wide as what is read, and its Undo stands beside the text (${width} pixels)`, async ({ page }) => {
		await page.setViewportSize({ width, height: 800 });
		await page.goto('./');
		await withSessions(page, [storedSession(1)]);
		await page.goto(`./s/${storedSession(1).sessions.id}`);
		if (width < 800) await inSessionMenu(page, 'Archive');
		else await say(page, '/budget 0.5');
		const text = page.getByText(width < 800 ? 'Chat archived. Find it under' : 'This chat stops once its answers have cost');
		const [words, undo, notice] = [text, page.getByRole('button', { name: 'Undo' }), text.locator('..')];
		await expect(undo).toBeVisible();
		const composer = (await page.locator('form.composer').boundingBox())!;
		const boxes = await Promise.all([words, undo, notice].map(async (one) => (await one.boundingBox())!));
		const [textBox, undoBox, noticeBox] = boxes as [typeof composer, typeof composer, typeof composer];
		expect(noticeBox.width).toBeLessThanOrEqual(composer.width + 10);
		expect(undoBox.x).toBeGreaterThanOrEqual(textBox.x + textBox.width);
		expect(undoBox.y).toBeLessThan(textBox.y + textBox.height);
	});
}

test('[A14] every Undo is in sight while it counts', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [1, 2].map((number) => storedSession(number)));
	for (const number of [1, 2]) {
		await page.getByRole('button', { name: `Actions for “Session ${number}”` }).click();
		await page.getByRole('button', { name: 'Delete chat' }).click();
	}
	const list = page.getByRole('navigation', { name: 'Sessions' });
	await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(2);
	await page.getByRole('button', { name: 'Undo' }).last().click();
	await expect(list.getByRole('link', { name: 'Session 2' })).toBeVisible();
	await expect(list.getByRole('link', { name: 'Session 1' })).toHaveCount(0);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(list.getByRole('link', { name: 'Session 1' })).toBeVisible();
});

/** Where each part of the composer is in the window. */
function boxesOf(page: Page) {
	return page.locator('form.composer').evaluate((form) => {
		const box = (element: Element) => element.getBoundingClientRect().toJSON() as DOMRect;
		const buttons = [...form.querySelectorAll(':scope > button')];
		return { frame: box(form), field: box(form.querySelector('textarea')!), buttons: buttons.map(box), strip: box(document.querySelector('.frame-strip')!) };
	});
}

test('[P3] the composer grows with its text up to a share of the window, its buttons below the text, and stays whole in the window', async ({ page }) => {
	await page.setViewportSize({ width: 1280, height: 720 });
	await page.goto('./');
	const message = page.getByRole('textbox', { name: 'Message' });
	await expect(message).toBeFocused();
	const before = await boxesOf(page);
	await page.locator('input[type=file]').setInputFiles(['a.txt', 'b.txt'].map((name) => ({ name, mimeType: '', buffer: Buffer.from(name) })));
	await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(2);
	for (const [lines, most] of [
		[3, 120],
		[100, 0.4 * 720]
	] as const) {
		await message.fill('Line\n'.repeat(lines));
		const { frame, field, buttons, strip } = await boxesOf(page);
		expect(field.height).toBeGreaterThan(before.field.height);
		expect(field.height).toBeLessThanOrEqual(most);
		expect(field.width).toBeGreaterThan(frame.width - 30);
		for (const button of buttons) expect(button.top).toBeGreaterThanOrEqual(field.bottom);
		expect(strip.bottom).toBeLessThanOrEqual(720);
	}
	await message.press('Tab');
	await expect(page.getByRole('button', { name: 'Attach files' })).toBeFocused();
});

test('[P3] the names of models take one line below the composer, however long they are', async ({ page, server }) => {
	const long = `organisation/${'a-very-long-name-'.repeat(8)}instruct`;
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const top = async () => (await page.locator('.composer').boundingBox())!.y;
	const model = page.getByRole('button', { name: /Change model/ }).first();
	for (const width of [1280, 900]) {
		await page.setViewportSize({ width, height: 720 });
		await useServer(page, server.url, 'echo');
		const before = await top();
		await useServer(page, server.url, long);
		expect(await top()).toBe(before);
		await expect(model).toHaveAttribute('title', long);
		const [name, strip] = [(await model.boundingBox())!, (await page.locator('.frame-strip').boundingBox())!];
		expect(name.x + name.width).toBeLessThan(strip.x + strip.width);
	}
});

test('[P3] a new chat has three suggestions of what can be done now, each at one click', async ({ page, server }) => {
	await page.goto('./');
	const suggestions = page.getByRole('group', { name: 'Suggestions' });
	const names = () => suggestions.locator('a, button').allTextContents().then((texts) => texts.map((text) => text.trim()));
	await expect.poll(names).toEqual(['Choose a model', 'Restore a backup', 'Ask about a file']);
	await expectAccessible(page, 'suggestions');
	await suggestions.getByRole('button', { name: 'Choose a model' }).click();
	await page.getByRole('dialog', { name: 'Model' }).getByRole('button', { name: 'Close' }).click();
	await suggestions.getByRole('link', { name: 'Restore a backup' }).click();
	await expect(page.getByRole('button', { name: 'Restore from a file' })).toBeFocused();
	await expect(page.getByRole('button', { name: 'Restore from a file' })).toBeInViewport();
	await expect(page.getByRole('heading', { name: 'Backup' })).toBeVisible();
	await page.goBack();
	const chooser = page.waitForEvent('filechooser');
	await suggestions.getByRole('button', { name: 'Ask about a file' }).click();
	await (await chooser).setFiles([{ name: 'a.txt', mimeType: '', buffer: Buffer.from('a') }]);
	await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(1);

	await useServer(page, server.url, 'echo');
	await expect.poll(names).toEqual(['Restore a backup', 'Ask about a file', 'Set a system prompt']);
	await suggestions.getByRole('button', { name: 'Set a system prompt' }).click();
	await expect(page.getByRole('dialog').getByRole('textbox', { name: 'System prompt' })).toBeVisible();
	await withSessions(page, Array.from({ length: 12 }, (_, number) => storedSession(number + 1)));
	await expect.poll(names).toEqual(['Continue “Session 12”', 'Search your chats', 'Ask about a file']);
	await suggestions.getByRole('button', { name: 'Search your chats' }).click();
	await expect(page.getByRole('combobox', { name: /Search/ })).toBeFocused();
	await page.keyboard.press('Escape');
	await suggestions.getByRole('link', { name: /Continue/ }).click();
	await expect(page.getByRole('log', { name: 'Conversation' })).toBeVisible();
});

test('[P10] on a phone the suggestions leave the composer where it is, also above a keyboard', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto('./');
	const composer = page.locator('form.composer');
	await expect(page.getByRole('button', { name: 'Ask about a file' })).toBeVisible();
	const isWhole = async (height: number) => {
		await page.setViewportSize({ width: 390, height });
		const { y, height: own } = (await composer.boundingBox())!;
		expect(y + own).toBeLessThanOrEqual(height);
		expect((await page.locator('.frame-strip').boundingBox())!.y + 32).toBeLessThanOrEqual(height);
	};
	for (const height of [844, 500, 420, 300]) await isWhole(height);
});

test.describe('on a phone', () => {
	test.use({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });

	test('[P10] on a page that scrolls the button that shows the chats lies over a bar, never over text', async ({ page }) => {
		for (const path of ['settings', 'settings/storage']) {
			await page.goto(`./${path}`);
			const scroller = page.locator('main .scroller');
			await expect(scroller.getByRole('heading', { level: 1 })).toBeVisible();
			const button = (await page.getByRole('button', { name: 'Show chats' }).boundingBox())!;
			expect((await scroller.getByRole('heading', { level: 1 }).boundingBox())!.y).toBeGreaterThan(button.y + button.height);
			for (const top of [100, 200, 300, 400]) {
				await scroller.evaluate((element, top) => (element.scrollTop = top), top);
				const under = await page.evaluate(({ x, y, width, height }) => document.elementsFromPoint(x + width / 2, y + height / 2).find((element) => !element.closest('button'))!.className, button);
				expect(under).toContain('scroller');
			}
		}
	});

	test('[P10] the buttons of a question stand closer to it than to the answer', async ({ page }) => {
		await page.goto('./');
		await withSessions(page, [storedConversation(1, ['Hello', '## Hello to you\n\nThere.'])]);
		await page.goto(`./s/${storedConversation(1, []).sessions.id}`);
		await expect(said(page).assistant.getByRole('heading')).toBeVisible();
		await expect(actionsOf(said(page).you).getByRole('button')).toHaveCount(3);
		const [above, below] = await page.evaluate(() => {
			const [question, icon, heading] = ['.user', '.asked svg', '.assistant h2'].map((one) => document.querySelector(one)!.getBoundingClientRect());
			return [icon!.top - question!.bottom, heading!.top - icon!.bottom] as const;
		});
		expect(above).toBeGreaterThan(4);
		expect(above).toBeLessThan(below);
		expect(below).toBeGreaterThanOrEqual(16);
		expect(below).toBeLessThan(24);
	});

	test('[P3] the first letter of a message leaves the composer where it is', async ({ page }) => {
		await page.goto('./');
		const composer = page.locator('form.composer');
		const send = composer.getByRole('button', { name: 'Send' });
		const before = (await composer.boundingBox())!.y;
		await page.getByRole('textbox', { name: 'Message' }).fill('H');
		await expect(send).toBeEnabled();
		await page.waitForLoadState('networkidle');
		expect((await composer.boundingBox())!.y).toBe(before);
	});

	test('[P10] the bar of a chat has its name, New chat and the menu, which has all else', async ({ page }) => {
		await page.goto('./');
		await withSessions(page, [storedSession(1)]);
		await page.goto(`./s/${storedSession(1).sessions.id}`);
		const bar = page.locator('main header');
		await expect(bar.getByRole('button', { name: 'Session 1' })).toBeVisible();
		const names = await bar.locator('a, button').evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.getAttribute('aria-label') ?? one.textContent));
		expect(names).toEqual(['Session 1', 'New chat', 'Chat menu']);
		await bar.getByRole('button', { name: 'Chat menu' }).click();
		const menu = page.getByRole('group', { name: 'Chat', exact: true }).filter({ has: page.getByRole('button', { name: 'Copy link' }) });
		for (const name of ['Find in this chat', 'Tree', 'Notes', 'Context', 'Rename', 'Delete chat']) await expect(menu.getByRole('button', { name, exact: true })).toBeVisible();
		await menu.getByRole('button', { name: 'Find in this chat' }).click();
		await expect(page.getByRole('search').getByLabel('Find in this chat')).toBeVisible();
		await bar.getByRole('link', { name: 'New chat' }).click();
		await expect(page.getByRole('log', { name: 'Conversation' })).toHaveCount(0);
	});

	test('[P10] what is touched is 44 pixels high and wide, and fields have 16 pixels, on every screen', async ({ page }) => {
		test.slow();
		await page.goto('./');
		await withSessions(page, [storedConversation(1, ['A list?', '1. One\n2. Two\n\n```js\nlet a = 1;\n```'])]);
		const expectLarge = async (screen: string) => {
			const small = await page.evaluate(() => {
				const shown = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('[inert], .sr-only');
				const targets = [...document.querySelectorAll('button, a[href], summary, input, select, textarea, label:has(input)')];
				const isSmall = (element: Element) => {
					// Links within a text, and what a label of its own is touched for.
					if (element.matches('p a, .markdown a, .frame-strip > span > .link:not(.model), [type=checkbox], [type=radio], [type=file], label input')) return false;
					const { width, height } = element.getBoundingClientRect();
					return width > 0 && Math.min(width, height) < 43.5;
				};
				const isFine = (element: Element) => element.matches('input, textarea, select') && Number.parseFloat(getComputedStyle(element).fontSize) < 16;
				return targets.filter((element) => shown(element) && (isSmall(element) || isFine(element))).map((element) => element.outerHTML.slice(0, 120));
			});
			expect(small, screen).toEqual([]);
		};
		await expect(page.getByRole('button', { name: 'Ask about a file' })).toBeVisible();
		await expectLarge('new chat');
		await page.getByRole('button', { name: 'Show chats' }).click();
		await expect(page.getByRole('link', { name: 'Session 1' }).first()).toBeInViewport();
		await expectLarge('chats');
		await page.goto(`./s/${storedSession(1).sessions.id}`);
		await expect(said(page).assistant).toContainText('let a');
		await expectLarge('chat');
		for (const name of ['Tree', 'Notes', 'Context'] as const) {
			await openPanel(page, name);
			await expect(page.getByRole('complementary').getByRole('heading').first()).toBeVisible();
			if (name === 'Context') await expect(page.getByTitle('Go to this message')).toHaveCount(2);
			await expectLarge(name);
			await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click();
		}
		await page.getByRole('button', { name: 'Chat menu' }).click();
		await expect(page.getByRole('button', { name: 'Delete chat' })).toBeVisible();
		await expectLarge('menu');
	});

	test('[P10] a swipe from the left edge opens the list of chats, and one to the left closes it; a table scrolls', async ({ page, context }) => {
		const row = '| a fairly long sentence in a cell | and another one of that kind | and a third that is as long | and a fourth |';
		await page.goto('./');
		await withSessions(page, [storedConversation(1, ['A table?', `| One | Two | Three | Four |\n|---|---|---|---|\n${row}\n`])]);
		await page.goto(`./s/${storedSession(1).sessions.id}`);
		await expect(said(page).assistant.getByRole('cell')).toHaveCount(4);
		const devtools = await context.newCDPSession(page);
		const swipe = async (from: number, to: number, y: number) => {
			const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y }] });
			await touch('touchStart', from);
			for (let step = 1; step <= 8; step++) await touch('touchMove', from + ((to - from) * step) / 8);
			await touch('touchEnd');
		};
		const list = page.getByRole('navigation', { name: 'Sessions' });
		const { y } = (await said(page).assistant.getByRole('cell').first().boundingBox())!;
		await swipe(300, 60, y + 10);
		await expect(list).toBeHidden();
		await swipe(200, 380, 500);
		await expect(list).toBeHidden();
		// Gestures are followed once what does is loaded.
		await expect(async () => {
			await swipe(8, 200, 500);
			await expect(list).toBeVisible({ timeout: 500 });
		}).toPass();
		await swipe(250, 60, 500);
		await expect(list).toBeHidden();
		await expect(page.getByRole('button', { name: 'Show chats' })).toBeFocused();
	});

	test('[P10] an answer and a chat go to the share sheet of the system', async ({ page }) => {
		// Linux has no share sheet; the object of the platform is the test's.
		await page.addInitScript(() => {
			const shared: unknown[] = [];
			Object.assign(window, { shared });
			Object.assign(navigator, {
				canShare: () => true,
				share: async ({ text, files }: ShareData) => void shared.push(files ? [files[0]!.name, await files[0]!.text()] : text)
			});
		});
		const shared = () => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared);
		await page.goto('./');
		await withSessions(page, [storedSession(1)]);
		await page.goto(`./s/${storedSession(1).sessions.id}`);
		await actionsOf(said(page).assistant).getByRole('button', { name: 'More' }).click();
		await page.getByRole('button', { name: 'Share…' }).click();
		await expect.poll(shared).toEqual(['Answer 1']);
		await inSessionMenu(page, 'Share…');
		await expect.poll(shared).toEqual(['Answer 1', [expect.stringMatching(/^session-.*\.txt$/), expect.stringContaining('Question 1')]]);
	});

	test('[P10] the composer is at the bottom, what is touched is large enough, and its text is no smaller than what a browser would zoom to', async ({ page, server }) => {
		await page.goto('./');
		const isAtBottom = async () => {
			const { frame, field, buttons, strip } = await boxesOf(page);
			expect(strip.bottom).toBeGreaterThan(770);
			for (const { width, height } of buttons) expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
			expect(field.height).toBeGreaterThanOrEqual(44);
			expect(frame.right).toBeLessThanOrEqual(390);
		};
		const message = page.getByRole('textbox', { name: 'Message' });
		await expect(message).toBeVisible();
		await isAtBottom();
		expect(await message.evaluate((field) => Number.parseFloat(getComputedStyle(field).fontSize))).toBeGreaterThanOrEqual(16);
		await page.locator('input[type=file]').setInputFiles([{ name: 'a.txt', mimeType: '', buffer: Buffer.from('a') }]);
		const remove = await page.getByRole('button', { name: 'Remove a.txt' }).boundingBox();
		expect(Math.min(remove!.width, remove!.height)).toBeGreaterThanOrEqual(44);
		await useServer(page, server.url, 'echo');
		await say(page, 'Hello');
		await answer(page);
		await isAtBottom();
	});
});
