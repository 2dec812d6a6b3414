import { sveltekit } from '@sveltejs/kit/vite';
import { playwright } from '@vitest/browser-playwright';
import { posix } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { chromiumLaunch } from './scripts/browsers.mjs';
import { isolation, isolationHeaders, offerWeights } from './scripts/host.mjs';
import { plainIcons } from './scripts/plain-icons.mjs';

/**
 * Lets the engine's worker start its threads under the page's policy of trusted types, which workers made of blobs inherit: of
 * addresses it takes blobs only.
 */
function trustedEngine(): Plugin {
	const made = 'new Blob([workerCode], { type: "text/javascript" })';
	const policy = 'self.trustedTypes?.createPolicy("default",{createScriptURL:(url)=>{if(url.startsWith("blob:"))return url;throw new TypeError(url)}});';
	return {
		name: 'snug:trusted-engine',
		apply: 'build',
		transform(code, id) {
			if (!id.includes('@wllama/wllama/esm/index.js')) return undefined;
			if (!code.includes(made)) this.error('wllama makes its workers in another way by now');
			return code.replace(made, made.replace('[', `[${JSON.stringify(policy)}, `));
		}
	};
}

/**
 * Puts what a new chat needs into three files: seventy small ones, each compressed for itself, were an eighth larger. What the
 * repair page needs too has files of its own, since that page runs without the app.
 */
function fewFirstFiles(): Plugin {
	// Kit brings the error page along with every other.
	const shared = ['src/routes/+error.svelte', 'node_modules/@sveltejs/kit/src/runtime/client/entry.js'];
	const newChat = ['+layout.svelte', '(chat)/+layout.svelte', '(chat)/+page.svelte'].map((name) => `src/routes/(app)/${name}`);
	let first = new Set<string>();
	let everywhere = new Set<string>();
	return {
		name: 'snug:few-first-files',
		apply: 'build',
		applyToEnvironment: ({ name }) => name === 'client',
		buildEnd() {
			const importedBy = (names: string[]) => {
				const ids = new Set(names.map((name) => posix.join(import.meta.dirname.replaceAll('\\', '/'), name)));
				// A set is walked to its end, also through what is added on the way.
				for (const id of ids) for (const imported of this.getModuleInfo(id)?.importedIds ?? []) ids.add(imported);
				return ids;
			};
			first = importedBy([...shared, ...newChat]);
			everywhere = importedBy([...shared, 'src/routes/repair/+page.svelte']);
		},
		outputOptions: (options) => ({
			...options,
			codeSplitting: {
				groups: [
					{ name: 'framework', priority: 3, test: (id) => first.has(id) && everywhere.has(id) && id.includes('/node_modules/') },
					{ name: 'base', priority: 2, test: (id) => first.has(id) && everywhere.has(id) },
					{ name: 'app', priority: 1, test: (id) => first.has(id) },
					// Each screen has some of it: as files of their own they would have to be listed with every one. The repair page
					// has some too, and not the icon of the app's files that a dialog has.
					{ name: 'kit', test: (id) => !first.has(id) && /\/src\/lib\/ui\/(kit\/(?!Dialog)|controls\.css)/.test(id.replaceAll('\\', '/')) }
				]
			}
		})
	};
}

export default defineConfig({
	// Before Kit, which would serve the empty manifest of a build without weights.
	plugins: [isolation(), offerWeights(), trustedEngine(), plainIcons(), fewFirstFiles(), sveltekit()],
	// Dexie's main entry is one script for old browsers, of which nothing can be left out.
	resolve: { alias: [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' }] },
	// Workers load in pieces what they need only at times.
	worker: { format: 'es' },
	test: {
		// Far beyond what anything takes here, for machines that are slower or busy.
		testTimeout: 60_000,
		projects: [
			{
				extends: true,
				test: {
					name: 'unit',
					environment: 'node',
					include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/unit/**/*.test.ts'],
					exclude: ['**/*.browser.test.ts']
				}
			},
			{
				extends: true,
				// Vitest answers with its own pages before any plugin's middleware has its turn.
				server: { headers: isolationHeaders },
				// Found only while tests run, in workers and dynamic imports, these would reload the page under them.
				optimizeDeps: {
					include: [
						'@ai-sdk/openai-compatible',
						'@huggingface/tokenizers',
						'@noble/hashes/sha2.js',
						'@noble/hashes/utils.js',
						'@wllama/wllama/esm/index.js',
						'dexie',
						'shiki/core',
						'shiki/engine/javascript',
						'gpt-tokenizer/encoding/cl100k_base',
						'gpt-tokenizer/encoding/o200k_base',
						'minisearch',
						'minisearch/SearchableMap',
						'stemmer',
						'zod/v4/core'
					]
				},
				test: {
					name: 'browser',
					include: ['src/**/*.browser.test.ts'],
					// How many files and streams the fuzzers make, and from which seed: `npm run soak -- import`.
					env: { SNUG_IMPORTS: process.env.SNUG_IMPORTS ?? '', SNUG_SEED: process.env.SNUG_SEED ?? '' },
					browser: {
						enabled: true,
						headless: true,
						screenshotFailures: false,
						provider: playwright({ launchOptions: chromiumLaunch() }),
						instances: [{ browser: 'chromium' }]
					}
				}
			}
		]
	}
});
