import { sveltekit } from '@sveltejs/kit/vite';
import { playwright } from '@vitest/browser-playwright';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { chromiumLaunch } from './scripts/browsers.mjs';
import { isolation, isolationHeaders, offerWeights } from './scripts/host.mjs';
import { plainIcons } from './scripts/plain-icons.mjs';

/** Builds the app with another piece of code in the place of one in a package's file. Stops the build where that is not there any more. */
function replacedIn(file: string, piece: string, other: string, name: string): Plugin {
	return {
		name,
		apply: 'build',
		transform(code, id) {
			if (!id.includes(file)) return undefined;
			if (!code.includes(piece)) this.error(`${file} does by now in another way what ${name} replaces`);
			return code.replace(piece, other);
		}
	};
}

/**
 * Lets the engine's worker start its threads under the page's policy of trusted types, which workers made of blobs inherit: of
 * addresses it takes blobs only.
 */
function trustedEngine(): Plugin {
	const made = 'new Blob([workerCode], { type: "text/javascript" })';
	const policy = 'self.trustedTypes?.createPolicy("default",{createScriptURL:(url)=>{if(url.startsWith("blob:"))return url;throw new TypeError(url)}});';
	return replacedIn('@wllama/wllama/esm/index.js', made, made.replace('[', `[${JSON.stringify(policy)}, `), 'snug:trusted-engine');
}

/** Lets Dexie be loaded where the browser refuses to store anything: Firefox has no channels there, and the page has to say so. */
function storelessDexie(): Plugin {
	const hasChannels = "typeof BroadcastChannel !== 'undefined'";
	const opensChannel = '(() => { try { new BroadcastChannel("").close(); return true; } catch { return false; } })()';
	return replacedIn('dexie/dist/modern/dexie.mjs', hasChannels, opensChannel, 'snug:storeless-dexie');
}

/** Leaves out Dexie's cache of rows, which the database does without: what a live query tells is what is stored. */
function cachelessDexie(): Plugin {
	return replacedIn('dexie/dist/modern/dexie.mjs', 'this.use(cacheMiddleware);', '', 'snug:cacheless-dexie');
}

/** Leaves the parser of style sheets, two thirds of it, out of the DOM in which pages are read: nothing asks it for a style. */
function stylelessPages(): Plugin {
	return replacedIn('linkedom/esm/html/style-element.js', "import {parse} from 'cssomnom/parse';", 'const parse = () => null;', 'snug:styleless-pages');
}

/** Leaves of the fonts of formulas the one format that every browser takes: all that is built is precached. */
function oneFontFormat(): Plugin {
	return {
		name: 'snug:one-font-format',
		apply: 'build',
		enforce: 'pre',
		transform(code, id) {
			if (!id.includes('katex/dist/katex.min.css')) return undefined;
			const rest = code.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, '');
			if (/\.(woff|ttf)\b/.test(rest) || !rest.includes('.woff2')) this.error(`${id} names its fonts by now in another way`);
			return rest;
		}
	};
}

/**
 * Puts what a new chat needs into three files, the list of chats into one, and what opening a chat or Settings needs beside that into a few: a
 * hundred small ones wait for each other, each has to be listed with those that need it, and compressed for itself is an eighth larger. What the
 * repair page needs too has files of its own, since that page runs without the app.
 */
