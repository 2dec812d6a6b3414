import { ESLint } from 'eslint';
import { describe, expect, test } from 'vitest';
import tseslint from 'typescript-eslint';

// The rules that need types know files on disk only, so code that exists in this test alone is linted without them.
const onText = new ESLint({ overrideConfig: tseslint.configs.disableTypeChecked as never });
const onFixtures = new ESLint({ ignore: false });

async function faultsIn(filePath: string, code: string): Promise<string[]> {
	const [result] = await onText.lintText(code, { filePath });
	return result!.messages.map(({ ruleId, message }) => ruleId ?? message);
}

const use = (target: string) => `import { thing } from '${target}';\nthing();\n`;
const component = (script: string) => `<script lang="ts">\n${script}</script>\n`;

describe('imports point down', { timeout: 60_000 }, () => {
	test.each([
		['src/lib/shared/a.ts', '../conversation/message'],
		['src/lib/conversation/a.ts', '../storage/database'],
		['src/lib/storage/a.ts', '../locks/answering'],
		['src/lib/context/a.ts', '../markdown/render'],
		['src/lib/search/a.ts', '../sync/cycle'],
		['src/lib/search/index/a.ts', '../client'],
		['src/lib/storage/tables/a.ts', '../database'],
		['src/lib/search/index/a.ts', '../../shared/id'],
		['src/lib/tools/a.ts', '../engine/turns/turn'],
		['src/lib/engine/a.ts', '../commands/parse'],
		['src/lib/engine/local/a.ts', '../../app'],
		['src/lib/commands/a.ts', '../app'],
		['src/lib/app.ts', './view/live.svelte'],
		['src/lib/view/a.ts', '../app/environment'],
		['src/lib/view/a.ts', '../ui/Shell.svelte'],
		['src/lib/ui/chat/A.svelte', '../../../routes/page'],
		['src/lib/shared/a.ts', '../unheard-of/thing'],
		['src/lib/shared/a.ts', '../../../tests/fixtures/openai-server.mjs']
	])('%s must not import %s', async (file, target) => {
		const code = file.endsWith('.svelte') ? component(use(target)) : use(target);
		expect(await faultsIn(file, code)).toEqual(['house/imports']);
	});

	test.each([
		['src/lib/shared/a.ts', './b'],
		['src/lib/conversation/a.ts', '../shared/id'],
		['src/lib/storage/a.ts', '../conversation/message'],
		['src/lib/storage/tables/a.ts', '../../conversation/message'],
		['src/lib/storage/tables/a.ts', './fields'],
		['src/lib/engine/a.ts', './providers/openai-compatible'],
		['src/lib/engine/local/a.ts', '../turns/turn'],
		['src/lib/search/index/a.ts', './tail'],
		['src/lib/search/a.ts', './index/tail'],
		['src/lib/search/index/a.ts', 'minisearch/SearchableMap'],
		['src/lib/search/index/a.test.ts', '../../../../tests/fixtures/search-text'],
		['src/lib/engine/a.test.ts', '../../../tests/fixtures/openai-server.mjs'],
		['src/lib/app.ts', './engine/providers/openai-compatible'],
		['src/lib/app/a.ts', '../engine/providers/openai-compatible'],
		['src/lib/view/a.ts', '../app'],
		['src/lib/view/a.ts', '../app/conversations'],
		['src/lib/view/a.ts', 'svelte/reactivity'],
		['src/lib/view/a.ts', 'dexie'],
		['src/routes/a.ts', '$lib/ui/Shell.svelte'],
		['src/routes/a.ts', '$app/navigation']
	])('%s may import %s', async (file, target) => expect(await faultsIn(file, use(target))).toEqual([]));

	test('every way to import counts', async () => {
		const ways = [
			`import '../app';`,
			`import type { App } from '../app';\nexport type B = App;`,
			`export const app = () => import('../app');`,
			`export type B = import('../app').App;`
		];
		for (const code of ways) expect(await faultsIn('src/lib/shared/a.ts', code)).toEqual(['house/imports']);
		const type = `import type { Database } from '../database';\nexport type B = Database;`;
		expect(await faultsIn('src/lib/storage/tables/a.ts', type)).toEqual(['house/imports']);
	});
});

