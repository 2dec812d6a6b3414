import { nameOf } from '../conversation/session';
import type { Database } from '../storage/database';
import { correctionsIn } from './corrections';
import { readDocuments, type DocumentLocation, type FoundDocument } from './found-documents';
import type { Hit, SearchOptions, SearchResult } from './hit';
import { evaluate, load, type Matches } from './index/evaluate';
import type { Expansion } from './index/expansion';
import { acceptedBy, type SearchFilter } from './index/filter';
import { parseKey } from './index/keys';
import { toQuery, type ParsedQuery } from './index/parse-query';
import { wantedLeavesOf, type Query } from './index/query';
import { rank } from './index/rank';
import type { CountedSource } from './index/source';
import { matcherOf } from './marks';
import { snippetOf } from './snippet';

/** Limit of the hits of one search, and their number unless told. */
const maxHits = 200;
const defaultHits = 20;

/**
 * Finds the hits of a query in the sources of an expansion. A word that is nowhere is taken for a typo of ones that are [E7]; where all words are
 * somewhere, but not together, each may be one.
 */
export async function answer(db: Database, expansion: Expansion, parsed: ParsedQuery, options: SearchOptions): Promise<SearchResult> {
	const { limit = defaultHits, offset = 0, order = 'best', ...filter } = options;
	const range = { from: Math.max(0, offset), to: Math.max(0, offset) + Math.min(Math.max(0, limit), maxHits), order };
	const { sources } = expansion;
	const accepts = acceptedBy(filter, sources, await sessionsIn(db, filter));
	const search = async (typos: ReadonlySet<number>) => {
		const query = toQuery(parsed, typos);
		return query && { typos, matches: await evaluate(sources, query, expansion, accepts) };
	};
	let found = await search(unmatchedWords(parsed, expansion));
	if (found?.matches.length === 0 && found.typos.size < parsed.words.length) found = await search(new Set(parsed.words.keys()));
	const models = modelsOf(sources);
	if (!found) return { hits: [], total: 0, corrections: [], typos: [], models };

	const { typos, matches } = found;
	const documents = await readMatches(db, sources, matches, rank(matches, sources, range.order, range.to).slice(range.from));
	// A word that is there twice is told once.
	const terms = new Map([...typos].map((index) => [parsed.words[index]!.written, correctionTerms(parsed, index, expansion)]));
	const words = [...terms].map(([word, terms]) => ({ word, terms }));
	const matcher = matcherOf(parsed, words.map(({ word, terms }) => ({ word, to: terms })));
	const hits = documents.map(({ found, score }) => hitOf(found, score, snippetOf(found.document.text, matcher, parsed)));
	return { hits, total: matches.length, corrections: correctionsIn(words, hits), typos: words, models };
}

/** Reads what a query needs beforehand, while other things are waited for. */
export async function prepare(expansion: Expansion, parsed: ParsedQuery): Promise<void> {
	const query = toQuery(parsed, new Set());
	if (query) await load(expansion.sources, query, expansion);
}

async function sessionsIn(db: Database, { workspace }: SearchFilter): Promise<Set<string> | undefined> {
	if (workspace === undefined) return undefined;
	return new Set(await db.sessions.where('[workspace+archived+pinned+updatedAt]').between([workspace], [workspace, []]).primaryKeys());
}

function modelsOf(sources: readonly CountedSource[]): string[] {
	return [...new Set(sources.flatMap(({ source }) => source.columns.models))].filter((model) => model !== '').sort();
}

/** Returns the words that no document has, by index. */
function unmatchedWords({ words }: ParsedQuery, expansion: Expansion): Set<number> {
	const isThere = ({ query }: { query: Query }) => wantedLeavesOf(query).some((leaf) => expansion.of(leaf).length > 0);
	return new Set([...words.keys()].filter((index) => !isThere(words[index]!)));
}

interface Scored {
	found: FoundDocument;
	score: number;
}

/** Reads the wanted matches as they are stored. What is not stored any more is left out. */
async function readMatches(db: Database, sources: readonly CountedSource[], matches: Matches, wanted: number[]): Promise<Scored[]> {
	const locations = new Map<number, DocumentLocation>();
	await Promise.all(
		sources.map(async ({ source }, index) => {
			const { session, sessionIds, depth } = source.columns;
			const own = wanted.filter((i) => matches.sources[i] === index);
			const keys = await source.keys(own.map((i) => matches.documents[i]!));
			for (const [at, i] of own.entries()) {
				const document = matches.documents[i]!;
				locations.set(i, { key: keys[at]!, sessionId: sessionIds[session[document]!]!, depth: depth[document]! });
			}
		})
	);
	const documents = await readDocuments(db, [...locations.values()]);
	return wanted.flatMap((i) => {
		const found = documents.get(locations.get(i)!.key);
		return found ? { found, score: matches.scores[i]! } : [];
	});
}

function hitOf({ document, session }: FoundDocument, score: number, snippet: Hit['snippet']): Hit {
	const { key, kind, role, model, createdAt } = document;
	const parsed = parseKey(key);
	const messageId = 'messageId' in parsed ? parsed.messageId : undefined;
	return {
		id: kind === 'message' ? messageId! : kind === 'title' ? session.id : key,
		kind,
		sessionId: session.id,
		session: nameOf(session),
		workspace: session.workspace,
		sessionUpdatedAt: session.updatedAt,
		createdAt,
		score,
		snippet,
		...(messageId === undefined ? {} : { messageId }),
		...(parsed.kind === 'note' ? { note: parsed.name } : {}),
		...(role === undefined ? {} : { role }),
		...(model === undefined ? {} : { model })
	};
}

/** Returns the terms that a word's fuzzy query matches. */
function correctionTerms(parsed: ParsedQuery, index: number, expansion: Expansion): string[] {
	const query = toQuery({ ...parsed, words: [parsed.words[index]!], phrases: [], not: [], notPhrases: [] }, new Set([0]));
	return query ? wantedLeavesOf(query).flatMap((leaf) => expansion.of(leaf).map(({ term }) => term)) : [];
}
