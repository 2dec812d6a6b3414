import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openedSegment } from '../../../../tests/contract/opened-segment';
import { expectSameScores, scoresByMiniSearch, type Text } from '../../../../tests/fixtures/mini-search';
import { hasPhrases } from '../../../../tests/fixtures/phrases';
import { mixedText } from '../../../../tests/fixtures/search-text';
import type { Document } from './document';
import { evaluate } from './evaluate';
import { Expansion } from './expansion';
import { flush } from './flush';
import { parseQuery, toQuery } from './parse-query';
import type { PhrasePart, Query } from './query';
import { rank } from './rank';
import type { CountedSource, Source } from './source';
import { Tail } from './tail';
import { countTerms, processTerm, tokenize } from './words';

function documentOf({ key, text }: Text): Document {
	return { key, text, sessionId: 's', kind: 'message', role: 'user', depth: 0, createdAt: 0, hasCode: false };
}

/** A source without what is deleted in it. */
function counted(source: Source): CountedSource {
	const shown = [...source.columns.words.subarray(0, source.columns.length)].filter((_, document) => source.deleted[document] === 0);
	return { source, documents: shown.length, words: shown.reduce((sum, words) => sum + words, 0) };
}

async function scoresOf(sources: CountedSource[], query: Query): Promise<Map<string, number>> {
	const matches = await evaluate(sources, query, new Expansion(sources));
	const scores = new Map<string, number>();
	for (let i = 0; i < matches.length; i++) {
		const [key] = await sources[matches.sources[i]!]!.source.keys([matches.documents[i]!]);
		expect(scores.has(key!)).toBe(false);
		scores.set(key!, matches.scores[i]!);
	}
	return scores;
}

/** The texts in several segments and a tail, some deleted in each. */
async function spread(texts: Text[], parts: number, deleted: ReadonlySet<string>): Promise<CountedSource[]> {
	const tails = Array.from({ length: parts }, () => new Tail());
	texts.forEach((text, index) => tails[index % parts]!.add(documentOf(text), countTerms(text.text)));
	const sources: Source[] = tails.map((tail, index) => (index === 0 ? tail : openedSegment(flush(tail).parts).segment));
	for (const source of sources) {
		for (const key of deleted) {
			const document = await source.findKey(key);
			if (document !== undefined) source.deleted[document] = 1;
		}
	}
	return sources.map(counted);
}

const word = fc.constantFrom('apple', 'apples', 'apply', 'ape', 'banana', 'bandana', 'getUserName', 'user', 'name', 'naïve', 'naive', '北京大学', 'x', 'path/to/file.ts', '𝒳𝒴', 'Ωmega');
const texts = fc.array(
	fc.array(word, { minLength: 0, maxLength: 12 }).map((words) => words.join(' ')),
	{ minLength: 1, maxLength: 24 }
);
const leaf: fc.Arbitrary<Query> = fc.record({
	kind: fc.constant('term' as const),
	term: fc.oneof(word, fc.constantFrom('a', 'ap', 'appel', 'bananna', 'get', 'us', 'absent')).map((text) => processTerm(tokenize(text)[0]!)!),
	prefix: fc.boolean(),
	distance: fc.constantFrom(0, 0, 1, 2)
});
/** Terms as they are, the last one perhaps how a word begins. */
const phrase: fc.Arbitrary<Query> = fc
	.array(fc.oneof(word, fc.constant('name')), { minLength: 1, maxLength: 4 })
	.chain((words) => fc.boolean().map((isTyped) => toQuery(parseQuery(`"${words.join(' ')}${isTyped ? '' : '"'}`), new Set())!));
const query = fc.letrec<{ query: Query }>((tie) => ({
	query: fc.oneof(
		{ maxDepth: 2, withCrossShrink: true },
		leaf,
		phrase,
		fc.record({
			kind: fc.constantFrom('all' as const, 'any' as const, 'without' as const),
			of: fc.array(tie('query'), { minLength: 1, maxLength: 3 }) as unknown as fc.Arbitrary<[Query, ...Query[]]>
		})
	)
})).query;

describe('[E7] scores are MiniSearch’s own', () => {
	test('for any texts, wherever they are, and any query', async () => {
		await fc.assert(
			fc.asyncProperty(texts, query, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 5 }), async (bodies, query, parts, gone) => {
				const all = bodies.map((text, index) => ({ key: `k${String(index).padStart(2, '0')}`, text }));
				const deleted = new Set(all.filter((_, index) => index % 5 < gone && index % 3 === 0).map(({ key }) => key));
				const sources = await spread(all, parts, deleted);
				expectSameScores(await scoresOf(sources, query), scoresByMiniSearch(all.filter(({ key }) => !deleted.has(key)))(query));
			}),
			{ numRuns: 300 }
		);
	});

	test('for real text', async () => {
		const all = readmes();
		expect(all.length).toBeGreaterThan(200);
		const deleted = new Set(all.filter((_, index) => index % 11 === 0).map(({ key }) => key));
		const sources = await spread(all, 3, deleted);
		const wanted = scoresByMiniSearch(all.filter(({ key }) => !deleted.has(key)));
		const term = (term: string, prefix = false, distance = 0): Query => ({ kind: 'term', term: processTerm(tokenize(term)[0]!)!, prefix, distance });
		const queries: Query[] = [
			term('function'),
			term('module', true),
			term('instal', false, 1),
			term('configration', true, 2),
			term('s', true),
			{ kind: 'all', of: [term('install'), term('package')] },
			{ kind: 'all', of: [term('the'), term('default', true), { kind: 'any', of: [term('option'), term('setting')] }] },
			{ kind: 'any', of: [term('license'), term('license'), term('copyright', false, 2)] },
			{ kind: 'without', of: [term('node'), term('browser'), term('deno')] },
			...['"of the"', '"of the "default', 'the -"of the"', '"node.js"', '"run th', '"npm install"'].map((text) => toQuery(parseQuery(text), new Set())!)
		];
		for (const query of queries) expectSameScores(await scoresOf(sources, query), wanted(query));
	});
});

