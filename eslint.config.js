import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import { posix } from 'node:path';
import tseslint from 'typescript-eslint';

/**
 * The house, bottom first: a room imports from its own and from lower lines. Rooms on one line do not know each other.
 * A room that is not here may not exist.
 */
const layers = [
	['shared'],
	['conversation'],
	['storage', 'vault', 'locks', 'context', 'markdown'],
	['search', 'sync', 'transfer', 'tools'],
	['engine'],
	['commands'],
	['app.ts'],
	['scripting.ts'],
	['view'],
	['ui'],
	['routes']
];

/** What only app.ts and app/ may use: concrete things behind a room's contract. Their types are for all. */
const adapters = /^(engine\/(providers\/(?!answer-source$).*|local\/.*)|app\/environment)$/;

/** Modules that the script in the page may import. */
const ofPageScript = /^\.\/lib\/(shared\/composing|storage\/raw-database|view\/(has-keyboard|kept-preferences|tab-text))$/;

/** Folders of their own within a room: they import packages and themselves, nothing else. */
const sealed = ['search/index'];

/** Folders that the rest of their room stands on: they import nothing of it but themselves, types included. */
const bases = ['storage/tables'];

const isTest = (path) => path.endsWith('.test.ts');

/** A file's path from src/ on, or undefined outside of it. The linter's own bad examples have a src/ of their own. */
function pathInSource(file) {
	const path = posix.relative(import.meta.dirname.replaceAll('\\', '/'), file.replaceAll('\\', '/'));
	return /^(?:tests\/fixtures\/lint\/)?src\/(.+)$/.exec(path)?.[1];
}

/**
 * Where a path from src/ on is: its room, its name from src/lib/ or else from src/ on, and how high it is in the house:
 * -1 for an unknown room, above everything for what is not in src/lib/.
 */
function placeOf(path) {
	const inLib = path.startsWith('lib/');
	const name = inLib ? path.slice('lib/'.length) : path;
	const room = name.split('/')[0].replace(/^(app|scripting)(\.ts)?$/, '$1.ts');
	return { inLib, name, room, level: inLib ? levelOf(room) : layers.length };
}

function levelOf(room) {
	return layers.findIndex((rooms) => rooms.includes(room));
}

/** What is wrong with an import of `target` in the file at `path`, as a sentence, or undefined. */
function importFault(path, target, isType) {
	const from = placeOf(path);
	const isAlias = /^\$lib(\/|$)/.test(target);
	const isPackage = !isAlias && !target.startsWith('.');
	// What it imports is in every page.
	if (path === 'page-script.ts' || path === 'head-script.ts') return ofPageScript.test(target) ? undefined : 'The scripts in the page import a few small files only.';
	if (path === 'service-worker.ts') return isPackage || ['./headers.js', './lib/locks/answering'].includes(target) ? undefined : 'The service worker imports the headers and the locks of answers only.';
	if (from.inLib && isAlias) return 'Inside src/lib, imports are relative.';
	if (isPackage) return packageFault(from, target);

	const targetPath = isAlias ? target.replace('$', '') : posix.join(posix.dirname(path), target);
	if (targetPath.startsWith('../')) return isTest(path) ? undefined : 'The app imports nothing from outside of src/.';
	const to = placeOf(targetPath);
	const seal = sealed.find((folder) => from.name.startsWith(`${folder}/`));
	if (seal && !to.name.startsWith(`${seal}/`)) return `"${seal}" imports nothing outside of itself.`;
	if (to.room === from.room) {
		const base = bases.find((folder) => from.name.startsWith(`${folder}/`));
		return base && !to.name.startsWith(`${base}/`) ? `"${base}" imports nothing else of its room.` : undefined;
	}
	if (to.level < 0 || to.level >= from.level) {
		return `"${from.room}" must not import from "${to.room}": imports point down.`;
	}
	if (adapters.test(to.name) && from.room !== 'app.ts' && !isType) {
		return `Only app.ts uses concrete adapters such as ${to.name}.`;
	}
	return undefined;
}

function packageFault(from, target) {
	const isFramework = /^(svelte$|svelte\/|@sveltejs\/|\$app\/|\$env\/)/.test(target);
	if (isFramework && from.level < levelOf('view')) return `Below view/, nothing imports "${target}".`;
	if (/^dexie($|\/)/.test(target) && from.level > levelOf('view')) return 'Components do not know the database.';
	return undefined;
}

const forbiddenFolders = ['utils', 'helpers', 'constants', 'types'];

