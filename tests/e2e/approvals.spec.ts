// Tools that ask before they act: the card, what it says, and that nothing runs but what the user allowed.
import type { Locator, Page } from '@playwright/test';
import { passedBy } from '../../src/lib/conversation/open-calls';
import { startOpenAiServer } from '../fixtures/openai-server.mjs';
import { expect, test } from './app';
import { expectAccessible, inSessionMenu, openPanel, pressOnceStill, putRows, refuseRows, rowsOf, said, say, useServer } from './chat';
import { switchTools } from './tools';

test.use({ weights: 'none' });

let server: Awaited<ReturnType<typeof startOpenAiServer>>;
test.beforeAll(async () => {
	server = await startOpenAiServer();
});
test.afterAll(() => server.close());

const cards = (page: Page) => page.getByRole('group', { name: 'Approval' });
const notes = async (page: Page) => Object.fromEntries((await rowsOf<{ name: string; content: string }>(page, 'scratchpad')).map(({ name, content }) => [name, content]));
const write = (name: string, text: string) => `call notes_write ${JSON.stringify({ name, text })}`;

const press = (card: Locator, name: string) => pressOnceStill(card.getByRole('button', { name, exact: true }));
const allow = (page: Page, name: string) => press(cards(page), name);

/** Opens a new chat whose model may write and edit notes, and may ask. */
async function begin(page: Page): Promise<void> {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await switchTools(page, 'Write notes', 'Edit notes', 'Ask me questions');
}

test('[Z8] a model’s note is shown as it will be, and written once it is allowed', async ({ page }) => {
	await begin(page);
	await say(page, `${write('Fruit', 'Pears\nPlums')}\nIt says: {last}`);
	const card = cards(page);
	await expect(card).toContainText('Create the note “Fruit”');
	await expect(card.locator('pre').first()).toHaveText('+ Pears+ Plums');
	await card.getByText('What the model sent').click();
	await expect(card).toContainText('"text": "Pears\\nPlums"');
	await expectAccessible(page, 'a call that asks');
	expect(await notes(page)).toEqual({});
	// Nothing that is not the user's own doing counts.
	await expect(card.getByRole('button', { name: 'Allow once' })).toBeEnabled();
	const isHeeded = await card.getByRole('button', { name: 'Allow once' }).evaluate(async (button: HTMLButtonElement) => {
		button.click();
		await new Promise((resolve) => requestAnimationFrame(resolve));
		return button.disabled || !button.isConnected;
	});
	expect(isHeeded).toBe(false);
	const before = server.requests.length;
	await page.reload();
	await expect(cards(page)).toContainText('Create the note “Fruit”');
	expect(await notes(page)).toEqual({});
	expect(server.requests.length).toBe(before);

	await allow(page, 'Allow once');
	await expect(said(page).assistant.last()).toContainText('It says: {"name":"Fruit","characters":11}');
	expect(await notes(page)).toEqual({ Fruit: 'Pears\nPlums' });
	expect(await rowsOf(page, 'checkpoints')).toEqual([]);
	// The next call asks again, and shows the line that changes.
	await say(page, `call notes_edit ${JSON.stringify({ name: 'Fruit', old_text: 'Plums', new_text: 'Figs' })}\nDone.`);
	await expect(cards(page).locator('pre').first()).toHaveText('  Pears− Plums+ Figs');
	await allow(page, 'Allow once');
	await expect(said(page).assistant.last()).toContainText('Done.');
	expect(await notes(page)).toEqual({ Fruit: 'Pears\nFigs' });
	await openPanel(page, 'Notes');
	await expect(page.getByRole('textbox', { name: 'Text of note Fruit' })).toHaveValue('Pears\nFigs');
});

/** Has the while in which a card can't be pressed end no sooner than the returned function is called, however long the test takes: its timer waits, as any of 300 milliseconds or more. */
async function holdWhile(page: Page): Promise<() => Promise<void>> {
	await page.evaluate(() => {
		const [set, clear] = [setTimeout.bind(window), clearTimeout.bind(window)];
		const held = new Map<unknown, () => void>();
		let isHeld = true;
		const letGo = () => {
			isHeld = false;
			for (const work of held.values()) work();
		};
		Object.assign(window, {
			setTimeout: (work: () => void, milliseconds = 0) => {
				const id = set(() => (isHeld && milliseconds >= 300 ? held.set(id, work) : work()), milliseconds);
				return id;
			},
			clearTimeout: (id: number) => {
				held.delete(id);
				clear(id);
			},
			letGo
		});
	});
	return () => page.evaluate(() => (window as unknown as { letGo: () => void }).letGo());
}

