import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { storedConversation, useServer, withSessions } from './chat';

test.use({ weights: 'none', viewport: { width: 900, height: 700 } });

const formatted = (at: number) => `# Heading ${at}\n\nSome **bold ${at}** words.\n\n- one\n- two\n\n\`\`\`js\nconst at = ${at};\n\`\`\`\n\n${'A line of text. '.repeat((at % 7) * 6)}`;

/** A chat of so many messages; every second one is an answer with formatting. */
async function openLong(page: Page, count: number, answer = formatted) {
	const texts = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? `Question ${at}` : answer(at)));
	const stored = storedConversation(1, texts);
	// One that no notice is about.
	stored.sessions.createdAt = stored.sessions.updatedAt = Date.now();
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	await expect(page.getByText(`bold ${count - 1}`, { exact: true })).toBeInViewport();
	return stored;
}

const log = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const drawn = (page: Page) => log(page).locator('article:has(strong), .asked');

/** Scrolls by so many heights of the window, and waits until what is in sight is drawn. */
async function scroll(page: Page, windows: number) {
	await log(page).hover();
	await page.mouse.wheel(0, windows * 600);
	await expect.poll(() => plainInSight(page)).toEqual([]);
}

/** The ids of the messages in sight that are there as plain text only. */
function plainInSight(page: Page): Promise<string[]> {
	return log(page).evaluate((window) => {
		const { top, bottom } = window.getBoundingClientRect();
		const plain = [...window.querySelectorAll<HTMLElement>('article')].filter((article) => !article.matches(':has(strong), .user'));
		return plain.filter((article) => article.getBoundingClientRect().bottom > top && article.getBoundingClientRect().top < bottom).map(({ dataset }) => dataset.id!);
	});
}

/** Has nothing done when the page has time, until the returned function is called. */
async function holdIdle(page: Page): Promise<() => Promise<void>> {
	await page.addInitScript(() => {
		const held: IdleRequestCallback[] = [];
		const request = window.requestIdleCallback.bind(window);
		window.requestIdleCallback = (work) => held.push(work);
		Object.assign(window, {
			releaseIdle() {
				window.requestIdleCallback = request;
				for (const work of held.splice(0)) request(work);
			}
		});
	});
	return () => page.evaluate(() => (window as unknown as { releaseIdle: () => void }).releaseIdle());
}

/** Waits until every message was drawn once: whoever scrolls meets the heights that they have. */
async function untilMeasured(page: Page) {
	await expect.poll(() => log(page).evaluate((window) => window.querySelectorAll('article:not([data-measured], :has(strong), .user)').length)).toBe(0);
}

/** The height of each message, by its id. */
function heights(page: Page): Promise<Record<string, number>> {
	return log(page).evaluate((window) =>
		Object.fromEntries([...window.querySelectorAll<HTMLElement>('[data-place]')].map((place) => [place.dataset.place!, Math.round(place.getBoundingClientRect().height)]))
	);
}

test('[P3] of a long chat what is near the window is drawn, and the rest is text that is as high', async ({ page }) => {
	const release = await holdIdle(page);
	await openLong(page, 400);
	await expect(page.getByRole('article')).toHaveCount(200);
	await expect.poll(() => plainInSight(page)).toEqual([]);
	expect(await drawn(page).count()).toBeLessThan(40);
	expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2000);
	expect(await log(page).evaluate((window) => window.textContent)).toContain('**bold 301**');
	await scroll(page, -8);
	expect(await drawn(page).count()).toBeLessThan(80);
	await release();
	await untilMeasured(page);
	await expect.poll(() => drawn(page).count()).toBeLessThan(80);
	expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2500);
	const asText = await heights(page);
	await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
	await expect(log(page).locator('strong')).toHaveCount(100);
	expect(await heights(page)).toEqual(asText);
});

