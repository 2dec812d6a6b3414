import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Boundary } from '../../conversation/boundary';
import type { Message } from '../../conversation/message';
import { sizeOf } from '../../conversation/message';
import type { Session } from '../../conversation/session';
import { faultsOf, rebuildTree, withoutRemoved } from '../../conversation/tree';
import type { SessionRows } from '../gate';
import { emptySession, mergeSession, type Changes } from './merge';

/** Messages where each but the first follows the one of that number, as two profiles may each have grown them. */
const messages = fc.array(fc.record({ follows: fc.nat(), device: fc.constantFrom('both', 'here', 'file') }), { minLength: 1, maxLength: 25 });

function grow(drawn: { follows: number; device: string }[]): { here: Message[]; file: Message[] } {
	const all: { message: Message; device: string }[] = [];
	for (const [index, { follows, device }] of drawn.entries()) {
		// What one device alone has, only that one goes on from.
		const above = all.filter((other) => other.device === 'both' || other.device === device);
		const parent = above[follows % above.length]?.message;
		const message: Message = {
			id: `m${String(index).padStart(2, '0')}`,
			sessionId: 's',
			parentId: parent?.id ?? null,
			depth: parent ? parent.depth + 1 : 0,
			role: index === 0 ? 'system' : index % 2 ? 'user' : 'assistant',
			parts: [{ type: 'text', text: `text ${index}` }],
			createdAt: index
		};
		all.push({ message, device: index === 0 ? 'both' : device });
	}
	const of = (device: string) => all.filter((one) => one.device === 'both' || one.device === device).map(({ message }) => message);
	return { here: of('here'), file: of('file') };
}

function session(more: Partial<Session> = {}): Session {
	return {
		id: 's',
		key: 'web:home:1',
		title: '',
		titledBy: 'snug',
		workspace: 'home',
		surface: 'web',
		preview: '',
		provider: '',
		model: '',
		status: 'success',
		stopReason: '',
		steps: 0,
		messageCount: 0,
		bytes: 0,
		usage: {},
		filesTouched: [],
		pinned: 0,
		createdAt: 0,
		updatedAt: 1,
		...more
	};
}

function rows(of: Message[], more: Partial<Session> = {}): SessionRows {
	const bytes = of.reduce((sum, message) => sum + sizeOf(message), 0);
	return {
		...emptySession('s'),
		session: session({ messageCount: of.length, bytes, ...more }),
		tree: rebuildTree(of),
		messages: of
	};
}

const absent = emptySession('s');

/** What is there after the changes were written. */
function applied(here: SessionRows, changes: Changes): SessionRows {
	const replaced = new Set(changes.messages.map(({ id }) => id));
	const messages = [...here.messages.filter(({ id }) => !replaced.has(id)), ...changes.messages];
	return {
		...here,
		session: changes.session ?? here.session,
		tree: changes.tree ?? here.tree,
		messages: messages.sort((a, b) => (a.id < b.id ? -1 : 1)),
		draft: changes.draft ?? here.draft,
		answer: changes.answer ?? here.answer,
		boundaries: [...here.boundaries, ...changes.boundaries],
		context: changes.context ?? here.context,
		notes: [...here.notes.filter(({ name }) => !changes.notes.some((note) => note.name === name)), ...changes.notes],
		trash: [...here.trash.filter(({ id }) => !changes.takenFromTrash.includes(id)), ...changes.trash]
	};
}

/** A compaction up to that message. */
function boundary(upToId: string, depth: number): Boundary {
	return {
		id: `up to ${upToId}`,
		sessionId: 's',
		upToId,
		depth,
		excluded: [],
		strategy: 'simple',
		summary: '',
		figures: { messagesBefore: 0, messagesAfter: 0, tokensBefore: 0, tokensAfter: 0 },
		madeAtDepth: 9,
		automatic: false,
		doubtful: [],
		usage: { inputTokens: 7 },
		createdAt: 2
	};
}

const noFiles = () => 0;
const nothing = { messages: [], added: 0, unplaced: 0, notes: [], boundaries: [], trash: [], takenFromTrash: [] };