test('[Z8] a second click at the same place allows nothing else', async ({ page }) => {
	await begin(page);
	await page.setViewportSize({ width: 1280, height: 1000 });
	await say(page, `${write('Fruit', 'Pears')} && ${write('Nuts', 'Almonds')}\nDone.`);
	await expect(cards(page)).toHaveCount(2);
	// Keys reach what scrolls, and come back to where they were.
	const first = cards(page).first();
	await expectAccessible(page, 'two calls that ask');
	await press(first, 'Deny…');
	await page.keyboard.press('Escape');
	await expect(first.getByRole('button', { name: 'Deny…' })).toBeFocused();

	const letGo = await holdWhile(page);
	const clicked = page.evaluate(() => new Promise<{ x: number; y: number }>((resolve) => addEventListener('click', ({ x, y }) => resolve({ x, y }), { once: true, capture: true })));
	await first.getByRole('button', { name: 'Allow once' }).click({ position: { x: 20, y: 20 } });
	const { x, y } = await clicked;
	await expect(cards(page)).toHaveCount(1);
	// The button of the other card is where that of the first one was.
	await expect.poll(async () => Math.abs((await cards(page).getByRole('button', { name: 'Allow once' }).boundingBox())!.y + 20 - y)).toBeLessThan(20);
	await page.mouse.click(x, y);
	await letGo();
	await expect(cards(page).getByRole('button', { name: 'Allow once' })).toBeEnabled();
	await expect(cards(page)).toContainText('Almonds');
	expect(await notes(page)).toEqual({});
});

test('[Z8] a second click on “Show more” allows nothing: a card can’t be pressed for a while after what is in it has moved', async ({ page }) => {
	await begin(page);
	await say(page, `${write('Fruit', Array.from({ length: 60 }, (_, line) => `Pear ${line}`).join('\n'))}\nDone.`);
	const button = cards(page).getByRole('button', { name: 'Allow once' });
	await expect(button).toBeEnabled();
	const letGo = await holdWhile(page);
	await press(cards(page), 'Show more (20 lines left)');
	await expect(cards(page).locator('pre').first()).toContainText('Pear 59');
	await expect(button).toHaveAttribute('aria-disabled', 'true');
	await button.click({ force: true });
	await letGo();
	await expect(button).toBeEnabled();
	expect(await notes(page)).toEqual({});
});

for (const [asked, line] of [['an answer', 'call ask_user {"question":"Which?"}'], ['permission', write('Fruit', 'Pears')]] as const) {
	test(`[Z8] a second press of Enter after ${asked} was given sends nothing that is not finished`, async ({ page }) => {
		await begin(page);
		await say(page, `${line}\nDone.`);
		const message = page.getByRole('textbox', { name: 'Message', exact: true });
		await message.fill('Not finis');
		if (asked === 'an answer') await cards(page).getByRole('textbox').fill('This one');
		else await cards(page).getByRole('button', { name: 'Allow once' }).focus();
		await expect(cards(page).getByRole('button', { name: /^(Answer|Allow once)$/ })).not.toHaveAttribute('aria-disabled');
		// It is pressed as soon as the composer has the focus.
		await message.evaluate((field) => {
			const again = () => setTimeout(() => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })));
			field.addEventListener('focus', again, { once: true });
		});
		await page.keyboard.press('Enter');
		await expect(said(page).assistant.last()).toContainText('Done.');
		await expect(message).toHaveValue('Not finis');
		await expect(said(page).you).toHaveCount(1);
		// What is pressed later is meant.
		await expect(async () => {
			await message.press('Enter');
			await expect(said(page).you).toHaveCount(2, { timeout: 500 });
		}).toPass();
	});
}

test('[Z8] a card that was scrolled can’t be pressed for a while, as scripts of a preview can scroll what is around it', async ({ page }) => {
	await begin(page);
	await page.setViewportSize({ width: 1280, height: 500 });
	await say(page, `${write('Fruit', Array.from({ length: 40 }, (_, line) => `Pear ${line}`).join('\n'))}\nDone.`);
	const button = cards(page).getByRole('button', { name: 'Allow once' });
	await expect(button).toBeEnabled();
	const letGo = await holdWhile(page);
	await button.hover({ force: true });
	await page.mouse.wheel(0, -60);
	await expect(button).toHaveAttribute('aria-disabled', 'true');
	await letGo();
	await expect(button).toBeEnabled();
});

