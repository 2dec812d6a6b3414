import { expect, test } from './app';
import { actionsOf, answer, ask, inMessageMenu, putRows, rowsOf, said, say, useServer } from './chat';

test.use({ weights: 'none' });

interface Row {
	id: string;
	parentId: string | null;
	depth: number;
	role: string;
	parts: { type: string; text?: string }[];
}

test('[Z9] editing a message keeps both versions, each with its answer, and one steps between them', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Apples');
	await answer(page);
	const { you, assistant } = said(page);
	await you.hover();
	await actionsOf(you).getByRole('button', { name: 'Edit' }).click();
	await page.getByRole('textbox', { name: 'Edited message' }).fill('Pears');
	await page.getByRole('form', { name: 'Edit message' }).getByRole('button', { name: 'Send' }).click();
	await expect(assistant).toContainText('Pears');
	await expect(you).toHaveText(['Pears']);

	await expect(actionsOf(you)).toContainText('2 / 2');
	await actionsOf(you).getByRole('button', { name: 'Previous version' }).click();
	await expect(you).toHaveText(['Apples']);
	await expect(assistant).toContainText('Apples');
	await expect(actionsOf(you)).toContainText('1 / 2');
	await page.reload();
	await expect(you).toHaveText(['Apples']);
	await say(page, 'More');
	await expect(assistant).toHaveCount(2);
	await actionsOf(you.first()).getByRole('button', { name: 'Next version' }).click();
	await expect(you).toHaveText(['Pears']);
	await actionsOf(you.first()).getByRole('button', { name: 'Previous version' }).click();
	await expect(you).toHaveText(['Apples', 'More']);
	expect(await rowsOf(page, 'messages')).toHaveLength(7);
});

test('[Z9] regenerating an answer keeps both answers', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Once more');
	await answer(page);
	const { assistant } = said(page);
	await actionsOf(assistant).getByRole('button', { name: 'Regenerate' }).click();
	await expect(actionsOf(assistant)).toContainText('2 / 2');
	await expect(assistant).toContainText('Once more');
	const rows = await rowsOf<Row>(page, 'messages');
	const answers = rows.filter(({ role }) => role === 'assistant');
	expect(answers).toHaveLength(2);
	expect(new Set(answers.map(({ parentId }) => parentId)).size).toBe(1);
});

test('[Z9] one branches from any message, and a link leads to it', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	for (const text of ['One', 'Two', 'Three']) {
		await say(page, text);
		await expect(said(page).assistant.last()).toContainText(text);
		await answer(page);
	}
	const { you, assistant } = said(page);
	await inMessageMenu(page, assistant.first(), 'Branch from here');
	await expect(you).toHaveText(['One']);
	await say(page, 'Another way');
	await expect(you).toHaveText(['One', 'Another way']);
	await answer(page);

	const rows = await rowsOf<Row>(page, 'messages');
	const two = rows.find(({ parts }) => parts[0]?.text === 'Two')!;
	const address = new URL(page.url());
	await page.goto(`${address.pathname}?at=${two.id}`);
	await expect(you).toHaveText(['One', 'Two']);
	await expect(page.getByText('What you send starts a branch here.')).toBeVisible();
	await page.getByRole('link', { name: 'Back to where you were' }).click();
	await expect(you).toHaveText(['One', 'Another way']);
	await page.goto(`${address.pathname}?at=n1`);
	await expect(you).toHaveText(['One', 'Two']);
	await say(page, 'From there');
	await expect(you).toHaveText(['One', 'Two', 'From there']);
	await expect(page).toHaveURL(/\/s\/[-0-9a-f]+$/);
	await page.goto(`${address.pathname}?at=n99`);
	await expect(page.getByText('There is no “n99” in this chat.')).toBeVisible();
});

