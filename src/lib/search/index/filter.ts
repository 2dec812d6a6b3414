import type { DocumentKind, DocumentRole } from './document';
import { codeFlag, roles, type Columns, type CountedSource } from './source';

/** The hits that are wanted; all where a field is absent. Times are epoch milliseconds, both included. */
export interface SearchFilter {
	kind?: DocumentKind;
	sessionId?: string;
	workspace?: string;
	/** Role of messages; titles, labels and notes have none. */
	role?: DocumentRole;
	model?: string;
	from?: number;
	to?: number;
	hasCode?: boolean;
}

/**
 * Returns the test by source that `evaluate` takes for a filter; undefined if everything passes. `inWorkspace` are the sessions of the
 * filter's workspace, if it names one.
 */
export function acceptedBy(
	filter: SearchFilter,
	sources: readonly CountedSource[],
	inWorkspace: ReadonlySet<string> | undefined
): ((source: number) => (document: number) => boolean) | undefined {
	const tests = testsOf(filter, inWorkspace);
	if (tests.length === 0) return undefined;
	return (source) => {
		const passes = tests.map((test) => test(sources[source]!.source.columns));
		return (document) => passes.every((pass) => pass(document));
	};
}

type Test = (columns: Columns) => (document: number) => boolean;

function testsOf({ kind, sessionId, role, model, from, to, hasCode }: SearchFilter, inWorkspace: ReadonlySet<string> | undefined): Test[] {
	const tests: Test[] = [];
	const ofSessions = (wanted: (id: string) => boolean) => {
		tests.push(({ session, sessionIds }) => {
			const known = Uint8Array.from(sessionIds, (id) => (wanted(id) ? 1 : 0));
			return (document) => known[session[document]!] === 1;
		});
	};
	const ofRoles = (wanted: (role: (typeof roles)[number]) => boolean) => {
		const known = roles.map(wanted);
		tests.push(({ role }) => (document) => known[role[document]! & ~codeFlag]!);
	};
	if (sessionId !== undefined) ofSessions((id) => id === sessionId);
	if (inWorkspace) ofSessions((id) => inWorkspace.has(id));
	if (kind !== undefined) ofRoles((name) => (name === 'title' || name === 'label' || name === 'note' ? name : 'message') === kind);
	if (role !== undefined) ofRoles((name) => name === role);
	if (model !== undefined) {
		tests.push(({ model: ofDocument, models }) => {
			const wanted = models.indexOf(model);
			return (document) => ofDocument[document] === wanted;
		});
	}
	if (hasCode !== undefined) tests.push(({ role }) => (document) => (role[document]! & codeFlag) !== 0 === hasCode);
	if (from !== undefined) tests.push(({ createdAt }) => (document) => createdAt[document]! >= from);
	if (to !== undefined) tests.push(({ createdAt }) => (document) => createdAt[document]! <= to);
	return tests;
}
