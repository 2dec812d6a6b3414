// The fixture of all end-to-end tests: the server of the app, which can be killed, a browser context of its own for each test,
// and an eye on the console.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test as base, expect, type BrowserContext } from '@playwright/test';
import { inRoot } from '../../scripts/paths.mjs';
import { startOpenAiServer } from '../fixtures/openai-server.mjs';

export { expect };

export interface AppOptions {
	/** What the server offers as the model: the default one where it has been fetched, none, or the path of a GGUF file. */
	weights: string;
	/** The folder that is served; the finished build, unless a test serves its own. */
	folder: string;
}

/** The server process behind a test. */
export interface App {
	/** With a slash at the end; the same over the whole test. Relative addresses in `page.goto` start from it. */
	readonly url: string;
	/** SIGKILL; resolves when the process is gone. Nothing answers at `url` from then on. */
	kill(): Promise<void>;
	/** Starts it again on the same port, after `kill`. */
	restart(): Promise<void>;
}

const build = inRoot('build');

interface WorkerFixtures {
	/** A server that answers in the OpenAI way, or fails on demand; each worker has one. */
	server: Awaited<ReturnType<typeof startOpenAiServer>>;
	/** The servers of the build that run, by the weights that they offer: the next test finds them, unless one was killed. */
	apps: Map<string, Running>;
}

type Running = Awaited<ReturnType<typeof startServer>>;

/** Has answers of a model of the `server`'s wait before some letters, or else before their end, until what it returns is called, or the test is over. */
export type Hold = (model: string, before?: string) => () => void;

interface Fixtures {
	app: App;
	hold: Hold;
	/**
	 * Console errors and page errors that the test means to cause; any other fails it. The test pushes its patterns, at any
	 * time. (Not `test.use`: Playwright reads a list of two there as a value and its settings.)
	 */
	expectConsole: RegExp[];
	/** Watches a context that the test opened itself, as the test's own context is watched anyway. */
	watchConsole: (context: BrowserContext) => void;
}

export const test = base.extend<AppOptions & Fixtures, WorkerFixtures>({
	server: [
		async ({ browserName: _ }, use) => {
			const server = await startOpenAiServer();
			await use(server);
			await server.close();
		},
		{ scope: 'worker' }
	],

	apps: [
		async ({ browserName: _ }, use) => {
			const apps = new Map<string, Running>();
			await use(apps);
			for (const { child } of apps.values()) await killServer(child);
		},
		{ scope: 'worker' }
	],

	weights: ['default', { option: true }],
	folder: [build, { option: true }],

	app: async ({ weights, folder, apps }, use) => {
		const isShared = folder === build;
		let server = (isShared ? apps.get(weights) : undefined) ?? (await startServer(0, weights, folder));
		if (isShared) apps.delete(weights);
		let isWhole = isShared;
		const { url, port } = server;
		await use({
			url,
			kill: () => {
				isWhole = false;
				return killServer(server.child);
			},
			restart: async () => {
				server = await startServer(port, weights, folder);
			}
		});
		if (isWhole) apps.set(weights, server);
		else await killServer(server.child);
	},

	baseURL: async ({ app }, use) => use(app.url),

	hold: async ({ server }, use) => {
		const ends: (() => void)[] = [];
		await use((...place) => {
			const goOn = server.hold(...place);
			ends.push(goOn);
			return goOn;
		});
		for (const goOn of ends) goOn();
	},

	// Firefox gives up loading on a page that is left, or closed, and tells the page of it, also where the service worker was about to answer: much is loaded ahead.
	// What does not arrive is seen in Chromium; of a worker that refuses to answer Firefox says something else.
	expectConsole: async ({ browserName }, use) =>
		use(browserName === 'firefox' ? [/Unable to preload CSS|error loading dynamically imported module|A ServiceWorker intercepted the request and encountered an unexpected error/] : []),

	watchConsole: [
		async ({ context, expectConsole }, use, testInfo) => {
			const errors: string[] = [];
			const watch = (watched: BrowserContext) => {
				watched.on('console', (message) => {
					if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
				});
				watched.on('weberror', (error) => errors.push(`uncaught: ${error.error().stack || error.error().message}`));
			};
			watch(context);
			await use(watch);
			if (testInfo.error) await printPages(context);
			const unexpected = errors.filter((text) => !expectConsole.some((pattern) => pattern.test(text)));
			expect(unexpected, 'errors in the console').toEqual([]);
		},
		{ auto: true }
	]
});

/** Prints what stands on each page of a test that has failed: CI keeps nothing but what is printed. */
async function printPages(context: BrowserContext): Promise<void> {
	for (const page of context.pages()) {
		const shown = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String);
		console.log(`${page.url()} showed at the end:\n${shown.slice(0, 4000)}\n`);
	}
}

async function startServer(port: number, weights: string, folder: string) {
	const choice = weights === 'default' ? [] : ['--weights', weights];
	const script = inRoot('scripts/serve.mjs');
	const child = spawn(process.execPath, [script, '--port', String(port), '--folder', folder, ...choice], {
		stdio: ['ignore', 'pipe', 'inherit']
	});
	// A test runner that is stopped halfway leaves no server behind.
	const stop = () => child.kill('SIGKILL');
	process.once('exit', stop);
	child.once('exit', () => process.off('exit', stop));
	for await (const line of createInterface({ input: child.stdout })) {
		const match = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(line);
		if (match) return { child, url: match[0], port: Number(match[1]) };
	}
	throw new Error('the server ended before it was ready');
}

async function killServer(child: ChildProcess) {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = once(child, 'exit');
	child.kill('SIGKILL');
	await gone;
}
