import type { Page } from '@playwright/test';
import type { Recorded } from '../fixtures/openai-server.mjs';
import { expect, test } from './app';
import { actionsOf, ask, askToo, expectAccessible, inMessageMenu, openPanel, pressOnceStill, rowsOf, said, say, useServer } from './chat';
import { switchTools } from './tools';

test.use({ weights: 'none' });

const pair = (page: Page) => page.getByRole('group', { name: 'Two answers' });
const keepers = (page: Page) => pair(page).getByRole('button', { name: 'Keep this one' });
const answers = (page: Page) => pair(page).getByRole('article');
const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

async function begin(page: Page, url: string, first: string, second: string): Promise<void> {
	await page.goto('./');
	await useServer(page, url, first);
	await askToo(page, second);
}

/** What was asked of which model since `from`, in the order of their names. */
function asked(requests: Recorded[], from: number): string[] {
	const completions = requests.slice(from).filter(({ path }) => path.endsWith('/completions'));
	return completions.map(({ body }) => `${body.model}: ${body.messages.at(-1).content}`).sort();
}

test('[P3] [P4] two models answer at once, side by side, and either answer is kept', async ({ page, server, hold }) => {
	const letEnd = hold('slow-tokens');
	await begin(page, server.url, 'slow-tokens', 'reasoning');
	await expectAccessible(page, 'two models');
	await say(page, words(40));
	// The second is whole while the first is being written.
	await expect(answers(page).last()).toContainText('Four.');
	await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false');
	await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
	await expect(keepers(page)).toHaveCount(0);
	letEnd();
	await expect(answers(page).first()).toContainText('word39');
	await expect(keepers(page)).toHaveCount(2);
	await expectAccessible(page, 'two answers');
	await expect(pair(page).getByRole('button', { name: 'Copy answer' })).toHaveCount(2);
	// They stand beside each other, under their names.
	await expect(page.getByRole('group', { name: 'Versions' })).toHaveCount(0);

	await keepers(page).last().click();
	await expect(pair(page)).toHaveCount(0);
	await expect(page.getByRole('group', { name: 'Versions' })).toBeVisible();
	await expect(said(page).assistant).toContainText('Four.');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	// As long as the tab lives, over a reload.
	await page.reload();
	await expect(page.getByText('and reasoning')).toBeVisible();
	await expect(said(page).assistant).toContainText('Four.');
	await page.getByRole('button', { name: 'Don’t ask reasoning' }).click();
	await expect(page.getByText('and reasoning')).toHaveCount(0);
	const before = server.requests.length;
	await ask(page, 'Only one now');
	expect(asked(server.requests, before)).toEqual(['slow-tokens: Only one now']);
});

test('[Z9] [P3] the first of two answers is the first in the chat and in the tree, also where the other was done before it', async ({ page, server, hold }) => {
	const letEnd = hold('slow-tokens');
	await begin(page, server.url, 'slow-tokens', 'reasoning');
	await say(page, words(12));
	await expect.poll(() => rowsOf<{ role: string }>(page, 'messages').then((rows) => rows.filter(({ role }) => role === 'assistant').length)).toBe(1);
	letEnd();
	await keepers(page).first().click();
	const versions = page.getByRole('group', { name: 'Versions' });
	await expect(versions).toContainText('1 / 2');
	await openPanel(page, 'Tree');
	const items = page.getByRole('treeitem');
	await expect(items).toHaveText([/^ *word0.*n0 3 messages Answer 2 reasoning *$/, /Answer 1: word0.*n0.1 3 messages +slow-tokens +Here/]);
	await versions.getByRole('button', { name: 'Next version' }).click();
	await expect(versions).toContainText('2 / 2');
	await expect(items.first()).toHaveText(/Answer 2 reasoning +Here/);
	await page.getByRole('textbox', { name: 'Message' }).fill('/branch n0.1');
	await page.keyboard.press('Enter');
	await expect(versions).toContainText('1 / 2');
});