/** What is wrong with the name or the place of the file at `path`, as a sentence, or undefined. */
function placeFault(path, code) {
	const place = placeOf(path);
	if (!place.inLib) return undefined;
	if (place.level < 0) return `"${place.room}" is no room of the house: see layers in eslint.config.js.`;
	const folders = place.name.split('/').slice(0, -1);
	const base = posix.basename(path);
	const stem = base.split('.')[0];
	const folder = folders.find((name) => forbiddenFolders.includes(name));
	if (folder) return `A folder named "${folder}" says nothing about what is in it.`;
	if (stem === 'index') return 'No barrels: name the file for its main export.';
	if (/\.svelte(\.browser)?(\.test\.ts)?$/.test(base) && place.room === 'ui') {
		if (!/^[A-Z][A-Za-z0-9]*$/.test(stem)) return 'Components are named as they are written in markup: PascalCase.';
	} else if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem)) {
		return 'File names are kebab-case.';
	}
	if (/(^|-)(manager|service|helper|util)s?$|[a-z](Manager|Service|Helper|Util)s?$/.test(stem)) return `"${stem}" does not say what it does.`;
	if (place.room === 'ui' && !isTest(path) && !base.endsWith('.svelte')) return 'ui/ holds components only.';
	if (place.room === 'view' && !isTest(path) && /\$(state|derived|effect|props|inspect|host)\b/.test(code) !== base.endsWith('.svelte.ts')) {
		return 'In view/, a file with runes ends in .svelte.ts, any other in .ts.';
	}
	return undefined;
}

const house = {
	meta: { name: 'house' },
	rules: {
		imports: {
			meta: { type: 'problem', schema: [] },
			create(context) {
				const path = pathInSource(context.filename);
				const check = ({ source, importKind }) => {
					if (path === undefined || typeof source?.value !== 'string') return;
					const fault = importFault(path, source.value, importKind === 'type');
					if (fault) context.report({ node: source, message: fault });
				};
				return {
					ImportDeclaration: check,
					ImportExpression: check,
					TSImportType: check,
					ExportNamedDeclaration: check,
					ExportAllDeclaration: check
				};
			}
		},
		places: {
			meta: { type: 'problem', schema: [] },
			create(context) {
				const path = pathInSource(context.filename);
				return {
					Program(node) {
						const fault = path === undefined ? undefined : placeFault(path, context.sourceCode.text);
						if (fault) context.report({ node, loc: { line: 1, column: 0 }, message: fault });
					}
				};
			}
		}
	}
};

/** Of ESLint's own recommended set, what TypeScript does not already say. */
const core = {
	'no-async-promise-executor': 'error',
	'no-case-declarations': 'error',
	'no-cond-assign': 'error',
	'no-constant-binary-expression': 'error',
	'no-constant-condition': 'error',
	'no-control-regex': 'off',
	'no-debugger': 'error',
	'no-dupe-else-if': 'error',
	'no-duplicate-case': 'error',
	'no-empty': ['error', { allowEmptyCatch: false }],
	'no-empty-pattern': 'error',
	'no-fallthrough': 'error',
	'no-loss-of-precision': 'error',
	'no-misleading-character-class': 'error',
	'no-prototype-builtins': 'error',
	'no-self-assign': 'error',
	'no-self-compare': 'error',
	'no-sparse-arrays': 'error',
	'no-throw-literal': 'error',
	'no-unsafe-finally': 'error',
	'no-unsafe-optional-chaining': 'error',
	'no-useless-catch': 'error',
	'no-useless-escape': 'error',
	eqeqeq: ['error', 'always', { null: 'ignore' }]
};

const syntax = [
	{ selector: 'TSEnumDeclaration', message: 'Unions of strings, not enums.' },
	{
		selector: "BinaryExpression[right.value=/^(on-device|server)$/]:has(Identifier[name='kind'])",
		message: 'An AnswerSource says what it is like; only engine/providers/answer-source.ts asks of what kind it is.'
	}
];

const syntaxInSource = [
	...syntax,
	{ selector: 'ExportAllDeclaration', message: 'No barrels: import from the file itself.' },
	{ selector: 'ExportNamedDeclaration[source]', message: 'No barrels: import from the file itself.' }
];

const network = ['fetch', 'XMLHttpRequest', 'WebSocket', 'WebTransport', 'EventSource', 'RTCPeerConnection'];
const browserStores = ['localStorage', 'sessionStorage', 'indexedDB', 'caches'];
const inComponents = 'Components call app methods.';
const oneWayOut = 'Every request goes through `send` in shared/egress.ts.';