test('[Z8] a card can’t be pressed for a while after it has moved, whatever has moved it; a key is heard', async ({ page }) => {
	await begin(page);
	await page.setViewportSize({ width: 420, height: 900 });
	await say(page, `${write('Fruit', 'Pears')}\nDone.`);
	const button = cards(page).getByRole('button', { name: 'Always allow' });
	const message = page.getByRole('textbox', { name: 'Message', exact: true });
	const top = async () => (await button.boundingBox())!.y;
	/** Moves the card, and resolves once it is elsewhere. The while in which it is deaf lasts until the returned function is called. */
	async function moveBy(cause: () => Promise<unknown>): Promise<() => Promise<void>> {
		await expect(button).toBeEnabled();
		const letGo = await holdWhile(page);
		const before = await top();
		await cause();
		await expect.poll(top).not.toBe(before);
		return letGo;
	}
	const grow = () => message.fill('Pears\nPlums\nFigs\nMedlars');
	const causes = {
		'the composer grows': grow,
		'the composer shrinks': () => message.fill('/help'),
		'the output of a command opens': () => message.press('Enter'),
		'the output of a command goes': () => page.keyboard.press('Escape')
	};
	for (const [name, cause] of Object.entries(causes)) {
		const letGo = await moveBy(cause);
		await expect(button, name).toHaveAttribute('aria-disabled', 'true');
		await button.click({ force: true });
		await letGo();
	}
	await expect(button).toBeEnabled();
	expect(await notes(page)).toEqual({});

	await moveBy(grow);
	await button.press('Enter');
	await expect(said(page).assistant.last()).toContainText('Done.');
	expect(await notes(page)).toEqual({ Fruit: 'Pears' });
});

test('[Z8] a card can’t be pressed for a while after what covered it went by itself, as a list that a tool server ends', async ({ page }) => {
	await begin(page);
	await page.setViewportSize({ width: 1280, height: 720 });
	await say(page, `${write('Fruit', 'Pears')}\nDone.`);
	const button = cards(page).getByRole('button', { name: 'Always allow' });
	const isCovered = () =>
		button.evaluate((button) => {
			const { x, y, width, height } = button.getBoundingClientRect();
			return !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
		});
	await expect(button).toBeEnabled();
	const message = page.getByRole('textbox', { name: 'Message', exact: true });
	await message.pressSequentially('/');
	await expect.poll(isCovered).toBe(true);
	await expect(button).toBeEnabled();
	const letGo = await holdWhile(page);
	await message.press('Escape');
	await expect.poll(isCovered).toBe(false);
	await expect(button).toHaveAttribute('aria-disabled', 'true');
	await button.click({ force: true });
	await letGo();
	await expect(button).toBeEnabled();
	expect(await notes(page)).toEqual({});
});

test('[Z8] a press counts where it begins and ends on the button of a card that stood still, and nothing else was pressed just before', async ({ page }) => {
	await begin(page);
	await say(page, `${write('Fruit', 'Pears')}\nDone.`);
	const button = cards(page).getByRole('button', { name: 'Always allow' });
	await expect(button).toBeEnabled();
	// It moves while it is held, within a frame.
	const letGo = await holdWhile(page);
	await button.evaluate((button) => {
		const move = () => (button.style.marginTop = '1px');
		addEventListener('pointerdown', move, { once: true });
	});
	await button.click();
	await expect(button).toHaveAttribute('aria-disabled', 'true');
	await letGo();
	await expect(button).toBeEnabled();
	// What is over a card may go at a press.
	const letGoAgain = await holdWhile(page);
	await cards(page).getByText('Create the note').click();
	await expect(button).toHaveAttribute('aria-disabled', 'true');
	await button.click({ force: true });
	await letGoAgain();
	await expect(button).toBeEnabled();
	expect(await notes(page)).toEqual({});
	await button.click();
	await expect(said(page).assistant.last()).toContainText('Done.');
});