test('[P4] the branches of two answers are compared under the numbers and models of these', async ({ page, server }) => {
	await begin(page, server.url, 'echo', 'reasoning');
	await say(page, 'Hello');
	await keepers(page).first().click();
	await openPanel(page, 'Tree');
	await expect(page.getByRole('treeitem', { selected: true })).toBeFocused();
	await page.keyboard.press('End');
	await page.keyboard.press('c');
	const dialog = page.getByRole('dialog', { name: 'Compare branches' });
	await expect(dialog.getByRole('article')).toHaveCount(2);
	const title = (side: string) => dialog.getByRole('combobox', { name: `${side} branch` }).locator('option:checked');
	const titles = await Promise.all([title('First').textContent(), title('Second').textContent()]);
	expect(titles.map((text) => text!.replace(/^n0(\.\d)? · /, '').replace(' (you are here)', '')).sort()).toEqual(['Answer 1, echo: Hello', 'Answer 2, reasoning: Four.']);
	await expect(dialog.getByRole('article', { name: /^Assistant, in n0(\.2)? “Answer 2, reasoning”$/ })).toContainText('Four.');
});

test('[P3] two answers are chosen between on one line in the middle, and the second is asked for again beside the first', async ({ page, server }) => {
	await page.setViewportSize({ width: 1280, height: 900 });
	await begin(page, server.url, 'echo', 'reasoning');
	await say(page, words(120));
	await expect(keepers(page)).toHaveCount(2);
	const [one, other] = await Promise.all((await keepers(page).all()).map((keeper) => keeper.boundingBox()));
	expect(Math.abs(one!.y - other!.y)).toBeLessThan(1);
	const [log, both] = await Promise.all([page.getByRole('log').boundingBox(), pair(page).boundingBox()]);
	expect(Math.abs(both!.x + both!.width / 2 - log!.x - log!.width / 2)).toBeLessThan(1);

	const before = server.requests.length;
	await answers(page).last().getByRole('button', { name: 'Regenerate' }).click();
	await expect.poll(() => asked(server.requests, before)).toEqual([`reasoning: ${words(120)}`]);
	await expect(keepers(page)).toHaveCount(2);
	await keepers(page).last().click();
	await expect(said(page).assistant).toHaveCount(1);
	await expect(said(page).assistant).toContainText('Four.');
	await expect(page.getByRole('group', { name: 'Versions' })).toContainText('3 / 3');
});

test('[Z9] [P3] the second of two answers has the buttons of any answer: it is edited, labelled and deleted', async ({ page, server }) => {
	await begin(page, server.url, 'echo', 'reasoning');
	await say(page, 'Hello');
	await expect(keepers(page)).toHaveCount(2);
	const second = answers(page).last();
	const named = (article: typeof second) => article.locator('footer').getByRole('button').evaluateAll((all) => all.map((button) => button.getAttribute('aria-label')).filter((name) => !name?.endsWith('version')));
	expect(await named(second)).toEqual(['Copy answer', 'Edit', 'Regenerate', 'More']);
	expect(await named(answers(page).first())).toEqual(await named(second));

	// A label is cancelled, and set.
	const menu = page.getByRole('group', { name: 'Message' });
	await second.getByRole('button', { name: 'More' }).click();
	await menu.getByRole('button', { name: 'Label', exact: true }).click();
	await page.getByRole('textbox', { name: 'Label' }).fill('Given up');
	await expectAccessible(page, 'setting a label');
	await menu.getByRole('button', { name: 'Cancel' }).click();
	await expect(menu).toBeHidden();
	await expect(second.getByRole('button', { name: 'More' })).toBeFocused();
	await second.getByRole('button', { name: 'More' }).click();
	await menu.getByRole('button', { name: 'Label', exact: true }).click();
	await page.getByRole('textbox', { name: 'Label' }).fill('Better');
	await menu.getByRole('button', { name: 'Save' }).click();
	await expect(second).toContainText('Better');
	await expect(pair(page)).not.toContainText('Given up');

	await second.getByRole('button', { name: 'Edit' }).click();
	const form = pair(page).getByRole('form');
	await form.getByRole('textbox').fill('Five.');
	await form.getByRole('button', { name: 'Save' }).click();
	await expect(pair(page)).toHaveCount(0);
	await expect(said(page).assistant).toHaveText([/Five\./]);
	await expect(page.getByRole('group', { name: 'Versions' })).toContainText('3 / 3');

	await say(page, 'Again');
	await expect(keepers(page)).toHaveCount(2);
	await answers(page).last().getByRole('button', { name: 'More' }).click();
	await menu.getByRole('button', { name: 'Delete from here on' }).click();
	await expect(pair(page)).toHaveCount(0);
	await expect(said(page).assistant.last()).toContainText('Again');
});