test('[Z9] what is done to an earlier state that is looked at is seen, and begins there', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	for (const text of ['One', 'Two', 'Three']) await ask(page, text);
	const { you, assistant } = said(page);
	const lookAtTwo = async () => {
		await expect(you.nth(1)).toHaveText('Two');
		// Where the chat ends there, only a link leads to that state.
		if ((await you.count()) > 2) await inMessageMenu(page, assistant.nth(1), 'View up to here');
		else await page.goto(`${page.url()}?at=${await assistant.nth(1).getAttribute('data-id')}`);
		await expect(page).toHaveURL(/at=/);
		await expect(you).toHaveText(['One', 'Two']);
	};
	await lookAtTwo();
	await actionsOf(assistant.nth(1)).getByRole('button', { name: 'Regenerate' }).click();
	await expect(actionsOf(assistant.nth(1))).toContainText('2 / 2');
	await expect(page).toHaveURL(/\/s\/[-0-9a-f]+$/);

	await lookAtTwo();
	await you.first().hover();
	await actionsOf(you.first()).getByRole('button', { name: 'Edit' }).click();
	await page.getByRole('textbox', { name: 'Edited message' }).fill('Uno');
	await page.getByRole('form', { name: 'Edit message' }).getByRole('button', { name: 'Send' }).click();
	await expect(you).toHaveText(['Uno']);
	await expect(assistant).toContainText('Uno');

	await actionsOf(you.first()).getByRole('button', { name: 'Previous version' }).click();
	await lookAtTwo();
	await inMessageMenu(page, assistant.first(), 'Branch from here');
	await expect(you).toHaveText(['One']);
	await say(page, 'Another way');
	await expect(you).toHaveText(['One', 'Another way']);
});

test('a redacted message is gone from the store after ten seconds, its place stays; until then it can be had back', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'My number is 12345');
	await answer(page);
	const { you, assistant } = said(page);
	await inMessageMenu(page, you, 'Erase text');
	await expect(you).toContainText('Text erased');
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(you).toHaveText(['My number is 12345']);

	await inMessageMenu(page, you, 'Erase text');
	await inMessageMenu(page, assistant, 'Erase text');
	await expect(assistant).toContainText('Text erased');
	const everything = async () => {
		const tables = ['messages', 'trash', 'sessions', 'drafts'];
		return JSON.stringify(await Promise.all(tables.map((table) => rowsOf(page, table))));
	};
	await expect.poll(everything, { timeout: 20_000 }).not.toContain('12345');
	await page.reload();
	await expect(you).toContainText('Text erased');
	await say(page, 'And on');
	await expect(assistant.last()).toContainText('And on');
});

test('a deleted branch can be had back, and else goes with all that follows it', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	for (const text of ['One', 'Two']) {
		await say(page, text);
		await expect(said(page).assistant.last()).toContainText(text);
		await answer(page);
	}
	const { you } = said(page);
	await inMessageMenu(page, you.last(), 'Delete from here on');
	await expect(you).toHaveText(['One']);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(you).toHaveText(['One', 'Two']);

	await inMessageMenu(page, you.last(), 'Delete from here on');
	await expect(you).toHaveText(['One']);
	await say(page, 'Instead');
	await expect(you).toHaveText(['One', 'Instead']);
	await answer(page);
	await expect.poll(async () => (await rowsOf(page, 'messages')).length, { timeout: 20_000 }).toBe(5);
	await page.reload();
	await expect(you).toHaveText(['One', 'Instead']);
});

