// A model at work: a job of many steps over a folder, with everything that gets in its way.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { startOpenAiServer } from '../fixtures/openai-server.mjs';
import { expect, test } from './app';
import { crash, expectAccessible, inSessionMenu, pressOnceStill, rowsOf, said, say, useServer } from './chat';
import { openFolder, readFolder, standInFor, writeFolder } from './folder';
import { switchTools } from './tools';

test.use({ weights: 'none' });

let server: Awaited<ReturnType<typeof startOpenAiServer>>;
test.beforeAll(async () => {
	server = await startOpenAiServer();
});
test.afterAll(() => server.close());

interface Row {
	role: string;
	depth: number;
	parts: { type: string; toolName?: string; input?: unknown; isError?: boolean; output?: unknown }[];
}

const cards = (page: Page) => page.getByRole('group', { name: 'Approval' });
const call = (name: string, input: object = {}) => `call ${name} ${JSON.stringify(input)}`;

/** A script that takes longer than it takes to end the tab meanwhile. */
const slow = 'await new Promise((resolve) => setTimeout(resolve, 6000)); return 6 * 7;';
const report = '# Orchard\n\nPears are ripe. Quinces are not.\n';

const job = [
	call('files_list'),
	call('files_read', { path: 'README.md' }),
	call('files_search', { query: 'ripe' }),
	call('files_write', { path: 'docs/report.md', text: report }),
	call('files_read', { path: 'docs/absent.md' }),
	call('run_javascript', { code: slow }),
	call('files_edit', { path: 'fruit/pears.txt', old_text: 'ripe', new_text: 'picked' }),
	call('current_time'),
	call('files_write', { path: 'fruit/plums.txt', text: 'eaten' }),
	call('files_read', { path: 'fruit/pears.txt' }),
	call('files_list', { path: 'docs' }),
	'The job is done: {last}'
];

test('[R1] [R3] [Z8] [A5] a job of twelve steps gets done through two approvals, a failing tool, a crash, a take-over and a denial', async ({ page: first, context }) => {
	await standInFor(first);
	await first.goto('./');
	await useServer(first, server.url, 'agent');
	await say(first, 'Hello.');
	await expect(said(first).assistant.last()).toContainText('Hello.');
	await writeFolder(first, { 'README.md': 'An orchard.', 'fruit/pears.txt': 'ripe\n', 'fruit/plums.txt': 'green\n' });
	await openFolder(first);
	await switchTools(first, 'Run JavaScript', 'Date and time');
	const before = server.requests.length;

	await say(first, job.join('\n'));
	await expect(cards(first)).toContainText('docs/report.md');
	expect(Object.keys(await readFolder(first))).not.toContain('docs/report.md');
	await pressOnceStill(cards(first).getByRole('button', { name: 'Allow once' }));

	// The tab ends while a script runs. What was done stays done, and Resume does what was not.
	await expect(first.getByRole('group', { name: 'Calls run_javascript' })).toContainText('running…');
	const address = first.url();
	await crash(first);
	const second = await context.newPage();
	await standInFor(second);
	await second.goto(address);
	await second.getByRole('button', { name: 'Resume' }).click();
	await expect(cards(second)).toContainText('fruit/pears.txt');
	await pressOnceStill(cards(second).getByRole('button', { name: 'Allow once' }));

	// Another tab takes the chat over as a card waits, and denies there.
	await expect(cards(second)).toContainText('fruit/plums.txt');
	const third = await context.newPage();
	await third.goto(address);
	await third.getByRole('button', { name: 'Take over' }).click();
	await pressOnceStill(cards(third).getByRole('button', { name: 'Deny…' }));
	await third.getByRole('textbox', { name: 'Message to the model' }).fill('Leave the plums alone.');
	await pressOnceStill(cards(third).getByRole('button', { name: 'Deny', exact: true }));
	for (const page of [second, third]) await expect(said(page).assistant.last()).toContainText('The job is done: {"folder":"picked","entries":["docs/report.md"]}');

	// The folder, and what the chat says of it.
	expect(await readFolder(third)).toEqual({ 'README.md': 'An orchard.', 'docs/report.md': report, 'fruit/pears.txt': 'picked\n', 'fruit/plums.txt': 'green\n' });
	const [session] = await rowsOf<{ filesTouched: string[] }>(third, 'sessions');
	expect(session!.filesTouched).toEqual(['docs/report.md', 'fruit/pears.txt']);
	expect(await rowsOf(third, 'checkpoints')).toEqual([]);

	// The history has each call once, in order, with its result below it; and the model was asked once a step.
	const rows = (await rowsOf<Row>(third, 'messages')).sort((a, b) => a.depth - b.depth);
	const parts = rows.flatMap((row) => row.parts);
	const called = parts.filter(({ type }) => type === 'tool-call').map(({ toolName, input }) => call(toolName!, input as object));
	expect(called).toEqual(job.slice(0, -1));
	const results = parts.filter(({ type }) => type === 'tool-result');
	expect(results.map(({ toolName, isError }) => (isError ? `${toolName} failed` : toolName))).toEqual([
		'files_list',
		'files_read',
		'files_search',
		'files_write',
		'files_read failed',
		'run_javascript',
		'files_edit',
		'current_time',
		'files_write failed',
		'files_read',
		'files_list'
	]);
	expect(results[5]!.output).toEqual({ result: '42' });
	expect(results[8]!.output).toContain('They say: Leave the plums alone.');
	expect(server.requests.slice(before).filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(job.length);

	// The export and the search have it too.
	const [download] = await Promise.all([third.waitForEvent('download'), inSessionMenu(third, 'Download as Markdown')]);
	const markdown = readFileSync(await download.path(), 'utf8');
	for (const words of ['files_edit', 'Quinces are not', 'Leave the plums alone', 'The job is done']) expect(markdown).toContain(words);
	await third.goto('./search');
	await third.getByRole('searchbox').fill('“job is done”');
	await expect(third.getByRole('main')).toContainText('The job is done');
});

test('[A9] [R1] a job of more steps than messages are sent keeps the question in sight', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await page.evaluate(async () => {
		await window.snug.tools.switch('current_time', true);
		await window.snug.context.configure({ contextMessages: 10, minRecent: 4 });
	});
	const before = server.requests.length;
	await say(page, [...Array<string>(12).fill(call('current_time')), 'All twelve are done.'].join('\n'));
	await expect(said(page).assistant.last()).toContainText('All twelve are done.');
	const asked = server.requests.slice(before).filter(({ path }) => path.endsWith('/chat/completions'));
	expect(asked).toHaveLength(13);
	const last = (asked.at(-1)!.body as { messages: { role: string }[] }).messages.map(({ role }) => role).filter((role) => role !== 'system');
	expect(last[0]).toBe('user');
	expect(last.length).toBeLessThan(13);
});