test('[Z9] [A14] where the first of two answers is deleted the chat goes on from the second', async ({ page, server }) => {
	await begin(page, server.url, 'echo', 'reasoning');
	await say(page, 'Hello');
	await expect(keepers(page)).toHaveCount(2);
	await inMessageMenu(page, answers(page).first(), 'Delete from here on');
	await expect(pair(page)).toHaveCount(0);
	await expect(said(page).assistant).toHaveCount(1);
	await expect(said(page).assistant).toContainText('reasoning');
	const from = server.requests.length;
	await say(page, 'Go on');
	await expect(keepers(page)).toHaveCount(2);
	const { body } = server.requests.slice(from).find(({ path }) => path.endsWith('/completions'))!;
	expect(body.messages.map(({ role }: { role: string }) => role).filter((role: string) => role !== 'system')).toEqual(['user', 'assistant', 'user']);
});

test('[Z9] [A14] Undo of deleting the first of two answers leads back to it', async ({ page, server }) => {
	await begin(page, server.url, 'echo', 'reasoning');
	await say(page, 'Hello');
	await expect(keepers(page)).toHaveCount(2);
	await inMessageMenu(page, answers(page).first(), 'Delete from here on');
	await expect(said(page).assistant).toHaveCount(1);
	await expect(said(page).assistant).toContainText('reasoning');
	await page.getByRole('button', { name: 'Undo', exact: true }).click();
	await expect(said(page).assistant).toContainText('echo');
	await expect(page.getByText('1 / 2')).toBeVisible();
});

test('[Z9] [A14] Undo of deleting the second of two answers leaves the chat at the first', async ({ page, server }) => {
	await begin(page, server.url, 'echo', 'reasoning');
	await say(page, 'Hello');
	await expect(keepers(page)).toHaveCount(2);
	await inMessageMenu(page, answers(page).last(), 'Delete from here on');
	await expect(pair(page)).toHaveCount(0);
	await page.getByRole('button', { name: 'Undo', exact: true }).click();
	await expect(page.getByText('1 / 2')).toBeVisible();
	await expect(said(page).assistant).toContainText('Hello');
	const { headId } = (await rowsOf<{ headId: string }>(page, 'positions'))[0]!;
	expect((await rowsOf<{ id: string; model?: string }>(page, 'messages')).find(({ id }) => id === headId)!.model).toBe('echo');
});

test('[Z9] of two answers that are longer than the window each can be kept, wherever one has scrolled to', async ({ page, server }) => {
	await page.setViewportSize({ width: 1280, height: 700 });
	await begin(page, server.url, 'echo', 'echo@5');
	await say(page, Array.from({ length: 60 }, (_, line) => `Line ${line}`).join('\n\n'));
	await expect(keepers(page)).toHaveCount(2);
	for (const keeper of await keepers(page).all()) {
		await keeper.scrollIntoViewIfNeeded();
		const box = (await keeper.boundingBox())!;
		const isThere = await keeper.evaluate((button, { x, y, width, height }) => button.contains(document.elementFromPoint(x + width / 2, y + height / 2)), box);
		expect(isThere).toBe(true);
	}
});