test('[E15] from the newest of 1 000 messages to the start and back', async ({ page }) => {
	await page.goto('./');
	await page.getByRole('textbox', { name: 'Message' }).waitFor();
	const id = '01900000-0000-7000-8000-000000000000';
	const idOf = (depth: number) => `01900000-0000-7000-8001-${String(depth).padStart(12, '0')}`;
	const messages = Array.from({ length: 1001 }, (_, depth) => ({
		id: idOf(depth),
		sessionId: id,
		parentId: depth === 0 ? null : idOf(depth - 1),
		depth,
		role: depth === 0 ? 'system' : depth % 2 ? 'user' : 'assistant',
		parts: depth === 0 ? [] : [{ type: 'text', text: `Message ${depth}` }],
		createdAt: depth
	}));
	const tip = { id: idOf(1000), depth: 1000, forkId: null, forkDepth: 0, fromId: null };
	const tree = { sessionId: id, tips: [tip], labels: {}, mainTip: null, removed: [] };
	const position = { sessionId: id, headId: tip.id, fence: 0 };
	const session = {
		id, key: 'web:home:1', title: 'Long', titledBy: 'user', workspace: 'home', surface: 'web', preview: 'Message 1',
		provider: 'on-device', model: 'tiny', status: 'success', stopReason: '', steps: 500, messageCount: 1001, bytes: 1, usage: {},
		filesTouched: [], pinned: 0, archived: 0, createdAt: 1, updatedAt: 1000
	};
	await putRows(page, { messages, trees: [tree], positions: [position], sessions: [session] });
	await page.goto(`./s/${id}`);
	await expect(page.getByText('Message 1000', { exact: true })).toBeVisible();
	// A user scrolls up to the button; only that ends following the end.
	await page.getByText('Message 1000', { exact: true }).hover();
	await page.mouse.wheel(0, -100_000);
	await page.getByRole('button', { name: 'Jump to the start' }).click();
	await expect(page.getByText('Message 1', { exact: true })).toBeInViewport();
	await expect(page.getByText('Message 1000', { exact: true })).toBeHidden();
	await page.getByRole('log').hover();
	await page.mouse.wheel(0, 100_000);
	await expect(page.getByText('Message 350', { exact: true })).toBeAttached();
	// Once it is in sight more comes above it: a click that had begun by then goes by it.
	await expect(async () => {
		if (await page.getByText('Message 1000', { exact: true }).isHidden()) await page.getByRole('button', { name: 'Jump to the end' }).click();
		await expect(page.getByText('Message 1000', { exact: true })).toBeInViewport({ timeout: 3000 });
	}).toPass();
});

test('[P10] the keyboard goes on where it was: at the versions, or in the composer', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Apples');
	const { you, assistant } = said(page);
	const composer = page.getByRole('textbox', { name: 'Message' });
	const previous = actionsOf(assistant).getByRole('button', { name: 'Previous version' });
	const next = actionsOf(assistant).getByRole('button', { name: 'Next version' });
	for (const versions of ['2 / 2', '3 / 3']) {
		await actionsOf(assistant).getByRole('button', { name: 'Regenerate' }).press('Enter');
		await expect(actionsOf(assistant)).toContainText(versions);
		await expect(composer).toBeFocused();
	}
	await previous.press('Enter');
	await expect(actionsOf(assistant)).toContainText('2 / 3');
	await expect(previous).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(actionsOf(assistant)).toContainText('1 / 3');
	await expect(next).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(actionsOf(assistant)).toContainText('2 / 3');
	await expect(next).toBeFocused();

	await actionsOf(you).getByRole('button', { name: 'Edit' }).press('Enter');
	await expect(page.getByRole('textbox', { name: 'Edited message' })).toBeFocused();
	await page.keyboard.type(' and pears');
	await page.keyboard.press('Enter');
	await expect(assistant).toHaveText(/Apples and pears/);
	await expect(composer).toBeFocused();

	await ask(page, 'More');
	await actionsOf(you.last()).getByRole('button', { name: 'More' }).press('Enter');
	await page.getByRole('button', { name: 'Delete from here on' }).press('Enter');
	await expect(you).toHaveCount(1);
	await expect(composer).toBeFocused();
});

test('[P4] one branch is the main branch until it is unset, which is said', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Apples');
	const { assistant } = said(page);
	await inMessageMenu(page, assistant, 'Set as main branch');
	await expect(page.getByText('This is the main branch now.')).toBeVisible();
	await inMessageMenu(page, assistant, 'Unset main branch');
	await expect(page.getByText('No main branch now.')).toBeVisible();
	await inMessageMenu(page, assistant, 'Set as main branch');
});

