// A browser with its profile on disk, killed at random moments while a person uses it, over and over. After each kill what
// had been shown as stored must be there, once, and every tree must be sound. `npm run soak` does the same for longer.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type Page } from '@playwright/test';
import { chromiumLaunch } from '../../scripts/browsers.mjs';
import { expect, test } from './app';
import { actionsOf, inMessageMenu, inSessionMenu, rowsOf, said, useServer } from './chat';

const kills = Number(process.env.SNUG_KILLS ?? 25);
const seed = Number(process.env.SNUG_SEED ?? Date.now() % 100_000);

test.use({ weights: 'none' });
test.setTimeout(60_000 + kills * 20_000);

interface Row {
	id: string;
	sessionId: string;
	parentId: string | null;
	depth: number;
	parts: unknown[];
}

/**
 * What the person has seen as stored, by message id: its text and the address of its session. While something of a
 * session is being deleted, what is seen there is not asked for, since it may be about to go.
 */
interface Acknowledged {
	messages: Map<string, { text: string; path: string }>;
	deleting: Set<string>;
}

/** A random number below `count`, from a seed, so that a run can be had again. */
function createDice(seed: number): (count: number) => number {
	let state = seed >>> 0;
	return (count) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * count);
	};
}

async function openBrowser(profile: string): Promise<{ browser: Browser; process: ChildProcess }> {
	const { args, executablePath = chromium.executablePath() } = chromiumLaunch();
	const child = spawn(
		executablePath,
		[...args, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
		{ stdio: ['ignore', 'ignore', 'pipe'], detached: true }
	);
	for await (const chunk of child.stderr!) {
		const address = /ws:\/\/\S+/.exec(String(chunk))?.[0];
		if (address) return { browser: await chromium.connectOverCDP(address), process: child };
	}
	throw new Error('the browser ended before it was ready');
}

/** SIGKILL for the browser and all its processes. */
async function kill(child: ChildProcess): Promise<void> {
	const gone = once(child, 'exit');
	process.kill(-child.pid!, 'SIGKILL');
	await gone;
}

/** Notes each message that the page shows as stored: it has its buttons, and an answer is whole. */
async function watch(page: Page, acknowledged: Acknowledged): Promise<void> {
	await page.exposeFunction('acknowledge', (id: string, text: string, path: string) => void acknowledged.messages.set(id, { text, path }));
	await page.addInitScript(() => {
		const seen = new Set<string>();
		const look = () => {
			for (const article of document.querySelectorAll<HTMLElement>('article[data-id]')) {
				const id = article.dataset.id!;
				const stored = article.parentElement?.querySelector('.actions') && article.getAttribute('aria-busy') !== 'true';
				if (!stored || seen.has(id)) continue;
				seen.add(id);
				void window.acknowledge(id, article.querySelector('p')?.innerText ?? '', location.pathname);
			}
		};
		window.lookAgain = () => {
			seen.clear();
			look();
		};
		new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
	});
}

declare global {
	interface Window {
		acknowledge: (id: string, text: string, path: string) => Promise<void>;
		lookAgain: () => void;
	}
}

function forget({ messages }: Acknowledged, path: string): void {
	for (const [id, seen] of messages) if (seen.path === path) messages.delete(id);
}

/** What a person might do next; each step may be cut off anywhere. */
async function use(page: Page, dice: (count: number) => number, acknowledged: Acknowledged, count: { sent: number }): Promise<never> {
	const { you, assistant } = said(page);
	const deleting = async (work: () => Promise<void>) => {
		const path = new URL(page.url()).pathname;
		acknowledged.deleting.add(path);
		await work();
		if (dice(2)) await page.getByRole('button', { name: 'Undo' }).first().click({ timeout: 1000 });
		// It is done or undone when the page has had its say.
		await sleep(300);
		forget(acknowledged, path);
		acknowledged.deleting.delete(path);
		await page.evaluate(() => window.lookAgain());
	};
	for (;;) {
		const messages = await you.count();
		const does = dice(12);
		if (messages === 0 || does < 5) {
			await page.getByRole('textbox', { name: 'Message' }).fill(`message ${++count.sent} of the campaign, with some words to stream`);
			await page.getByRole('button', { name: 'Send', exact: true }).last().click({ timeout: 2000 }).catch(unlessClosed);
		} else if (does === 5) {
			const message = you.nth(dice(messages));
			await actionsOf(message).getByRole('button', { name: 'Edit' }).click({ timeout: 500 }).catch(unlessClosed);
			const field = page.getByRole('textbox', { name: 'Edited message' }).first();
			if (await field.isVisible()) {
				await field.fill(`edited ${++count.sent}`);
				await page.getByRole('form', { name: 'Edit message' }).getByRole('button', { name: 'Send' }).first().click({ timeout: 500 }).catch(unlessClosed);
			}
		} else if (does === 6) {
			await actionsOf(assistant.last()).getByRole('button', { name: 'Regenerate' }).click({ timeout: 500 }).catch(unlessClosed);
		} else if (does === 7) {
			await deleting(() => inMessageMenu(page, you.nth(dice(messages)), 'Delete from here on')).catch(unlessClosed);
		} else if (does === 8) await deleting(() => inSessionMenu(page, 'Delete session')).catch(unlessClosed);
		else if (does === 9) await page.getByRole('link', { name: 'New chat' }).click({ timeout: 500 }).catch(unlessClosed);
		else if (does === 10) {
			await page.getByRole('button', { name: 'Previous version' }).first().click({ timeout: 300 }).catch(unlessClosed);
		} else {
			const sessions = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /campaign|edited/ });
			await sessions.first().click({ timeout: 500 }).catch(unlessClosed);
		}
		await sleep(dice(250));
	}
}