for (const action of ['View up to here', 'Branch from here'] as const) {
	test(`[Z9] “${action}” on the question of two answers goes on from neither`, async ({ page, server }) => {
		await begin(page, server.url, 'echo', 'reasoning');
		await say(page, 'Hello');
		await expect(keepers(page)).toHaveCount(2);
		const id = page.url().split('/').at(-1)!;
		await inMessageMenu(page, said(page).you, action);
		await expect(said(page).assistant.or(pair(page))).toHaveCount(0);
		const { headId } = (await rowsOf<{ sessionId: string; headId: string }>(page, 'positions')).find(({ sessionId }) => sessionId === id)!;
		const head = (await rowsOf<{ id: string; model?: string; role: string }>(page, 'messages')).find((message) => message.id === headId)!;
		expect(action === 'View up to here' ? head.model : head.role).toBe(action === 'View up to here' ? 'echo' : 'user');
	});
}

test('[Z8] [Z9] a call that waited is skipped when the user writes on, also where a second answer has ended since', async ({ page, server, hold }) => {
	const letEnd = hold('slow-tokens');
	await begin(page, server.url, 'agent', 'slow-tokens');
	await switchTools(page, 'Write notes');
	await say(page, `call notes_write ${JSON.stringify({ name: 'Fruit', text: 'Pears' })}\nDone.`);
	await expect.poll(() => rowsOf<{ status: string }>(page, 'sessions').then(([session]) => session?.status)).toBe('waiting');
	letEnd();
	await expect(keepers(page)).toHaveCount(2);
	await expect(page.getByRole('group', { name: 'Approval' })).toBeVisible();
	await keepers(page).first().click();
	await expect(pair(page)).toHaveCount(0);
	await expect(page.getByRole('group', { name: 'Approval' })).toBeVisible();
	await say(page, 'Something else.');
	await expect(page.locator('details.traffic').first()).toContainText('skipped: you sent another message');
});

test('[Z8] [Z9] [P3] where the first of two answers waits below a result the second stays in sight, and is stopped; then the call is allowed beside it', async ({ page, server, hold }) => {
	hold('slow-tokens');
	await begin(page, server.url, 'agent', 'slow-tokens');
	await switchTools(page, 'Date and time', 'Write notes');
	await say(page, `call current_time {} && call notes_write ${JSON.stringify({ name: 'Fruit', text: 'Pears' })}\nDone.`);
	await expect.poll(() => rowsOf<{ status: string }>(page, 'sessions').then(([session]) => session?.status)).toBe('waiting');
	await expect(pair(page)).toContainText('call current_time');
	await expect(page.getByRole('group', { name: 'Approval' })).toHaveCount(0);
	await page.getByRole('button', { name: 'Stop', exact: true }).click();
	const card = pair(page).getByRole('group', { name: 'Approval' });
	await expect(card).toBeVisible();
	await expect(pair(page).getByRole('button', { name: 'Keep this one' })).toHaveCount(1);
	await pressOnceStill(card.getByRole('button', { name: 'Allow once' }));
	await expect(said(page).assistant.last()).toContainText('Done.');
	await expect(pair(page)).toHaveCount(0);
	expect(await rowsOf(page, 'scratchpad')).toMatchObject([{ name: 'Fruit' }]);
});

test('[Z8] [Z9] where the second of two answers is deleted, the call of the first that waits can still be allowed', async ({ page, server }) => {
	await begin(page, server.url, 'agent', 'reasoning');
	await switchTools(page, 'Date and time', 'Write notes');
	await say(page, `call current_time {} && call notes_write ${JSON.stringify({ name: 'Fruit', text: 'Pears' })}\nDone.`);
	const card = page.getByRole('group', { name: 'Approval' });
	await expect(pair(page)).toContainText('Four');
	await expect(card).toBeVisible();
	await inMessageMenu(page, answers(page).last(), 'Delete from here on');
	await expect(pair(page)).toHaveCount(0);
	await pressOnceStill(card.getByRole('button', { name: 'Allow once' }));
	await expect(said(page).assistant.last()).toContainText('Done.');
});