/** Counts the rows that pages read from now on, by table; what is called tells. */
async function countReads(page: Page): Promise<() => Promise<Record<string, number>>> {
	await page.addInitScript(() => {
		const reads: Record<string, number> = {};
		Object.assign(window, { reads });
		for (const Source of [IDBObjectStore, IDBIndex]) {
			for (const method of ['get', 'getAll', 'openCursor'] as const) {
				const read = Source.prototype[method] as (...args: unknown[]) => IDBRequest;
				Source.prototype[method] = function (this: IDBObjectStore | IDBIndex, ...args: unknown[]) {
					const request = read.apply(this, args);
					const { name } = 'objectStore' in this ? this.objectStore : this;
					request.addEventListener('success', () => {
						const result: unknown = request.result;
						reads[name] = (reads[name] ?? 0) + (Array.isArray(result) ? result.length : result ? 1 : 0);
					});
					return request;
				} as never;
			}
		}
	});
	return () => page.evaluate(() => (window as unknown as { reads: Record<string, number> }).reads);
}

test('[P3] opening a chat reads and draws no more, however long it is and however many there are', async ({ page }) => {
	const texts = (count: number) => Array.from({ length: count }, (_, at) => (at % 2 === 0 ? `Question ${at}` : formatted(at)));
	const [long, longer] = [storedConversation(1, texts(400)), storedConversation(2, texts(4000))];
	await page.goto('./');
	await withSessions(page, [long, longer]);
	const reads = await countReads(page);
	const opened = async ({ sessions: { id }, messages }: typeof long) => {
		await page.goto(`./s/${id}`);
		await expect(page.getByText(`bold ${messages.length - 2}`, { exact: true })).toBeInViewport();
		await untilMeasured(page);
		const { messages: messageRows = 0 } = await reads();
		return { messageRows, nodes: await page.evaluate(() => document.querySelectorAll('*').length) };
	};
	const [one, other] = [await opened(long), await opened(longer)];
	// The newest 200, once, and what is looked at of the path.
	for (const { messageRows, nodes } of [one, other]) {
		expect(messageRows).toBeLessThanOrEqual(210);
		expect(nodes).toBeLessThan(2000);
	}
	expect(other.messageRows).toBe(one.messageRows);
});

test('[P3] what was drawn of chats that were left is let go of', async ({ page }) => {
	const texts = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? `Question ${at}` : formatted(at)));
	const chats = Array.from({ length: 8 }, (_, at) => storedConversation(at + 1, texts));
	await page.goto('./');
	await withSessions(page, chats);
	const devtools = await page.context().newCDPSession(page);
	/** The nodes that the page holds, also those that are in no document. */
	const nodes = async () => {
		await devtools.send('HeapProfiler.collectGarbage');
		return (await devtools.send('Memory.getDOMCounters')).nodes;
	};
	const home = page.getByRole('link', { name: 'New chat', exact: true });
	for (const { sessions } of chats) {
		await page.locator(`nav a[href$="/s/${sessions.id}"]`).last().click();
		await expect(page).toHaveURL(new RegExp(sessions.id));
		await expect(page.getByText('bold 59', { exact: true })).toBeInViewport();
		await untilMeasured(page);
	}
	await home.click();
	await expect(log(page)).toHaveCount(0);
	await expect.poll(nodes).toBeLessThan(4000);
});

test('[P3] what was drawn is text again when it is far away, and is drawn again when it comes near', async ({ page }) => {
	await openLong(page, 200);
	await untilMeasured(page);
	const most = async () => expect(await drawn(page).count()).toBeLessThan(60);
	await most();
	await log(page).focus();
	for (const key of ['Home', 'End', 'Home']) {
		await page.keyboard.press(key);
		await expect(page.getByText(`bold ${key === 'Home' ? 1 : 199}`, { exact: true })).toBeInViewport();
		await expect.poll(() => plainInSight(page)).toEqual([]);
		await expect.poll(() => drawn(page).count()).toBeLessThan(60);
	}
	await page.setViewportSize({ width: 500, height: 900 });
	await untilMeasured(page);
	await page.keyboard.press('End');
	await expect(page.getByText('bold 199', { exact: true })).toBeInViewport();
});