/** The rules against these globals, by name and as properties of the global object, with what is said. */
function withoutGlobals(faults) {
	const named = faults.flatMap(([names, message]) => names.map((name) => ({ name, message })));
	return {
		'no-restricted-globals': ['error', ...named],
		'no-restricted-properties': [
			'error',
			...['window', 'globalThis', 'self'].flatMap((object) => named.map(({ name, message }) => ({ object, property: name, message }))),
			{ object: 'navigator', property: 'sendBeacon', message: oneWayOut }
		]
	};
}

export default defineConfig(
	{
		ignores: [
			'.svelte-kit/',
			'build/',
			'coverage/',
			'node_modules/',
			'static/',
			'playwright-report/',
			'test-results/',
			// Bad on purpose; tests/unit/layers.test.ts lints them.
			'tests/fixtures/lint/'
		]
	},
	tseslint.configs.recommended,
	svelte.configs.recommended,
	{
		languageOptions: { globals: { ...globals.browser, ...globals.node } },
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		plugins: { house },
		rules: {
			...core,
			'no-undef': 'off',
			'no-restricted-syntax': ['error', ...syntax],
			'@typescript-eslint/no-unused-expressions': ['error', { allowTernary: true }],
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
			// `noUncheckedIndexedAccess` makes it the short way to say that an index is known to be there.
			'@typescript-eslint/no-non-null-assertion': 'off',
			'@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }]
		}
	},
	{
		files: ['**/*.svelte', '**/*.svelte.ts'],
		languageOptions: { parserOptions: { parser: tseslint.parser } },
		rules: { 'prefer-const': 'off', 'svelte/prefer-const': ['error', { destructuring: 'all' }] }
	},
	{
		files: ['src/**/*.ts', 'src/**/*.svelte', 'tests/**/*.ts'],
		// Kit keeps the service worker out of the app's TypeScript project.
		ignores: ['src/service-worker.ts'],
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname, extraFileExtensions: ['.svelte'] }
		},
		rules: {
			'@typescript-eslint/await-thenable': 'error',
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
			'@typescript-eslint/return-await': ['error', 'error-handling-correctness-only']
		}
	},
	{
		files: ['**/src/**/*.ts', '**/src/**/*.svelte'],
		rules: {
			'house/imports': 'error',
			'house/places': 'error'
		}
	},
	{
		files: ['**/src/**'],
		// Tests may print what they measured.
		ignores: ['**/*.test.ts'],
		rules: { 'no-console': ['error', { allow: ['warn', 'error'] }] }
	},
	{
		files: ['**/src/lib/**/*.ts'],
		rules: {
			'no-restricted-syntax': ['error', ...syntaxInSource]
		}
	},
	{
		// A token is read where a lock is granted: in storage/, and in the port of `Writers`, which loads what it needs of that late.
		files: ['**/src/**/*.ts', '**/src/**/*.svelte'],
		ignores: ['**/*.test.ts', '**/src/lib/storage/**', '**/src/lib/app/environment.ts'],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						{
							regex: '/storage/fence$',
							importNames: ['unfenced', 'fencingTokenOf'],
							message: 'Who writes a session from here has its lease: `Writers` gives the token.'
						}
					]
				}
			]
		}
	},
	{
		// The one place, which makes its description of what was chosen.
		files: ['**/src/lib/engine/providers/answer-source.ts'],
		rules: { 'no-restricted-syntax': 'off' }
	},
	{
		files: ['**/src/lib/ui/**', '**/src/lib/view/**'],
		ignores: ['**/*.test.ts'],
		rules: {
			'no-restricted-syntax': [
				'error',
				...syntaxInSource,
				{ selector: 'TSAsExpression TSTypeReference > Identifier[name=/^(App)?Error$/]', message: 'What was caught may be anything: `failureOf` of view/attempt makes an AppError of it.' }
			]
		}
	},
	{
		files: ['**/src/**'],
		// The service worker fetches for the page, and looks at what that asks for.
		ignores: ['**/*.test.ts', '**/src/service-worker.ts', '**/src/lib/shared/egress.ts'],
		rules: withoutGlobals([[network, oneWayOut]])
	},
	{
		files: ['**/src/lib/ui/**', '**/src/routes/**'],
		rules: withoutGlobals([
			[network, oneWayOut],
			[browserStores, inComponents]
		])
	},
	{
		// A worker file only adapts messages.
		files: ['**/src/lib/**/worker.ts', '**/src/lib/**/*-worker.ts'],
		rules: { 'max-lines': ['error', { max: 40, skipBlankLines: true, skipComments: true }] }
	}
);