test('[Z9] [P3] where the first of two answers ends at the most steps the second stays in sight, and the first is resumed once it is stopped', async ({ page, server, hold }) => {
	hold('slow-tokens');
	await begin(page, server.url, 'agent', 'slow-tokens');
	await switchTools(page, 'Date and time');
	await say(page, `${'call current_time {}\n'.repeat(40)}Done.`);
	await expect.poll(() => rowsOf<{ status: string }>(page, 'sessions').then(([session]) => session?.status)).toBe('partial');
	await expect(pair(page)).toHaveCount(1);
	await page.getByRole('button', { name: 'Stop', exact: true }).click();
	await pair(page).getByRole('button', { name: 'Resume' }).click();
	await expect(said(page).assistant.last()).toContainText('Done.');
});

test('[Z9] [R1] a second answer that is asked for again answers the question, not what a tool of the first gave', async ({ page, server }) => {
	await begin(page, server.url, 'agent', 'reasoning');
	await switchTools(page, 'Date and time');
	await say(page, 'call current_time {}\nIt is {last}');
	await expect(keepers(page)).toHaveCount(2);
	const from = server.requests.length;
	await answers(page).last().getByRole('button', { name: 'Regenerate' }).click();
	await expect.poll(() => server.requests.slice(from).filter(({ path }) => path.endsWith('/completions')).length).toBe(1);
	await expect(keepers(page)).toHaveCount(2);
	const { body } = server.requests.slice(from).find(({ path }) => path.endsWith('/completions'))!;
	expect(body.messages.at(-1).role).toBe('user');
});