test('[P3] a chat stays at its end while the rest of it is measured, and Home and End lead to its ends', async ({ page }) => {
	await openLong(page, 200);
	await untilMeasured(page);
	const left = await log(page).evaluate((window) => window.scrollHeight - window.scrollTop - window.clientHeight);
	expect(left).toBeLessThan(2);
	await expect(page.getByText('bold 199', { exact: true })).toBeInViewport();
	await log(page).focus();
	await page.keyboard.press('Home');
	await expect.poll(() => log(page).evaluate((window) => window.scrollTop)).toBe(0);
	await page.keyboard.press('End');
	await expect(page.getByText('bold 199', { exact: true })).toBeInViewport();
});

test('[P3] what is drawn out of sight moves nothing that is in sight', async ({ page }) => {
	await openLong(page, 200);
	await scroll(page, -1);
	for (let times = 0; times < 10; times++) {
		await log(page).hover();
		await page.mouse.wheel(0, -500);
		await expect.poll(() => plainInSight(page)).toEqual([]);
		// A wheel may scroll for a moment.
		const top = () => log(page).evaluate((window) => window.scrollTop);
		let before = NaN;
		await expect.poll(async () => before - (before = await top()), { intervals: [200] }).toBe(0);
		const seen = await middle(page);
		await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
		expect(await placeOf(page, seen.id)).toBeCloseTo(seen.top, -0.5);
	}
});

test('[P3] [P4] what was opened or begun in a message stays while one is far from it', async ({ page }) => {
	const stored = await openLong(page, 120);
	const last = stored.messages.at(-2)!;
	await log(page).locator(`article[data-id="${last.id}"]`).hover();
	await page.locator('.asked').getByRole('button', { name: 'Edit' }).last().click();
	const edit = page.getByRole('textbox', { name: 'Edit' });
	await edit.fill('Another question');
	for (let times = 0; times < 6; times++) await scroll(page, -4);
	await expect(edit).toHaveValue('Another question');
	await expect(edit).toBeAttached();
	await page.getByRole('button', { name: 'Jump to the newest message' }).click();
	await expect(edit).toBeInViewport();
});

test('[P3] what is read again leaves what is drawn as it is: what was opened, selected and focused in it', async ({ page }) => {
	const stored = await openLong(page, 120);
	await scroll(page, -3);
	const { id } = await middle(page);
	const article = log(page).locator(`article[data-id="${id}"]`);
	await article.evaluate((article) => {
		article.setAttribute('data-seen', '');
		getSelection()!.selectAllChildren(article);
	});
	await page.evaluate((id) => window.snug.sessions.rename(id, 'Another name'), stored.sessions.id);
	await page.evaluate(([id, message]) => window.snug.tree.label(id, message, 'here'), [stored.sessions.id, id] as const);
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Another name');
	await expect(article.getByText('here', { exact: true })).toBeVisible();
	await expect(article).toHaveAttribute('data-seen', '');
	expect(await page.evaluate(() => getSelection()!.toString())).not.toBe('');
});

test('[P3] whoever scrolls on gets on: earlier and later messages come before one is there, and what is in sight stays', async ({ page }) => {
	await openLong(page, 700, (at) => `**bold ${at}**`);
	const top = () => log(page).evaluate((window) => window.scrollTop);
	await log(page).hover();
	let mostRead = 0;
	for (const [direction, goal] of [
		[-1, page.getByText('Question 0', { exact: true })],
		[1, page.getByText('bold 699', { exact: true })]
	] as const) {
		await expect(async () => {
			const before = await page.getByRole('article').first().getAttribute('data-id');
			await page.mouse.wheel(0, direction * 15_000);
			let rested = NaN;
			await expect.poll(async () => rested - (rested = await top()), { intervals: [100] }).toBe(0);
			mostRead = Math.max(mostRead, await page.getByRole('article').count());
			await expect.poll(() => plainInSight(page)).toEqual([]);
			// With others above it, it is where it was.
			const seen = await middle(page);
			if (before !== (await page.getByRole('article').first().getAttribute('data-id'))) expect(await placeOf(page, seen.id)).toBeCloseTo(seen.top, -0.5);
			await expect(goal).toBeInViewport({ timeout: 1 });
		}).toPass({ timeout: 120_000, intervals: [0] });
	}
	expect(mostRead).toBeGreaterThan(400);
	expect(mostRead).toBeLessThanOrEqual(600);
});