describe('[P2] mergeSession', () => {
	it('unites what two profiles have, in a sound tree, with right counts, and a second time changes nothing', () => {
		fc.assert(
			fc.property(messages, fc.boolean(), (drawn, fileIsNewer) => {
				const grown = grow(drawn);
				const here = rows(grown.here, { updatedAt: 5 });
				const file = rows(grown.file, { updatedAt: fileIsNewer ? 9 : 2 });
				const after = applied(here, mergeSession(here, file, noFiles));
				const ids = new Set([...grown.here, ...grown.file].map(({ id }) => id));
				expect(new Set(after.messages.map(({ id }) => id))).toEqual(ids);
				expect(faultsOf(after.tree!, after.messages)).toEqual([]);
				expect(after.session).toMatchObject({
					messageCount: ids.size,
					bytes: after.messages.reduce((sum, message) => sum + sizeOf(message), 0),
					updatedAt: fileIsNewer ? 9 : 5
				});
				expect(mergeSession(after, file, noFiles)).toEqual({ was: 'here', ...nothing });
			})
		);
	});

	it('brings a session that is not here as it was, but counts it itself', () => {
		fc.assert(
			fc.property(messages, (drawn) => {
				const file = rows(grow(drawn).file, { usage: { inputTokens: 3 } });
				const changes = mergeSession(absent, { ...file, session: { ...file.session!, bytes: 1e15, messageCount: 1e9 } }, noFiles);
				expect(changes.was).toBe('absent');
				expect(applied(absent, changes)).toEqual(file);
			})
		);
	});

	it('moves on with a path that the file goes on with, and stays where the person left it for an older place', () => {
		const line = grow(Array.from({ length: 6 }, (_, index) => ({ follows: index - 1, device: 'both' }))).here;
		const here = rows(line.slice(0, 4));
		const atTip = mergeSession(here, rows(line), noFiles);
		expect(atTip.tree?.headId).toBe('m05');
		const back = { ...here, tree: { ...here.tree!, headId: 'm01', labels: { m02: 'mine' }, mainTip: 'm03' } };
		const file = rows(line);
		const { tree } = mergeSession(back, { ...file, tree: { ...file.tree!, labels: { m02: 'theirs', m05: 'end' } } }, noFiles);
		expect(tree).toMatchObject({ headId: 'm01', labels: { m02: 'mine', m05: 'end' }, mainTip: 'm05' });
	});

	it('keeps a redaction that was made here, and heals a message whose row was broken', () => {
		const line = grow([{ follows: 0, device: 'both' }, { follows: 0, device: 'both' }, { follows: 1, device: 'both' }]).here;
		const redacted: Message = { ...line[1]!, parts: [{ type: 'redacted', at: 1 }] };
		const unreadable: Message = { ...line[2]!, parts: [{ type: 'unreadable', reason: 'broken' }] };
		const changes = mergeSession(rows([line[0]!, redacted, unreadable]), rows(line), noFiles);
		expect(changes).toMatchObject({ messages: [line[2]], added: 0 });
	});

	it('brings back what was deleted here, and not what was deleted in the file', () => {
		const line = grow([0, 0, 1, 1].map((follows) => ({ follows, device: 'both' }))).here;
		const here = rows(line);
		const removed = { id: 's', kind: 'session' as const, sessionId: 's', at: 1, purgeAt: 2, session: here.session! };
		const inTrash: SessionRows = { ...here, session: undefined, trash: [removed] };
		expect(mergeSession(inTrash, rows(line), noFiles)).toMatchObject({ was: 'deleted', session: here.session, takenFromTrash: ['s'] });
		expect(mergeSession(here, inTrash, noFiles)).toEqual({ was: 'here', ...nothing });

		const withoutBranch = { ...rows(line, { messageCount: 3 }), tree: rebuildTree(line, { ...here.tree!, removed: ['m03'] })! };
		const back = mergeSession(withoutBranch, rows(line), noFiles);
		expect(back).toMatchObject({ takenFromTrash: ['m03'], added: 0, tree: { removed: [] }, session: { messageCount: 4 } });
		expect(mergeSession(rows(withoutRemoved(withoutBranch.tree, line)), withoutBranch, noFiles)).toMatchObject({ messages: [] });
	});

	it('completes a session of which a deletion had begun to remove the rows', () => {
		const line = grow(Array.from({ length: 6 }, (_, index) => ({ follows: index - 1, device: 'both' }))).here;
		const file = rows(line);
		const half: SessionRows = {
			...rows(line),
			session: undefined,
			messages: line.slice(0, 2),
			trash: [{ id: 's', kind: 'session', sessionId: 's', at: 1, purgeAt: 2, begun: true, session: file.session! }]
		};
		const after = applied(half, mergeSession(half, file, noFiles));
		expect(faultsOf(after.tree!, after.messages)).toEqual([]);
		expect(after.session?.messageCount).toBe(6);
		const older = applied(half, mergeSession(half, rows(line.slice(0, 1)), noFiles));
		expect(faultsOf(older.tree!, older.messages)).toEqual([]);
		expect(older.session?.messageCount).toBe(2);
	});

	it('takes the newer title, but never an automatic one for a person’s', () => {
		const line = grow([{ follows: 0, device: 'both' }]).here;
		const merged = (here: Partial<Session>, file: Partial<Session>) => mergeSession(rows(line, here), rows(line, file), noFiles).session?.title;
		expect(merged({ title: 'Old', updatedAt: 1 }, { title: 'New', updatedAt: 2 })).toBe('New');
		expect(merged({ title: 'Mine', titledBy: 'person', updatedAt: 1 }, { title: 'New', updatedAt: 2 })).toBe('Mine');
		expect(merged({ title: 'New', updatedAt: 2 }, { title: 'Mine', titledBy: 'person', updatedAt: 1 })).toBe('Mine');
		expect(merged({ title: 'New', updatedAt: 2 }, { title: 'Old', updatedAt: 1 })).toBeUndefined();
	});

	it('takes newer notes, and a draft only where there is none', () => {
		const line = grow([{ follows: 0, device: 'both' }, { follows: 0, device: 'both' }]).here;
		const note = (content: string, updatedAt: number) => ({ sessionId: 's', name: content, content, createdAt: 0, updatedAt });
		const here = { ...rows(line), notes: [note('kept', 5), note('older', 5)], draft: { sessionId: 's', composer: 'here' } };
		const file = { ...rows(line), notes: [note('kept', 4), note('older', 6), note('new', 1)], draft: { sessionId: 's', composer: 'file' } };
		const changes = mergeSession(here, file, noFiles);
		expect(changes.notes.map(({ name }) => name)).toEqual(['older', 'new']);
		expect(changes.draft).toBeUndefined();
		expect(mergeSession({ ...here, draft: undefined }, file, noFiles).draft).toEqual(file.draft);
	});

	it('[E11] takes an unfinished answer where there is none, but none that is a message already, also into an empty profile', () => {
		const line = grow([{ follows: 0, device: 'both' }, { follows: 0, device: 'both' }]).here;
		const answer = (messageId: string) => ({ sessionId: 's', messageId, parentId: 'm00', text: 'x', reasoning: '', model: '', startedAt: 0 });
		const file = (messageId: string) => ({ ...rows(line), answer: answer(messageId) });
		for (const here of [rows(line), emptySession('s')]) {
			expect(mergeSession(here, file('new'), noFiles).answer).toEqual(answer('new'));
			expect(mergeSession(here, file('m01'), noFiles).answer).toBeUndefined();
		}
		expect(mergeSession({ ...rows(line), answer: answer('here') }, file('new'), noFiles).answer).toBeUndefined();
	});

	it('[A10] takes compactions of what is there, each once, with what they took; never the words of what was redacted here', () => {
		const line = grow([0, 0, 1, 2].map((follows) => ({ follows, device: 'both' }))).here;
		const here = { ...rows(line, { usage: { inputTokens: 5 } }), boundaries: [boundary('m01', 1)] };
		const file = { ...rows(line), boundaries: [boundary('m01', 1), boundary('m02', 2), boundary('m03', 2), boundary('gone', 4)] };
		const changes = mergeSession(here, file, noFiles);
		expect(changes.boundaries).toEqual([file.boundaries[1]]);
		expect(changes.session?.usage).toEqual({ inputTokens: 12 });
		expect(mergeSession(applied(here, changes), file, noFiles)).toEqual({ was: 'here', ...nothing });

		const redacted = line.with(2, { ...line[2]!, parts: [{ type: 'redacted', at: 1 }] });
		expect(mergeSession({ ...here, messages: redacted }, file, noFiles).boundaries).toEqual([]);
		expect(mergeSession({ ...here, messages: redacted }, { ...file, messages: redacted }, noFiles).boundaries).toEqual([file.boundaries[1]]);
		expect(mergeSession(absent, { ...file, messages: redacted }, noFiles)).toMatchObject({ boundaries: file.boundaries.slice(0, 2), session: { usage: {} } });
	});

	it('keeps what was decided here about what the model sees, and takes it where nothing was', () => {
		const line = grow([{ follows: 0, device: 'both' }]).here;
		const context = (pin: string) => ({ sessionId: 's', pins: [pin], excludes: [], settings: {} });
		const file = { ...rows(line), context: context('m01') };
		expect(mergeSession(rows(line), file, noFiles)).toEqual({ was: 'here', ...nothing, context: file.context });
		expect(mergeSession({ ...rows(line), context: context('m00') }, file, noFiles)).toEqual({ was: 'here', ...nothing });
	});

	it('leaves out what no root leads to', () => {
		const line = grow(Array.from({ length: 5 }, (_, index) => ({ follows: index - 1, device: 'both' }))).here;
		const file = { ...rows(line), messages: line.filter(({ id }) => id !== 'm02') };
		const after = applied(absent, mergeSession(absent, file, noFiles));
		expect(after.messages.map(({ id }) => id)).toEqual(['m00', 'm01']);
		expect(faultsOf(after.tree!, after.messages)).toEqual([]);
		expect(after.session?.messageCount).toBe(2);
		expect(mergeSession(absent, { ...rows(line), messages: [] }, noFiles)).toEqual({ was: 'absent', ...nothing });
	});
});