test('[P3] [P10] where there is room for one answer, the name of each says whether it is done', async ({ page, server, hold }) => {
	await page.setViewportSize({ width: 820, height: 1180 });
	const letEnd = hold('slow-tokens');
	await begin(page, server.url, 'slow-tokens', 'reasoning');
	await say(page, words(40));
	const names = pair(page).locator('.choice').getByRole('button');
	await expect(names).toHaveText([/slow-tokens +being written/, /reasoning +done/]);
	// The sign of one that is written is the ring that the list has for it.
	await expect(names.first().locator('i')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
	await expect(names.first().locator('i')).toHaveCSS('border-top-style', 'solid');
	await expect(names.last().locator('i')).toHaveCount(0);
	letEnd();
	await expect(names).toHaveText([/slow-tokens +done/, /reasoning +done/]);
	await expectAccessible(page, 'names of two answers');
});

test('[P3] who writes on without a choice goes on from the first answer; what is queued waits for both', async ({ page, server, hold }) => {
	const letEnd = hold('slow-tokens');
	await begin(page, server.url, 'reasoning', 'slow-tokens');
	const before = server.requests.length;
	await say(page, words(40));
	await expect(answers(page).first()).toContainText('Four.');
	await page.getByRole('textbox', { name: 'Message' }).fill('And then?');
	await page.keyboard.press('Enter');
	await expect(page.getByRole('group', { name: 'Queued message' })).toBeVisible();
	expect(asked(server.requests, before)).toEqual([`reasoning: ${words(40)}`, `slow-tokens: ${words(40)}`]);
	letEnd();
	await expect.poll(() => asked(server.requests, before)).toEqual(['reasoning: And then?', `reasoning: ${words(40)}`, 'slow-tokens: And then?', `slow-tokens: ${words(40)}`]);
	await expect(keepers(page)).toHaveCount(2);
	await expect(pair(page)).toHaveCount(1);
	await expect(said(page).assistant.first()).toContainText('Four.');
	const last = server.requests.slice(before).filter(({ body }) => body?.messages?.at(-1)?.content === 'And then?');
	for (const { body } of last) expect(body.messages.map(({ role }: { role: string }) => role).slice(-3)).toEqual(['user', 'assistant', 'user']);
	expect(JSON.stringify(last.map(({ body }) => body.messages.at(-2)))).not.toContain('word39');
});

test('[P3] [E11] Stop ends both answers; what each has said is kept, and so it is where the page goes', async ({ page, server }) => {
	await begin(page, server.url, 'slow-tokens', 'slow-tokens@100');
	await say(page, words(200));
	await expect(answers(page)).toHaveCount(2);
	for (const one of await answers(page).all()) await expect(one).toContainText('word3');
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(keepers(page)).toHaveCount(2);
	const stopped = () => rowsOf<{ role: string; finishReason?: string }>(page, 'messages').then((rows) => rows.filter(({ role }) => role === 'assistant').map(({ finishReason }) => finishReason));
	await expect.poll(stopped).toEqual(['stopped', 'stopped']);
	expect(await pair(page).locator('.by').allInnerTexts()).toEqual(['Stopped', 'Stopped']);

	await say(page, words(201));
	await expect(keepers(page)).toHaveCount(0);
	await expect(answers(page)).toHaveCount(2);
	for (const one of await answers(page).all()) await expect(one).toContainText('word5');
	await page.reload();
	// The first is offered, as any answer that was broken off; the second is a message by now.
	await expect(page.getByRole('button', { name: 'Keep partial answer' })).toBeVisible();
	await expect.poll(() => rowsOf(page, 'secondAnswers')).toEqual([]);
	await page.getByRole('button', { name: 'Keep partial answer' }).click();
	await expect(page.getByRole('group', { name: 'Versions' })).toHaveCount(2);
	const texts = await rowsOf<{ role: string; parts: { text: string }[] }>(page, 'messages');
	const both = texts.filter(({ role }) => role === 'assistant').slice(-2);
	for (const { parts } of both) expect(parts[0]!.text).toContain('word5');
});

test('[P3] where one of the two fails, that is said in its place, and the other is kept', async ({ page, server, expectConsole }) => {
	expectConsole.push(/status of 500/);
	await begin(page, server.url, '500', 'reasoning');
	await say(page, 'What is two and two?');
	// The chat goes on from the one that there is.
	await expect(said(page).assistant).toContainText('Four.');
	await expect(pair(page)).toHaveCount(0);
	await expect(page.getByRole('alert').filter({ hasText: /^500: .*500/ })).toBeVisible();
	await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
	await expectAccessible(page, 'one answer of two');
	await page.reload();
	await expect(said(page).assistant).toContainText('Four.');
	await expect(page.getByText(/^500: /)).toBeVisible();
	const before = server.requests.length;
	await say(page, 'And three?');
	await expect.poll(() => asked(server.requests, before)).toHaveLength(2);
	for (const { body } of server.requests.slice(before)) expect(JSON.stringify(body?.messages ?? 'Four.')).toContain('Four.');
});

test('[P3] where both fail, each failure stands under the name of its model', async ({ page, server, expectConsole }) => {
	expectConsole.push(/status of (500|401)/);
	await begin(page, server.url, '500', '401');
	await say(page, 'Hello');
	await expect(pair(page).getByRole('button', { name: 'Retry' })).toHaveCount(2);
	await expect(pair(page).locator('.name')).toHaveText(['500', '401']);
});

test('[P3] a second model is asked for in “Commands”, also by other words for it', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.keyboard.press('ControlOrMeta+k');
	await page.getByRole('combobox', { name: 'Search or run a command' }).fill('compare');
	await page.getByRole('option', { name: 'Ask a second model too…' }).click();
	await expect(page.getByRole('searchbox', { name: 'Filter models' })).toBeFocused();
	await page.keyboard.type('reasoning');
	await expect(page.locator('[data-model="echo"]')).toHaveCount(0);
	await expect(page.locator('[data-model="reasoning"]').first()).toBeVisible();
	await page.keyboard.press('Enter');
	await expect(page.getByText('and reasoning')).toBeVisible();
	await say(page, 'Hello');
	await expect(keepers(page)).toHaveCount(2);
});