test('[P3] other messages above what is read leave it in its place', async ({ page }) => {
	await openLong(page, 400);
	// Stopped while it is scrolled, somewhere before the end of what is read.
	await expect(async () => {
		await log(page).hover();
		await page.mouse.wheel(0, -3000);
		await expect.poll(() => plainInSight(page)).toEqual([]);
		const seen = await middle(page);
		await expect(page.getByRole('article')).toHaveCount(400, { timeout: 1 });
		// Asked between two frames, it may be on its way back to its place.
		await expect.poll(async () => Math.abs((await placeOf(page, seen.id)) - seen.top)).toBeLessThan(4);
	}).toPass({ timeout: 60_000, intervals: [0] });
	let rested = NaN;
	await expect.poll(async () => rested - (rested = await log(page).evaluate((window) => window.scrollTop)), { intervals: [200] }).toBe(0);
	const { id, top } = await middle(page);
	await untilMeasured(page);
	await expect.poll(async () => Math.abs((await placeOf(page, id)) - top)).toBeLessThan(4);
});

test('[P3] Home and End lead to the ends of a chat with one press, whatever of it is read or measured, also from an empty composer', async ({ page }) => {
	const release = await holdIdle(page);
	await openLong(page, 500);
	const start = page.getByText('Question 0', { exact: true });
	const end = page.getByText('bold 499', { exact: true });
	const top = () => log(page).evaluate((window) => window.scrollTop);
	const left = () => log(page).evaluate((window) => window.scrollHeight - window.scrollTop - window.clientHeight);
	const composer = page.getByRole('textbox', { name: 'Message' });
	for (const field of [log(page), composer]) {
		await field.focus();
		await page.keyboard.press('Home');
		await expect(start).toBeInViewport();
		await expect.poll(top).toBe(0);
		await page.keyboard.press('End');
		await expect(end).toBeInViewport();
		await expect.poll(left).toBeLessThan(2);
		await expect(field).toBeFocused();
	}
	await release();
	await page.keyboard.press('PageUp');
	await expect.poll(left).toBeGreaterThan(300);
	await page.keyboard.press('PageDown');
	await expect.poll(left).toBeLessThan(2);
	// With something in it, the keys are its own.
	await composer.fill('Two words');
	await page.keyboard.press('Home');
	await page.keyboard.type('My ');
	await expect(composer).toHaveValue('My Two words');
	await expect(end).toBeInViewport();
});

test('[E11] a chat that one returns to is where one was reading it; at its end, where one was there', async ({ page }) => {
	const texts = (name: string) => Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? `Question ${at}` : `${formatted(at)}\n\n${name} ${at}`));
	const [one, other] = [storedConversation(1, texts('One')), storedConversation(2, texts('Other'))];
	await page.goto('./');
	await withSessions(page, [one, other]);
	await page.goto(`./s/${one.sessions.id}`);
	await expect(page.getByText('One 299', { exact: true })).toBeInViewport();
	const link = (id: string) => page.locator(`nav a[href$="${id}"]`).first();
	for (const windows of [-3, -40]) {
		await scroll(page, windows);
		await untilMeasured(page);
		const { id, top } = await middle(page);
		await link(other.sessions.id).click();
		await expect(page.getByText('Other 299', { exact: true })).toBeInViewport();
		await link(one.sessions.id).click();
		await expect(log(page).locator(`[data-id="${id}"]`)).toBeInViewport();
		await expect.poll(async () => Math.abs((await placeOf(page, id)) - top)).toBeLessThan(4);
		await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	}
	await page.getByRole('button', { name: 'Jump to the newest message' }).click();
	await expect(page.getByText('One 299', { exact: true })).toBeInViewport();
	await link(other.sessions.id).click();
	await expect(page.getByText('Other 299', { exact: true })).toBeInViewport();
	await link(one.sessions.id).click();
	await expect(page.getByText('One 299', { exact: true })).toBeInViewport();
});