test('[Z8] a card can’t be pressed for a while after another window was in front, whose page may have gone under a double click', async ({ page }) => {
	await begin(page);
	await say(page, write('Fruit', 'Pears'));
	const button = cards(page).getByRole('button', { name: 'Always allow' });
	// No test can put a window in front of another one: all of them believe to be there.
	const inFront = (isInFront: boolean) =>
		button.evaluate((_, isInFront) => {
			document.hasFocus = () => isInFront;
			return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
		}, isInFront);
	const causes = {
		'the window is in front again': async () => {
			await inFront(false);
			await inFront(true);
		},
		'the page shows again': () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
	};
	for (const [name, cause] of Object.entries(causes)) {
		await expect(button).toBeEnabled();
		const letGo = await holdWhile(page);
		await cause();
		await expect(button, name).toHaveAttribute('aria-disabled', 'true');
		await letGo();
	}
	await expect(button).toBeEnabled();
	expect(await notes(page)).toEqual({});
});

test('[Z8] a card goes without a word about a call that hasn’t been answered', async ({ page }) => {
	await begin(page);
	await page.evaluate(() => {
		new MutationObserver(() => {
			if (document.querySelector('.end')) document.documentElement.dataset.flashed = '';
		}).observe(document.body, { childList: true, subtree: true });
	});
	await say(page, `${write('Fruit', 'Pears')}\ncall ask_user {"question":"How many?","choices":["One"]}\nDone.`);
	await allow(page, 'Allow once');
	await press(cards(page), 'One');
	await expect(said(page).assistant.last()).toContainText('Done.');
	await expect(page.locator('html')).not.toHaveAttribute('data-flashed');
});

test('[Z8] what is denied is not done, and the model reads why', async ({ page }) => {
	await begin(page);
	await say(page, `${write('Fruit', 'Pears')} && ${write('Fruit', 'Plums')}\nIt says: {last}`);
	await expect(cards(page)).toHaveCount(2);
	await expect(page.getByRole('group', { name: 'Wants to call notes_write' })).toContainText(['waiting', 'waiting']);
	await press(cards(page).first(), 'Deny…');
	await cards(page).first().getByRole('textbox', { name: 'Message to the model' }).fill('No pears.');
	await page.keyboard.press('Enter');
	// The other one waits still.
	await expect(cards(page)).toHaveCount(1);
	await expect(cards(page)).toContainText('Plums');
	await press(cards(page), 'Deny…');
	await pressOnceStill(cards(page).getByRole('button', { name: 'Deny', exact: true }));
	await expect(said(page).assistant.last()).toContainText('It says: The user decided against this call. Nothing was done.');
	await expect(page.getByRole('group', { name: 'notes_write denied' }).first()).toContainText('They say: No pears.');
	expect(await notes(page)).toEqual({});
});

test('[Z8] a tool may be allowed in one chat, and in all, until that is taken back', async ({ page }) => {
	await begin(page);
	await say(page, `${write('a', '1')}\n${write('b', '2')}\nDone.`);
	await allow(page, 'Allow in this chat');
	await expect(said(page).assistant.last()).toContainText('Done.');
	expect(await notes(page)).toEqual({ a: '1', b: '2' });
	// Another tool asks, and is allowed for good.
	await say(page, `call notes_edit ${JSON.stringify({ name: 'a', old_text: '1', new_text: '3' })}\nEdited.`);
	await allow(page, 'Always allow');
	await expect(said(page).assistant.last()).toContainText('Edited.');
	await page.reload();
	await say(page, `call notes_edit ${JSON.stringify({ name: 'a', old_text: '3', new_text: '4' })} && ${write('c', '5')}\nAgain.`);
	await expect(said(page).assistant.last()).toContainText('Again.');
	expect(await notes(page)).toEqual({ a: '4', b: '2', c: '5' });

	// Each has a place where it is taken back.
	await inSessionMenu(page, 'Model settings');
	await page.getByRole('button', { name: 'Ask again before “Write notes”' }).click();
	await expect(page.getByText('You allowed it, so it doesn’t ask.')).toHaveCount(0);
	await expect(page.getByText('You allowed it in all chats')).toHaveCount(1);
	await page.goto('./settings');
	await page.getByRole('button', { name: 'Ask again before “Edit notes”' }).click();
	await expect.poll(async () => (await rowsOf<{ name: string; value: unknown }>(page, 'settings')).find(({ name }) => name === 'allowedTools')?.value).toEqual([]);
	await page.getByRole('link', { name: 'Continue last' }).click();
	await say(page, `${write('c', '6')} && call notes_edit ${JSON.stringify({ name: 'a', old_text: '4', new_text: '5' })}\nEnd.`);
	await expect(cards(page)).toHaveCount(2);
});