describe('[E7] a phrase is found in just the texts that have it', () => {
	test('whatever they are, and however it is divided', async () => {
		const among = fc.tuple(fc.array(mixedText, { minLength: 1, maxLength: 4 }), fc.nat(60), fc.integer({ min: 1, max: 12 }), fc.nat(3));
		let found = 0;
		await fc.assert(
			fc.asyncProperty(among, fc.boolean(), fc.constantFrom('', '"'), async ([bodies, from, length, cut], isLeftOut, closing) => {
				const [text] = bodies as [string, ...string[]];
				const piece = text.replace(/["“”„«»]/g, '').slice(from, from + length);
				// Another text has the same words, but others between them.
				const all = [...bodies, text.slice(cut), text.split(' ').reverse().join(' x ')].map((text, key) => ({ key: String(key), text }));
				const parsed = parseQuery(isLeftOut ? `x -"${piece}${closing}` : `"${piece}${closing}`);
				const query = toQuery(parsed, new Set());
				if (!query) return;
				const sources = await spread(all, 2, new Set());
				const wanted = scoresByMiniSearch(all)(query);
				expectSameScores(await scoresOf(sources, query), wanted);
				for (const { key, text } of all) if (wanted.has(key)) expect(hasPhrases(text, parsed)).toBe(true);
				if (!isLeftOut) for (const { key, text } of all) if (hasPhrases(text, parsed)) expect(wanted.has(key)).toBe(true);
				found += wanted.size;
			}),
			{ numRuns: 200 }
		);
		expect(found).toBeGreaterThan(50);
	});

	test('where a word is of several parts, or of one that others share', async () => {
		const texts = ['get_user_name here', 'getUserName here', 'the user name', 'name user', 'username list', 'a user-name list', `${'aBc'.repeat(21)} next`];
		const all = texts.map((text) => ({ key: text, text }));
		const sources = await spread(all, 2, new Set());
		const find = async (text: string) => [...(await scoresOf(sources, toQuery(parseQuery(text), new Set())!)).keys()].sort();
		expect(await find('"user name"')).toEqual(['a user-name list', 'getUserName here', 'get_user_name here', 'the user name']);
		expect(await find('"username here"')).toEqual(['getUserName here', 'get_user_name here']);
		expect(await find('"username li')).toEqual(['a user-name list', 'username list']);
		expect(await find('user -"user name" ')).toEqual(['name user']);
		expect(await find(`"${'abc'.repeat(21)} next"`)).toEqual([texts[6]]);
	});

	test('[E7] in a hostile text in time by its length', async () => {
		const text = 'a '.repeat(200_000);
		const sources = await spread([{ key: 'k', text }, { key: 'l', text: `${text} b` }], 2, new Set());
		const started = performance.now();
		const query: Query = { kind: 'phrase', of: [exact('a'), ...Array.from('a'.repeat(30), exact), exact('b')] };
		expect([...(await scoresOf(sources, query)).keys()]).toEqual(['l']);
		expect(performance.now() - started).toBeLessThan(5000);
	});
});

const exact = (term: string): PhrasePart => ({ kind: 'term', term, prefix: false, distance: 0 });

test('the first ones of many are the same as those of all in order', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.nat(9), { minLength: 1, maxLength: 60 }), fc.nat(70), async (scores, count) => {
			const tail = new Tail();
			scores.forEach((_, index) => tail.add({ ...documentOf({ key: String(index), text: '' }), createdAt: index % 7 }, { positions: new Map(), words: 0 }));
			const matches = {
				length: scores.length,
				sources: new Uint16Array(scores.length),
				documents: Uint32Array.from(scores.keys()),
				scores: Float64Array.from(scores)
			};
			const all = rank(matches, [counted(tail)], 'best', Infinity);
			expect(rank(matches, [counted(tail)], 'best', count)).toEqual(all.slice(0, count));
			for (let i = 1; i < all.length; i++) expect(scores[all[i]!]!).toBeLessThanOrEqual(scores[all[i - 1]!]!);
		}),
		{ numRuns: 100 }
	);
});

/** Reads the descriptions of the installed packages, paragraph by paragraph. */
function readmes(): Text[] {
	const folder = new URL('../../../../node_modules/', import.meta.url);
	const files = ['eslint', 'vite', 'svelte', 'dexie', 'minisearch', 'fast-check', 'virtua', 'valibot', 'playwright', 'typescript', 'vitest', 'sirv'];
	return files.flatMap((name) => {
		const file = readdirSync(new URL(`${name}/`, folder)).find((file) => /^readme\.md$/i.test(file));
		if (!file) return [];
		const paragraphs = readFileSync(new URL(`${name}/${file}`, folder), 'utf8').split(/\n\s*\n/);
		return paragraphs.map((text, index) => ({ key: `${name}/${index}`, text }));
	});
}