test('[P3] a message in which more was asked for stays as it is while one is far from it', async ({ page }) => {
	const long = `Start\n\n${'A line of a long text.\n\n'.repeat(6000)}The end of it`;
	const texts = ['Long?', long, ...Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? `Question ${at}` : formatted(at)))];
	const stored = storedConversation(1, texts);
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}?m=${stored.messages[2]!.id}`);
	const answer = log(page).locator(`article[data-id="${stored.messages[2]!.id}"]`);
	await answer.getByRole('button', { name: /Show more/ }).click();
	await expect(answer).toContainText('The end of it');
	await page.getByRole('button', { name: 'Jump to the newest message' }).click();
	await expect(page.getByText('bold 59', { exact: true })).toBeInViewport();
	await expect(answer.getByRole('button', { name: /Show more/ })).toHaveCount(0);
	await expect(answer).toContainText('The end of it');
});

test('[P3] what is copied of a long chat is what it says, not how it is written', async ({ page, context }) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await openLong(page, 150);
	await untilMeasured(page);
	const before = await drawn(page).count();
	await log(page).evaluate((window) => getSelection()!.selectAllChildren(window));
	await page.keyboard.press('Control+c');
	const copied = await page.evaluate(() => navigator.clipboard.readText());
	expect(copied).toContain('Question 0');
	expect(copied).toContain('Some bold 1 words.');
	expect(copied).toContain('Some bold 75 words.');
	expect(copied).not.toContain('**');
	expect(copied).toContain('const at = 75;');
	expect(copied).not.toMatch(/^(js|Copy|text)$/m);
	// As many as there was time for: the rest was copied from the words that are known of it.
	const selected = await drawn(page).count();
	expect(selected).toBeGreaterThan(before);
	await log(page).evaluate(() => getSelection()!.removeAllRanges());
	await expect.poll(() => drawn(page).count()).toBeLessThan(Math.min(selected, 60));
});

test('[P3] [P8] however much of a chat turns, or is to be copied, it opens at once', async ({ page }) => {
	const turning = '\u05d0 a 1, '.repeat(14_000);
	const stored = storedConversation(1, Array.from({ length: 120 }, (_, at) => (at % 2 === 0 ? `Question ${at}` : turning)));
	await page.goto('./');
	await withSessions(page, [stored]);
	// Else each is drawn once, to be measured.
	await holdIdle(page);
	await page.goto(`./s/${stored.sessions.id}`);
	await expect(page.getByRole('article', { name: 'Assistant' })).toHaveCount(60);
	// Far away there is the start of it, until it was drawn once.
	const lengths = await log(page).evaluate((window) => [...window.querySelectorAll('article[aria-label=Assistant]')].slice(0, 40).map(({ textContent }) => textContent.trim().length));
	expect(Math.max(...lengths)).toBeLessThanOrEqual(2000);
});

test('[P8] [Z9] a message that no field has in good time is not edited, which is said', async ({ page }) => {
	const stored = storedConversation(1, ['\u05d0a'.repeat(30_000), 'Yes.', 'Short', 'No.']);
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	await expect(page.getByText('Short', { exact: true })).toBeVisible();
	await page.getByRole('button', { name: 'Edit', exact: true }).first().evaluate((button: HTMLElement) => button.click());
	await expect(page.getByRole('alert').filter({ hasText: 'too long or too complex to edit here' })).toBeVisible();
	await expect(page.getByRole('textbox', { name: 'Edited message' })).toHaveCount(0);
	await page.locator('.asked').getByRole('button', { name: 'Edit', exact: true }).last().evaluate((button: HTMLElement) => button.click());
	await expect(page.getByRole('textbox', { name: 'Edited message' })).toHaveValue('Short');
});

test('[P3] all of it is there for a selection and for print', async ({ page }) => {
	await holdIdle(page);
	await openLong(page, 80);
	await log(page).focus();
	const selected = await log(page).evaluate((window) => {
		getSelection()!.selectAllChildren(window);
		return getSelection()!.toString();
	});
	expect(selected).toContain('Question 0');
	expect(selected).toContain('bold 39');
	await page.evaluate(() => getSelection()!.removeAllRanges());
	await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
	await expect(page.getByText('bold 1', { exact: true })).toBeAttached();
	await expect(log(page).locator('strong')).toHaveCount(40);
	await page.evaluate(() => dispatchEvent(new Event('afterprint')));
	await expect(page.getByText('bold 1', { exact: true })).not.toBeAttached();
});

test('[P3] a chat is printed, all that was read of it, with nothing to press; what is on other pages is printed as ever', async ({ page }) => {
	const pages = async () => (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
	const rest = () => page.locator('.earlier').evaluateAll((lines) => lines.map((line) => getComputedStyle(line, '::before').content));
	await openLong(page, 400);
	await page.emulateMedia({ media: 'print' });
	expect(await rest()).toEqual([expect.stringContaining('There is more of this chat')]);
	const many = await pages();
	await page.emulateMedia({ media: null });
	await openLong(page, 60);
	await page.emulateMedia({ media: 'print' });
	for (const name of ['New chat', 'Send', 'Copy answer', 'Chat menu']) await expect(page.getByText(name, { exact: true }).or(page.getByLabel(name, { exact: true })).filter({ visible: true })).toHaveCount(0);
	await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
	expect(await rest()).toEqual([]);
	const few = await pages();
	expect(few).toBeGreaterThan(3);
	expect(many).toBeGreaterThan(2 * few);
	await page.locator('a[href$="/settings"]').first().evaluate((link: HTMLElement) => link.click());
	await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
	await expect(page.getByRole('textbox', { name: 'System prompt' })).toBeVisible();
});

/** The message in the middle of the window, and where it begins. */
function middle(page: Page): Promise<{ id: string; top: number }> {
	return log(page).evaluate((window) => {
		const { top, height } = window.getBoundingClientRect();
		const article = [...window.querySelectorAll<HTMLElement>('article')].find((article) => article.getBoundingClientRect().bottom > top + height / 2)!;
		return { id: article.dataset.id!, top: article.getBoundingClientRect().top };
	});
}

function placeOf(page: Page, id: string): Promise<number> {
	return log(page).evaluate((window, id) => window.querySelector(`article[data-id="${id}"]`)!.getBoundingClientRect().top, id);
}

test('[P1] [P3] opening a long chat on a phone moves nothing that is in sight', async ({ page, server }) => {
	await page.setViewportSize({ width: 412, height: 823 });
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.addInitScript(() => {
		const shifts: number[] = [];
		new PerformanceObserver((list) => shifts.push(...(list.getEntries() as unknown as { value: number }[]).map(({ value }) => value))).observe({ type: 'layout-shift', buffered: true });
		Object.assign(window, { shifts });
	});
	await openLong(page, 302);
	await untilMeasured(page);
	// Below the last answer, the button “More” makes way for two others, once this tab is known to write.
	expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0))).toBeLessThan(0.02);
});

test('[P3] a chat is printed in light colours with whole lines of code, all that was read, also in the frame in which it is opened', async ({ page }) => {
	await page.emulateMedia({ colorScheme: 'dark' });
	// What is read is printed as soon as the first of it stands there.
	await page.addInitScript(() => {
		const observer = new MutationObserver(() => {
			if (!document.querySelector('[role=log] [data-place]')) return;
			observer.disconnect();
			dispatchEvent(new Event('beforeprint'));
			Object.assign(window, { printed: document.querySelectorAll('[role=log] [data-place]').length });
		});
		observer.observe(document, { childList: true, subtree: true });
	});
	await openLong(page, 150, (at) => `**bold ${at}**\n\n\`\`\`js\nconst line = '${'word '.repeat(60)}';\n\`\`\``);
	expect(await page.evaluate(() => (window as unknown as { printed: number }).printed)).toBeGreaterThanOrEqual(150);
	await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
	for (const name of ['Wrap lines', 'Download', 'Copy']) await expect(log(page).getByRole('button', { name, exact: true }).filter({ visible: true })).toHaveCount(0);
	const code = log(page).locator('pre').last();
	expect(await code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
	expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
});