test('[P3] a second answer that failed is asked for again where it stands, beside the first', async ({ page, server, expectConsole }) => {
	expectConsole.push(/status of 500/);
	await begin(page, server.url, 'echo', '500');
	await page.getByRole('button', { name: /Change model/ }).first().click();
	await expect(page.locator('[data-model="500"]').first()).toContainText('Asked too');
	await page.getByRole('button', { name: 'Ask a second model too…' }).click();
	await expect(page.locator('[data-model="echo"]')).toHaveCount(0);
	await page.keyboard.press('Escape');
	await say(page, 'Hello');
	const again = pair(page).getByRole('button', { name: 'Retry' });
	await expect(again).toBeVisible();
	const before = server.requests.length;
	await again.click();
	await expect.poll(() => asked(server.requests, before)).toEqual(['500: Hello']);
	await expect(again).toBeVisible();
	await expect(answers(page).first()).toContainText('Hello');
	await expectAccessible(page, 'a second answer that failed');
});

test('[P3] [E11] where the first of two has said nothing, what the second has said stays in sight: after Stop, and after a reload', async ({ page, server }) => {
	await begin(page, server.url, 'silent', 'slow-tokens@100');
	await say(page, words(200));
	await expect(answers(page).last()).toContainText('word3');
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(pair(page)).toHaveCount(0);
	await expect(said(page).assistant).toContainText('word3');

	await say(page, words(201));
	await expect(answers(page).last()).toContainText('word3');
	await page.reload();
	await expect(said(page).assistant).toHaveCount(2);
	await expect(said(page).assistant.last()).toContainText('word3');
});

test('[Z9] [P8] a second answer that the chat went on from is a message as any other: what is deleted of it is gone', async ({ page, server, expectConsole }) => {
	expectConsole.push(/status of 500/);
	await begin(page, server.url, '500', 'reasoning');
	await say(page, 'What is two and two?');
	await expect(said(page).assistant).toContainText('Four.');
	await actionsOf(said(page).assistant).getByRole('button', { name: 'More' }).click();
	await page.getByRole('button', { name: 'Delete from here on' }).click();
	await expect(said(page).assistant).toHaveCount(0);
	await expect(page.getByRole('log').getByText('Four.')).toHaveCount(0);
	await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
});

test('[P3] what is queued is not sent where the second of two was stopped', async ({ page, server }) => {
	await begin(page, server.url, 'reasoning', 'slow-tokens@100');
	await say(page, words(200));
	await expect(answers(page).first()).toContainText('Four.');
	await expect(answers(page).last()).toContainText('word3');
	await page.getByRole('textbox', { name: 'Message' }).fill('And then?');
	await page.keyboard.press('Enter');
	await expect(page.getByRole('group', { name: 'Queued message' })).toBeVisible();
	const before = server.requests.length;
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('And then?');
	await expect(page.getByRole('group', { name: 'Queued message' })).toHaveCount(0);
	await expect(keepers(page)).toHaveCount(2);
	expect(asked(server.requests, before)).toEqual([]);
});