test('[Z8] the user answers a question of the model’s', async ({ page }) => {
	await begin(page);
	await say(page, 'call ask_user {"question":"Which fruit?","choices":["Pears","Plums"]}\ncall ask_user {"question":"How many?"}\nIt says: {last}');
	await expect(cards(page)).toContainText('The model asks you');
	// By keys alone, from the composer and back there.
	await expect(cards(page).getByRole('button', { name: 'Plums' })).toBeEnabled();
	await cards(page).getByRole('button', { name: 'Plums' }).focus();
	await page.keyboard.press('Enter');
	await expect(cards(page)).toContainText('How many?');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await cards(page).getByRole('textbox', { name: 'Your answer' }).fill('Three');
	await expect(cards(page).getByRole('button', { name: 'Answer', exact: true })).toBeEnabled();
	await page.keyboard.press('Enter');
	await expect(said(page).assistant.last()).toContainText('It says: {"answer":"Three"}');
});

test('[Z8] [P2] who writes on instead of answering the second of two questions has answered the first: the model reads it, and the chat keeps it', async ({ page }) => {
	await begin(page);
	await say(page, 'call ask_user {"question":"Which fruit?"} && call ask_user {"question":"How many?"}\nIt says: {last}');
	await cards(page).first().getByRole('textbox', { name: 'Your answer' }).fill('The yellow pears');
	await press(cards(page).first(), 'Answer');
	await expect(cards(page)).toHaveCount(1);
	await say(page, 'It does not matter.');
	// The one before it is whole too, while its other call waits.
	await expect(said(page).assistant.last()).toContainText('It does not matter.');
	await expect(said(page).assistant.last()).toHaveAttribute('aria-busy', 'false');
	await expect(cards(page)).toHaveCount(0);
	expect(JSON.stringify(server.requests.at(-1)!.body)).toContain('The yellow pears');
	const results = (await rowsOf<{ role: string; parts: { output?: unknown }[] }>(page, 'messages')).filter(({ role }) => role === 'tool');
	expect(results.map(({ parts }) => parts[0]!.output)).toEqual([{ answer: 'The yellow pears' }, passedBy]);
	expect(await rowsOf(page, 'checkpoints')).toEqual([]);
});

test('[Z8] calls that waited while the user wrote on were not run, and both the user and the model are told so', async ({ page }) => {
	await begin(page);
	await page.setViewportSize({ width: 1280, height: 1400 });
	await say(page, `${write('Fruit', 'Pears')} && ${write('Nuts', 'Hazels')} && ${write('Herbs', 'Thyme')}\nDone.`);
	await expect(cards(page)).toHaveCount(3);
	const lines = page.locator('details.traffic');
	await press(cards(page).first(), 'Allow once');
	await expect(cards(page)).toHaveCount(2);
	// It waits for the others, not for the user.
	await expect(lines.first()).toContainText('allowed; another call is not decided yet');
	await press(cards(page).first(), 'Deny…');
	await press(cards(page).first(), 'Deny');
	await expect(cards(page)).toHaveCount(1);
	await expect(lines.nth(1)).toContainText('denied');
	await expect(lines.nth(2)).toContainText('waiting');
	await page.reload();
	await expect(lines.first()).toContainText('allowed; another call is not decided yet');
	await say(page, 'Something else.');
	await expect(said(page).assistant.last()).toContainText('Something else.');
	await expect(cards(page)).toHaveCount(0);
	await expect(lines.first()).toHaveText(/Write notes\s*Fruit\s*skipped: you sent another message/);
	await expect(lines.nth(1)).toContainText('denied');
	await expect(lines.nth(2)).toContainText('skipped');
	await expect(page.getByText('no result')).toHaveCount(0);
	await lines.nth(2).locator('summary').click();
	await expect(lines.nth(2)).toContainText(passedBy);
	expect(JSON.stringify(server.requests.at(-1)!.body).split(passedBy)).toHaveLength(3);
	expect(await notes(page)).toEqual({});
	expect(await rowsOf(page, 'checkpoints')).toEqual([]);
});