test('[Z9] a bar says that a branch begins until it does, or the end is gone to', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Apples');
	await ask(page, 'Pears');
	await said(page).assistant.last().hover();
	await actionsOf(said(page).assistant.last()).getByRole('button', { name: 'More' }).click();
	const menu = page.getByRole('group', { name: 'Message' });
	await expect(menu.getByRole('button', { name: 'Label', exact: true })).toBeVisible();
	await expect(menu.getByRole('button', { name: 'Branch from here' })).toHaveCount(0);
	await page.keyboard.press('Escape');
	await inMessageMenu(page, said(page).assistant.first(), 'Branch from here');
	const announced = page.getByText('What you send next starts a branch here.');
	await expect(announced).toBeVisible();
	await page.reload();
	await expect(announced).toBeVisible();
	await page.getByRole('button', { name: 'Go to the end' }).click();
	await expect(announced).toBeHidden();
	await expect(said(page).you).toHaveText(['Apples', 'Pears']);
	await inMessageMenu(page, said(page).assistant.first(), 'Branch from here');
	await expect(announced).toBeVisible();
	await ask(page, 'Figs');
	await expect(announced).toBeHidden();
	// Another answer begins a branch of its own, which is nothing to be said.
	await actionsOf(said(page).assistant.last()).getByRole('button', { name: 'Regenerate' }).click();
	await answer(page);
	await expect(announced).toBeHidden();
});

test('[Z9] what is last has no state before what follows to be viewed', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Apples');
	const { you, assistant } = said(page);
	const view = page.getByRole('group', { name: 'Message' }).getByRole('button', { name: 'View up to here' });
	for (const [message, count] of [[assistant, 0], [you, 1]] as const) {
		await message.hover();
		await actionsOf(message).getByRole('button', { name: 'More' }).click();
		await expect(page.getByRole('button', { name: 'Copy link to here' })).toBeVisible();
		await expect(view).toHaveCount(count);
		await page.keyboard.press('Escape');
	}
});

test('[P10] versions move no button: a second press does what the first did, and the order is the same in sight and for the keyboard', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Apples');
	const { you, assistant } = said(page);
	const regenerate = (await actionsOf(assistant).getByRole('button', { name: 'Regenerate' }).boundingBox())!;
	const press = () => page.mouse.click(regenerate.x + regenerate.width / 2, regenerate.y + regenerate.height / 2);
	await press();
	await expect(actionsOf(assistant)).toContainText('2 / 2');
	await press();
	await expect(actionsOf(assistant)).toContainText('3 / 3');

	const names = () => actionsOf(you).getByRole('button').evaluateAll((all) => all.map((button) => ({ name: button.ariaLabel, left: button.getBoundingClientRect().left })));
	const inSight = async () => (await names()).toSorted((a, b) => a.left - b.left).map(({ name }) => name);
	expect(await inSight()).toEqual(['Edit', 'Copy message', 'More']);
	expect((await names()).map(({ name }) => name)).toEqual(await inSight());
	// On a narrow screen they stand below the question from the start.
	await page.setViewportSize({ width: 390, height: 800 });
	const more = actionsOf(you).getByRole('button', { name: 'More' });
	const before = (await more.boundingBox())!;
	await actionsOf(you).getByRole('button', { name: 'Edit' }).click();
	const line = page.getByRole('form', { name: 'Edit message' }).locator(':has(> button)').locator('> *');
	await expect(line).toHaveText(['The original is kept.', 'Cancel', 'Send']);
	const middles = await line.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top + each.clientHeight / 2)));
	expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4);
	await page.keyboard.type(' and pears');
	await page.keyboard.press('Enter');
	await expect(actionsOf(you)).toContainText('2 / 2');
	expect((await more.boundingBox())!.x).toBe(before.x);
	// While the answer is written the question is not edited.
	await expect.poll(inSight).toEqual(['Previous version', 'Next version', 'Edit', 'Copy message', 'More']);
	expect((await names()).map(({ name }) => name)).toEqual(await inSight());
});