test('[P3] [E11] what is queued while a second answer is asked for again is sent when that is done, also where the queue was emptied before', async ({ page, server, hold, expectConsole }) => {
	expectConsole.push(/status of 500/);
	const [letFirstEnd, letSecondEnd] = [hold('slow-tokens@100'), hold('slow-tokens')];
	let refuses = true;
	await page.route('**/chat/completions', (route) => {
		if (!refuses || !route.request().postData()!.includes('"slow-tokens"')) return route.continue();
		refuses = false;
		return route.fulfill({ status: 500, headers: { 'access-control-allow-origin': '*' }, json: { error: { message: 'The backend crashed.' } } });
	});
	await begin(page, server.url, 'slow-tokens@100', 'slow-tokens');
	await say(page, words(15));
	await expect(answers(page).first()).toContainText('word3');
	await page.getByRole('textbox', { name: 'Message' }).fill('And then?');
	await page.keyboard.press('Enter');
	await page.getByRole('group', { name: 'Queued message' }).getByRole('button', { name: 'Edit' }).click();
	letFirstEnd();
	await pair(page).getByRole('button', { name: 'Retry' }).click();
	await expect(answers(page).last()).toContainText('word3');
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('And then?');
	await page.keyboard.press('Enter');
	await expect(page.getByRole('group', { name: 'Queued message' })).toBeVisible();
	letSecondEnd();
	await expect(said(page).you.last()).toHaveText('And then?');
	await expect(page.getByRole('group', { name: 'Queued message' })).toHaveCount(0);
});

test.describe('on a phone', () => {
	test.use({ viewport: { width: 390, height: 780 }, hasTouch: true });

	test('[P10] one of the two answers is shown, their names choose which, and the page is no wider', async ({ page, server }) => {
		await begin(page, server.url, 'echo', 'reasoning');
		await say(page, words(60));
		await expect(keepers(page)).toHaveCount(1);
		expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
		await expect(answers(page).first()).toContainText('word59');
		await expectAccessible(page, 'one of two answers');
		await pair(page).getByRole('button', { name: 'reasoning', pressed: false }).click();
		await expect(answers(page)).toContainText('Four.');
		await keepers(page).click();
		await expect(pair(page)).toHaveCount(0);
		await expect(said(page).assistant).toContainText('Four.');
	});

	test('[P10] the second model stands on a line of its own where it has no room on the first, which is close by', async ({ page, server }) => {
		await begin(page, server.url, 'slow-tokens', 'reasoning');
		const lines = await page.locator('.frame-strip .what').evaluate((what) => {
			const range = document.createRange();
			const place = [...what.childNodes].find(({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent!.includes('at'))!;
			range.selectNodeContents(place);
			const rows = [...range.getClientRects()].filter(({ width }) => width > 4);
			const second = what.querySelector('b[title="reasoning"]')!.getBoundingClientRect();
			return { rows: rows.length, apart: second.top - rows[0]!.top, text: rows[0]!.height };
		});
		expect(lines.rows).toBe(1);
		expect(lines.apart).toBeGreaterThan(lines.text / 2);
		expect(lines.apart).toBeLessThan(2 * lines.text);
		const sizes = await page.locator('.frame-strip .what button').evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
		for (const size of sizes) expect(size).toBeGreaterThanOrEqual(44);
	});

	test('[P10] names that have no room end in an ellipsis, and no line below the composer begins with a comma', async ({ page, server }) => {
		await page.setViewportSize({ width: 240, height: 780 });
		await begin(page, server.url, 'slow-tokens@100', 'markdown-long');
		await expect(page.locator('.frame-strip')).not.toContainText(',');
		await say(page, words(3));
		const names = pair(page).locator('.choice button');
		// Both answers may be drawn anew until they are whole.
		await expect(keepers(page)).toHaveCount(1, { timeout: 60_000 });
		const fits = await names.evaluateAll((buttons) =>
			buttons.map((button) => {
				const [outer, inner] = [button, button.firstElementChild!].map((one) => one.getBoundingClientRect());
				return inner!.width > 0 && inner!.left > outer!.left && inner!.right < outer!.right;
			})
		);
		expect(fits).toEqual([true, true]);
		await expect(names.first().locator('bdi')).toHaveCSS('text-overflow', 'ellipsis');
	});
});