test('[R8] a chat stops between steps where its budget is spent, and goes on with a larger one', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent-paid');
	await switchTools(page, 'Date and time');
	await say(page, 'Hello.');
	await expect(said(page).assistant.last()).toContainText('Hello.');
	await say(page, '/budget 0.5');
	await expect(page.getByText('This chat stops once its answers have cost $0.50.')).toBeVisible();
	const before = server.requests.length;

	await say(page, `${'call current_time {}\n'.repeat(5)}What time it is: {last}`);
	const spent = page.getByText('The budget of this chat is spent: its answers have cost $0.50 of $0.50.');
	await expect(spent).toBeVisible();
	expect(server.requests.length - before).toBe(2);
	await page.reload();
	await expect(spent).toBeVisible();
	await expectAccessible(page, 'a chat whose budget is spent');
	// Nothing would come of Resume as long as it may cost no more; once it may, nothing is to be raised.
	const raise = page.getByRole('button', { name: 'Raise to $1.00' });
	const resume = page.getByRole('button', { name: 'Resume' });
	await expect(raise).toBeVisible();
	await expect(resume).toHaveCount(0);
	await say(page, '/budget 0.75');
	await expect(resume).toBeVisible();
	await expect(page.getByText('By now it may cost more.')).toBeVisible();
	await expect(page.getByRole('button', { name: /^Raise to/ })).toHaveCount(0);
	await say(page, '/budget 0.5');
	await expect(resume).toHaveCount(0);
	// What was said of an earlier budget goes with it.
	await expect(page.getByText('This chat stops once its answers have cost $0.50.')).toBeVisible();
	await expect(page.getByText('This chat stops once its answers have cost $0.75.')).toHaveCount(0);
	expect(server.requests.length - before).toBe(2);

	await raise.click();
	await expect(page.getByText('have cost $1.00 of $1.00.')).toBeVisible();
	await expect(page.getByText('This chat stops once')).toHaveCount(0);
	await page.getByRole('button', { name: 'Raise to $2.00' }).click();
	await expect(said(page).assistant.last()).toContainText('What time it is:');
	expect(server.requests.length - before).toBe(6);
	await say(page, '/budget 0');
	await expect(page.getByText('This chat has no budget any more.')).toBeVisible();
});