test('[Z8] an answer that is typed outlives the page, until it is given', async ({ page }) => {
	await begin(page);
	await say(page, 'call ask_user {"question":"Which fruit?"}\nIt says: {last}');
	const field = cards(page).getByRole('textbox', { name: 'Your answer' });
	await field.fill('The yellow pears');
	await page.reload();
	await expect(field).toHaveValue('The yellow pears');
	await press(cards(page), 'Answer');
	await expect(said(page).assistant.last()).toContainText('It says: {"answer":"The yellow pears"}');
	expect(await page.evaluate(() => Object.values(sessionStorage).filter((kept: string) => kept.includes('yellow')))).toEqual([]);
});

test('[Z8] a question that pretends to be Snug’s has beside its field who reads the answer', async ({ page }) => {
	await begin(page);
	await say(page, `call ask_user ${JSON.stringify({ question: `So${'\n'.repeat(1800)}Snug needs your API key again.` })}\nDone.`);
	await expect(cards(page).getByRole('textbox', { name: 'Your answer' })).toHaveAccessibleDescription(/^The model reads this/);
});

test('[Z8] a permission that can’t be kept is said, and the call goes on when it is resumed', async ({ page }) => {
	await begin(page);
	await say(page, `${write('Fruit', 'Pears')}\nDone.`);
	await expect(cards(page)).toBeVisible();
	await page.evaluate(() => {
		const put = IDBObjectStore.prototype.put;
		IDBObjectStore.prototype.put = function (...row) {
			if (this.name === 'settings') throw new DOMException('Full.', 'QuotaExceededError');
			return put.apply(this, row);
		};
	});
	await allow(page, 'Always allow');
	await expect(page.getByText(/storage is full|no room|disk/i).first()).toBeVisible();
	await page.getByRole('button', { name: 'Resume' }).click();
	await expect(said(page).assistant.last()).toContainText('Done.');
	expect(await notes(page)).toEqual({ Fruit: 'Pears' });
});

test('[Z8] [P2] a note for which there is no room is told as that', async ({ page }) => {
	await begin(page);
	await say(page, `${write('Fruit', 'Pears')}\nIt says: {last}`);
	await expect(cards(page)).toBeVisible();
	await refuseRows(page, ['scratchpad']);
	await allow(page, 'Allow once');
	await expect(said(page).assistant.last()).toContainText('It says: There is no space left for Snug in this browser, so nothing was saved.');
	expect(await notes(page)).toEqual({});
});

test('[P8] an answer of many calls that ask, each slow to compare, leaves the page in use', async ({ page }) => {
	await begin(page);
	await page.setViewportSize({ width: 1280, height: 5000 });
	await say(page, 'call ask_user {"question":"Which fruit?"}\nDone.');
	await expect(cards(page)).toContainText('Which fruit?');
	const lines = (word: string) => Array.from({ length: 2000 }, (_, line) => `${word}${line}`).join('\n');
	const id = /\/s\/([^/?]+)/.exec(page.url())![1]!;
	await page.evaluate(([id, text]) => window.snug.scratchpad.set(id!, 'Fruit', text!), [id, lines('a')]);
	const answer = (await rowsOf<{ role: string; parts: object[] }>(page, 'messages')).find(({ role }) => role === 'assistant')!;
	const calls = Array.from({ length: 60 }, (_, at) => ({ type: 'tool-call', toolCallId: `c${at}`, toolName: 'notes_edit', input: { name: 'Fruit', old_text: lines('a'), new_text: lines(`b${at}`) } }));
	await putRows(page, { messages: [{ ...answer, parts: calls }] });
	await page.addInitScript(() => {
		new PerformanceObserver((list) => {
			for (const { duration } of list.getEntries()) window.name = String(Math.max(Number(window.name), duration));
		}).observe({ type: 'longtask' });
	});
	await page.reload();
	await expect(cards(page)).toHaveCount(3);
	await press(cards(page).first(), 'Deny…');
	await press(cards(page).first(), 'Deny');
	// The next one comes in its place.
	await expect.poll(() => rowsOf(page, 'checkpoints')).toMatchObject([{ calls: [{ toolCallId: 'c0', decided: 'denied' }] }]);
	await expect(cards(page)).toHaveCount(3);
	expect(Number(await page.evaluate(() => window.name))).toBeLessThan(3000);
});