describe('what a room may use', { timeout: 60_000 }, () => {
	test.each(['svelte', 'svelte/store', '$app/environment', '$env/static/public', '@sveltejs/kit'])(
		'below view, nothing imports %s',
		async (target) => {
			expect(await faultsIn('src/lib/engine/a.ts', use(target))).toEqual(['house/imports']);
			expect(await faultsIn('src/lib/app.ts', use(target))).toEqual(['house/imports']);
		}
	);

	test('the alias $lib is for routes', async () => {
		expect(await faultsIn('src/lib/view/a.ts', use('$lib/shared/id'))).toEqual(['house/imports']);
	});

	test.each(['../engine/providers/openai-compatible', '../engine/local/wllama-engine'])('only app.ts uses %s', async (target) => {
		expect(await faultsIn('src/lib/commands/a.ts', use(target))).toEqual(['house/imports']);
		expect(await faultsIn('src/lib/view/a.ts', use(target))).toEqual(['house/imports']);
		const type = `import type { Thing } from '${target}';\nexport type Mine = Thing;\n`;
		expect(await faultsIn('src/lib/commands/a.ts', type)).toEqual([]);
	});

	test.each(['unfenced', 'fencingTokenOf'])('[A5] only storage writes without a lease, or makes a fencing token: %s', async (name) => {
		const code = (target: string) => `import { ${name} } from '${target}';\n${name}();\n`;
		for (const room of ['engine', 'app', 'view', 'transfer']) expect(await faultsIn(`src/lib/${room}/a.ts`, code('../storage/fence'))).toEqual(['no-restricted-imports']);
		expect(await faultsIn('src/lib/ui/chat/A.svelte', component(code('../../storage/fence')))).toEqual(['no-restricted-imports']);
		expect(await faultsIn('src/lib/storage/a.ts', code('./fence'))).toEqual([]);
		expect(await faultsIn('src/lib/engine/a.ts', `import type { FencingToken } from '../storage/fence';\nexport type Mine = FencingToken;\n`)).toEqual([]);
	});

	test('the service worker imports nothing of the app', async () => {
		expect(await faultsIn('src/service-worker.ts', use('./lib/shared/id'))).toEqual(['house/imports']);
		expect(await faultsIn('src/service-worker.ts', use('$lib/shared/id'))).toEqual(['house/imports']);
		expect(await faultsIn('src/service-worker.ts', use('workbox-precaching'))).toEqual([]);
	});

	test.each([
		[use('dexie'), 'house/imports'],
		[`fetch('/x').catch(alert);\n`, 'no-restricted-globals'],
		[`localStorage.clear();\n`, 'no-restricted-globals'],
		[`indexedDB.open('x');\n`, 'no-restricted-globals'],
		[`window.sessionStorage.clear();\n`, 'no-restricted-properties'],
		[`globalThis.fetch('/x').catch(alert);\n`, 'no-restricted-properties']
	])('a component must not: %s', async (script, rule) => {
		expect(await faultsIn('src/lib/ui/chat/A.svelte', component(script))).toEqual([rule]);
		expect(await faultsIn('src/routes/+page.svelte', component(script))).toEqual([rule]);
	});

	test.each([
		[`fetch('/x').catch(alert);\n`, 'no-restricted-globals'],
		[`export const socket = new WebSocket('ws://x');\n`, 'no-restricted-globals'],
		[`export const request = new XMLHttpRequest();\n`, 'no-restricted-globals'],
		[`export const source = new EventSource('/x');\n`, 'no-restricted-globals'],
		[`navigator.sendBeacon('/x');\n`, 'no-restricted-properties'],
		[`globalThis.fetch('/x').catch(alert);\n`, 'no-restricted-properties']
	])('[P8] no request but through one module: %s', async (code, rule) => {
		for (const file of ['src/lib/engine/a.ts', 'src/lib/storage/a.ts', 'src/hooks.client.ts']) expect(await faultsIn(file, code)).toEqual([rule]);
		expect(await faultsIn('src/lib/shared/egress.ts', code)).toEqual([]);
	});

	test('screens do not take what was caught for an error of ours', async () => {
		const code = 'export const said = (error: unknown) => (error as Error).message;\n';
		for (const file of ['src/lib/view/a.ts', 'src/lib/ui/chat/A.svelte']) {
			expect(await faultsIn(file, file.endsWith('.svelte') ? component(code.replace('export ', '')) : code)).toContain('no-restricted-syntax');
		}
	});

	test('a worker file only adapts messages', async () => {
		const lines = (count: number) => 'postMessage(1);\n'.repeat(count);
		expect(await faultsIn('src/lib/search/worker.ts', lines(41))).toEqual(['max-lines']);
		expect(await faultsIn('src/lib/search/worker.ts', lines(40))).toEqual([]);
	});
});