function fewFiles(): Plugin {
	// Kit brings the error page along with every other.
	const shared = ['src/routes/+error.svelte', 'node_modules/@sveltejs/kit/src/runtime/client/entry.js'];
	const newChat = ['+layout.svelte', '(chat)/+layout.svelte', '(chat)/+page.svelte'].map((name) => `src/routes/(app)/${name}`);
	const openChat = [
		'src/routes/(app)/(chat)/s/[id]/+page.ts',
		...['chat/OpenSession', 'chat/ReadingBar', 'compaction/Compaction'].map((name) => `src/lib/ui/${name}.svelte`),
		...['blocks', 'sanitize', 'escape-code', 'formulas', 'tables'].map((name) => `src/lib/markdown/${name}.ts`)
	];
	const settings = ['src/routes/(app)/settings/+page.svelte'];
	// What Settings draws below what is seen first.
	const sections = ['model-settings/DefaultParameters', 'model-settings/DefaultToolsForm', 'personas/PersonaSection', 'context/ContextSection', 'shortcuts/ShortcutList'].map(
		(name) => `src/lib/ui/${name}.svelte`
	);
	const list = ['SessionList', 'Ways'].map((name) => `src/lib/ui/sidebar/${name}.svelte`);
	const repair = ['src/routes/repair/+page.svelte'];
	const temporary = 'src/lib/view/enter-temporary.ts';
	// Not what a first visit shows, which the names of all their files would weigh on.
	const askLater = ['ui/search/Palette.svelte', 'ui/source/SourceDialog.svelte', 'app/on-device.ts'].map((name) => `src/lib/${name}`);
	// The files of a new chat.
	const [framework, base, app] = ['framework', 'base', 'app'] as const;
	const loadedFirst: ReadonlySet<string> = new Set([framework, base, app, 'rolldown-runtime']);
	/** Ids of the modules that each needs, with all that those import. */
	let needed: Record<'first' | 'list' | 'chat' | 'settings' | 'sections' | 'composer' | 'repairStart' | 'repairLater' | 'temporary', ReadonlySet<string>>;
	/** Tells whether a module is needed by what comes first, and also without the app: by the repair page, at once or later, or before a temporary chat. */
	const isInBoth = (id: string) => needed.first.has(id) && [needed.repairStart, needed.repairLater, needed.temporary].some((ids) => ids.has(id));
	/** The files that are there before any other is asked for. */
	const loaded = new Set<string>();
	/** The files that ask for what they need once they are there. */
	const askThemselves = new Set<string>();
	/** The layout and the error page that are on every page. */
	const everywhere = ['svelte-5/layout.svelte', 'src/routes/+error.svelte'];
	const namesOne = (node: string, names: string[]) => names.some((name) => readFileSync(node, 'utf8').includes(`/${name}"`));
	const isFirstNode = (id: string, names: string[]) => id.endsWith(asFirst) && namesOne(id.slice(0, -asFirst.length), names);
	return {
		name: 'snug:few-files',
		apply: 'build',
		// Before Vite lists with each import what it needs.
		enforce: 'pre',
		applyToEnvironment: ({ name }) => name === 'client',
		config: () => ({ build: { modulePreload: { resolveDependencies: (asked, files) => (askThemselves.has(asked) ? [] : files.filter((file) => !loaded.has(file))) } } }),
		// Kit has a file of some bytes for each layout and page. Those of a new chat are under another name in the files of what they name.
		transform(code, id) {
			if (isLater(id)) return { code, moduleSideEffects: false };
			if (!id.endsWith('/client-optimized/app.js')) return undefined;
			const isFirst = (node: string) => namesOne(posix.join(posix.dirname(id), node), [...everywhere, ...newChat]);
			let count = 0;
			const renamed = code.replace(/import\('(\.\/nodes\/\d+)'\)/g, (asked, name: string) => (isFirst(`${name}.js`) && ++count ? `import('${name}.js${asFirst}')` : asked));
			if (count !== everywhere.length + newChat.length) this.error(`${id} does not ask for layouts and pages as it did`);
			return renamed;
		},
		generateBundle(_, bundle) {
			for (const file of Object.values(bundle)) {
				if (file.type !== 'chunk') continue;
				if (loadedFirst.has(file.name)) loaded.add(file.fileName);
				if (file.moduleIds.some((id) => askLater.some((name) => id.endsWith(name)))) askThemselves.add(file.fileName);
				// The app opens the database as soon as it is there.
				const brings = file.moduleIds.some((id) => id.endsWith(temporary)) ? file.imports.map((name) => bundle[name]!.name) : [];
				if (brings.includes(app)) this.error(`${temporary} brings the app along, which must come after it`);
			}
		},
		buildEnd() {
			const importedBy = (names: string[], { later = false } = {}) => {
				const ids = new Set(names.map((name) => posix.join(import.meta.dirname.replaceAll('\\', '/'), name)));
				for (const id of ids) if (!this.getModuleInfo(id)) this.error(`${id} is named for a file of its own, and is not part of the app`);
				// A set is walked to its end, also through what is added on the way.
				for (const id of ids) {
					const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
					for (const imported of later ? [...importedIds, ...dynamicallyImportedIds] : importedIds) ids.add(imported);
				}
				return ids;
			};
			needed = {
				first: importedBy([...shared, ...newChat]),
				list: importedBy(list),
				chat: importedBy(openChat),
				settings: importedBy(settings),
				sections: importedBy(sections),
				composer: importedBy(['src/lib/ui/chat/ComposerTools.svelte']),
				repairStart: importedBy([...shared, ...repair]),
				repairLater: importedBy(repair, { later: true }),
				temporary: importedBy([temporary])
			};
		},
		outputOptions: (options) => ({
			...options,
			// The names of all others stand in the files of a first visit, where nothing makes them smaller.
			chunkFileNames: String(options.chunkFileNames).replace('[hash]', '[hash:7]'),
			// But for the styles of the frame, which scripts/page-links.mjs knows by their name.
			assetFileNames: ({ names }) => (names.includes('base.css') ? String(options.assetFileNames) : String(options.assetFileNames).replace('[name].[hash]', '[hash:6]')),
			codeSplitting: {
				groups: [
					{ name: framework, priority: 5, test: (id) => isInBoth(id) && id.includes('/node_modules/') },
					// The page links the frame's styles, which come before any script.
					{ name: base, priority: 4, test: (id) => isInBoth(id) || isFirstNode(id, everywhere) || id.endsWith('/src/lib/ui/frame.css') },
					{ name: app, priority: 3, test: (id) => isFirstNode(id, newChat) || (needed.first.has(id) && !isLater(id)) },
					// Before the app's, which would take along what an index names.
					{ name: 'collections', priority: 4, test: isLater },
					// Each screen has some of it: as files of their own they would have to be listed with every one. The repair page
					// has some too, and not the icon of the app's files that a dialog has.
					{ name: 'kit', priority: 2, test: (id) => !needed.first.has(id) && /\/src\/lib\/ui\/(kit\/(?!Dialog)|controls\.css)/.test(id.replaceAll('\\', '/')) },
					{ name: 'rows', priority: 1, test: (id) => needed.chat.has(id) && needed.repairStart.has(id) },
					{ name: 'repair', priority: 1, test: (id) => needed.chat.has(id) && needed.repairLater.has(id) },
					// Asked for on every first visit, once that is at rest.
					{ name: 'egress', priority: 1, test: /\/src\/lib\/(shared\/(egress|pause)|engine\/local\/default-weights|view\/(theme-colour|update\.svelte))\.ts$/ },
					{ name: 'list', priority: 1, test: (id) => needed.list.has(id) },
					{ name: 'screens', priority: 1, test: (id) => needed.chat.has(id) && needed.settings.has(id) },
					{ name: 'settings', priority: 1, test: (id) => needed.settings.has(id) },
					{ name: 'parts', priority: 1, test: (id) => needed.chat.has(id) && needed.sections.has(id) },
					// Of what those sections need: what answers and the composer need too, and what menus do.
					{ name: 'work', priority: 1, test: (id) => needed.sections.has(id) && (needed.composer.has(id) || isForAnswers(id)) },
					{ name: 'actions', priority: 1, test: (id) => needed.sections.has(id) && /\/src\/lib\/(commands|view\/actions)\//.test(id.replaceAll('\\', '/')) },
					{ name: 'sections', test: (id) => needed.sections.has(id) },
					{ name: 'chat', test: (id) => needed.chat.has(id) }
				]
			}
		})
	};
}

/** Ends the name of a layout or a page that is a part of a file of a new chat. */
const asFirst = '?first';

/** Tells whether a module is only named by what comes first, in an index, and used by what comes later. */
function isLater(id: string): boolean {
	return /\/svelte\/src\/reactivity\/(date|map|set|url|url-search-params)\.js$/.test(id.replaceAll('\\', '/'));
}

/** Tells whether a module is of the rooms that answers come from. */
function isForAnswers(id: string): boolean {
	return /\/src\/lib\/(app|conversation|context|engine\/providers|shared|storage|tools)\/(?!(stored-)?tool-servers)/.test(id.replaceAll('\\', '/'));
}

export default defineConfig({
	// Before Kit, which would serve the empty manifest of a build without weights.
	plugins: [isolation(), offerWeights(), trustedEngine(), storelessDexie(), cachelessDexie(), plainIcons(), oneFontFormat(), fewFiles(), sveltekit()],
	// Dexie's main entry is one script for old browsers, of which nothing can be left out.
	resolve: { alias: [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' }] },
	// A font within a style sheet is of no host that the page's policy allows.
	build: { assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined) },
	// Workers load in pieces what they need only at times.
	worker: { format: 'es', plugins: () => [stylelessPages()] },
	test: {
		// Far beyond what anything takes here, for machines that are slower or busy.
		testTimeout: 60_000,
		projects: [
			{
				extends: true,
				test: {
					name: 'unit',
					environment: 'node',
					// A worker has one copy of each module for all its files, which is a third faster: nothing that is tested here keeps a state.
					isolate: false,
					// Clocks there go forward and back within a year.
					env: { TZ: 'Europe/Berlin' },
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
						'@mozilla/readability',
						'@noble/hashes/sha2.js',
						'@noble/hashes/utils.js',
						'@wllama/wllama/esm/index.js',
						'dexie',
						'shiki/core',
						'shiki/engine/javascript',
						'katex',
						'fflate',
						'htmlparser2',
						'linkedom',
						'pdfjs-dist/legacy/build/pdf.mjs',
						'pdfjs-dist/legacy/build/pdf.worker.mjs',
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
					setupFiles: ['tests/fixtures/patient.ts'],
					expect: { poll: { timeout: 30_000 } },
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