test('[Z8] a note that has changed since it was shown is asked about again', async ({ page }) => {
	await begin(page);
	await say(page, `${write('Fruit', 'Pears')}\nDone.`);
	await expect(cards(page)).toContainText('Create the note “Fruit”');
	const id = /\/s\/([^/?]+)/.exec(page.url())![1]!;
	await page.evaluate((id) => window.snug.scratchpad.set(id, 'Fruit', 'Mine'), id);
	await expect(cards(page)).toContainText('Add to the note “Fruit”');
	await allow(page, 'Allow once');
	await expect(said(page).assistant.last()).toContainText('Done.');
	expect(await notes(page)).toEqual({ Fruit: 'Mine\nPears' });
});

test('[R2] a chat that waits says so in the list, and goes on with another message', async ({ page }) => {
	await begin(page);
	await say(page, `${write('Fruit', 'Pears')}\nDone.`);
	await expect(cards(page)).toBeVisible();
	await page.goto('./sessions');
	await expect(page.getByRole('row').filter({ hasText: 'Waiting for you' })).toHaveCount(1);
	await page.goBack();
	await expect(cards(page)).toBeVisible();
	await say(page, 'Never mind.');
	await expect(said(page).assistant.last()).toContainText('Never mind.');
	await expect(cards(page)).toHaveCount(0);
	expect(await notes(page)).toEqual({});
});

test('[R2] who is elsewhere is told that a chat waits, also in the list, and led there', async ({ page }) => {
	await begin(page);
	let answer = () => {};
	const isElsewhere = new Promise<void>((resolve) => (answer = resolve));
	await page.route('**/chat/completions', async (route) => {
		await isElsewhere;
		await route.continue();
	});
	await say(page, `${write('Fruit', 'Pears')}\nDone.`);
	await page.getByRole('link', { name: 'Settings' }).click();
	await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
	answer();
	const notice = page.getByText(/waits for you\.$/);
	await expect(notice).toBeVisible();
	const row = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /waiting for you/ });
	await expect(row).toHaveCount(1);
	await page.getByRole('button', { name: 'Open', exact: true }).click();
	await expect(cards(page)).toBeVisible();
	await expect(notice).toHaveCount(0);
	await expect(row).toHaveCount(0);
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(row).toHaveCount(1);
	await page.reload();
	await expect(row).toHaveCount(1);
});

test('[R1] a call that had begun when the browser was killed is not repeated unasked, though its tool is allowed', async ({ page }) => {
	await begin(page);
	await say(page, `${write('Fruit', 'Pears')}\nDone.`);
	await expect(cards(page)).toBeVisible();
	// As a browser leaves it that was killed after the note was written, before its result was.
	const [session] = await rowsOf<{ id: string }>(page, 'sessions');
	const answer = (await rowsOf<{ id: string; role: string }>(page, 'messages')).find(({ role }) => role === 'assistant')!;
	const call = (await rowsOf<{ parts: { type: string; toolCallId?: string }[]; id: string }>(page, 'messages')).find(({ id }) => id === answer.id)!.parts.find(({ type }) => type === 'tool-call')!;
	await putRows(page, {
		checkpoints: [{ sessionId: session!.id, calls: [{ answerId: answer.id, toolCallId: call.toolCallId!, begun: true }] }],
		settings: [{ name: 'allowedTools', value: ['notes_write'] }]
	});
	await page.reload();
	await expect(cards(page)).toContainText('may have been done already');
	await press(cards(page), 'Deny…');
	await pressOnceStill(cards(page).getByRole('button', { name: 'Deny', exact: true }));
	await expect(said(page).assistant.last()).toContainText('Done.');
	await expect(page.getByRole('group', { name: 'notes_write failed' })).toContainText('may have had its effect');
	expect(await notes(page)).toEqual({});
});

test('[A5] a tab that takes over decides about what waits, and the other can no more', async ({ page, context }) => {
	await begin(page);
	await say(page, `${write('Fruit', 'Pears')}\nDone.`);
	await expect(cards(page)).toBeVisible();
	const other = await context.newPage();
	await other.goto(page.url());
	await expect(said(other).assistant).toHaveText([/Let me look/]);
	await expect(cards(other)).toHaveCount(0);
	await other.getByRole('button', { name: 'Take over' }).click();
	await expect(cards(page)).toHaveCount(0);
	await allow(other, 'Allow once');
	await expect(said(other).assistant.last()).toContainText('Done.');
	await expect(said(page).assistant.last()).toContainText('Done.');
	expect(await notes(page)).toEqual({ Fruit: 'Pears' });
});