/** What can't be clicked just now is left; that the browser is gone ends it. */
function unlessClosed(error: Error): void {
	if (/closed|disconnected|crashed/i.test(error.message)) throw error;
}

test(`[E11] nothing that was shown as stored is lost in ${kills} kills`, async ({ app, server }) => {
	const dice = createDice(seed);
	const profile = mkdtempSync(join(tmpdir(), 'snug-crash-'));
	const acknowledged: Acknowledged = { messages: new Map(), deleting: new Set() };
	const count = { sent: 0 };
	const lines: string[] = [];
	for (let round = 0; round <= kills; round++) {
		const { browser, process } = await openBrowser(profile);
		const context = browser.contexts()[0]!;
		const errors: string[] = [];
		context.on('weberror', (error) => errors.push(error.error().message));
		const page = await context.newPage();

		// What the last round left behind is looked at before anything is done about it.
		if (round > 0) {
			await page.goto(`${app.url}repair`);
			await expect(page.getByText('Every row is as it should be, and every session is whole.')).toBeVisible({ timeout: 20_000 });
			const rows = await rowsOf<Row>(page, 'messages');
			const times = new Map<string, number>();
			for (const { id } of rows) times.set(id, (times.get(id) ?? 0) + 1);
			for (const path of acknowledged.deleting) forget(acknowledged, path);
			acknowledged.deleting.clear();
			const lost = [...acknowledged.messages].filter(([id]) => times.get(id) !== 1);
			expect(lost, `lost or doubled after kill ${round} of seed ${seed}`).toEqual([]);
			const texts = new Map(rows.map((row) => [row.id, JSON.stringify(row.parts)]));
			for (const [id, { text }] of acknowledged.messages) expect(texts.get(id)).toContain(text);
			lines.push(`${String(round).padStart(4)}  ${String(rows.length).padStart(8)}  ${String(acknowledged.messages.size).padStart(12)}`);
		}
		await watch(page, acknowledged);
		await page.goto(app.url);
		await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
		if (round === 0) await useServer(page, server.url, 'echo@5');
		if (round < kills) {
			const person = use(page, dice, acknowledged, count).catch((error: Error) => error);
			await sleep(500 + dice(3000));
			await kill(process);
			const end = await person;
			if (!/closed|disconnected|crashed/i.test(end.message)) lines.push(`      ${end.message.split('\n')[0]}`);
		} else await kill(process);
		await browser.close().catch(() => undefined);
		expect(errors, `errors in the page in round ${round} of seed ${seed}`).toEqual([]);
	}
	rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
	console.log(`seed ${seed}, ${count.sent} messages sent\nkill  messages  acknowledged\n${lines.join('\n')}`);
	expect(acknowledged.messages.size).toBeGreaterThan(0);
});