describe('names and places', { timeout: 60_000 }, () => {
	test.each([
		'src/lib/index.ts',
		'src/lib/engine/index.ts',
		'src/lib/utils/text.ts',
		'src/lib/engine/helpers/text.ts',
		'src/lib/engine/types/text.ts',
		'src/lib/engine/constants/text.ts',
		'src/lib/storage/session-manager.ts',
		'src/lib/storage/storage-service.ts',
		'src/lib/storage/sessionStore.ts',
		'src/lib/attic/old.ts',
		'src/lib/ui/chat/format.ts',
		'src/lib/view/format.svelte.ts'
	])('%s is no place for code', async (file) => expect(await faultsIn(file, 'export const a = 1;\n')).toEqual(['house/places']));

	test('components are PascalCase', async () => {
		expect(await faultsIn('src/lib/ui/chat/message-view.svelte', '<p>Hi</p>\n')).toEqual(['house/places']);
		expect(await faultsIn('src/lib/ui/chat/MessageView.svelte', '<p>Hi</p>\n')).toEqual([]);
		expect(await faultsIn('src/lib/ui/chat/MessageView.svelte.browser.test.ts', 'export const a = 1;\n')).toEqual([]);
	});

	test.each([
		[`export * from './b';\n`, 'no-restricted-syntax'],
		[`export { b } from './b';\n`, 'no-restricted-syntax'],
		['export enum Role { User }\n', 'no-restricted-syntax'],
		[`export const isHere = (source?: { kind: string }) => source?.kind === 'on-device';\n`, 'no-restricted-syntax'],
		[`export const leaves = ({ kind }: { kind: string }) => kind !== 'server';\n`, 'no-restricted-syntax'],
		['try {\n\tpostMessage(1);\n} catch {}\n', 'no-empty'],
		[`console.log('here');\n`, 'no-console']
	])('not in this house: %s', async (code, rule) => expect(await faultsIn('src/lib/shared/a.ts', code)).toEqual([rule]));
});

describe('with the types of other files', { timeout: 60_000 }, () => {
	test('a promise that nobody waits for is seen', async () => {
		const [result] = await onFixtures.lintFiles('tests/fixtures/lint/src/lib/shared/floating.ts');
		const rules = ['@typescript-eslint/no-floating-promises', '@typescript-eslint/no-misused-promises'];
		expect(result!.messages.map(({ ruleId }) => ruleId)).toEqual(rules);
	});

	test('the ordinary run leaves the bad examples out', async () => {
		expect(await onText.isPathIgnored('tests/fixtures/lint/src/lib/shared/floating.ts')).toBe(true);
	});
});
