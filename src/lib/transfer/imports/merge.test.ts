import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spoken } from '../../../../tests/fixtures/answers';
import { costGrowth } from '../../../../tests/fixtures/growth';
import type { Boundary } from '../../conversation/boundary';
import type { FilePart, Message } from '../../conversation/message';
import { sizeOf } from '../../conversation/message';
import { removeBranch } from '../../conversation/removal';
import type { Session } from '../../conversation/session';
import { withoutRemoved } from '../../conversation/paths';
import { rebuildTree } from '../../conversation/tree';
import { faultsOf } from '../../conversation/tree-faults';
import type { TrashItem } from '../../storage/tables/trash';
import type { SessionRows } from '../gate/admit-session';
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
		archived: 0,
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
		headId: of.map(({ id }) => id).sort().at(-1),
		messages: of
	};
}

const absent = emptySession('s');

/** Returns the rows after the changes were written. */
function applied(here: SessionRows, changes: Changes): SessionRows {
	const replaced = new Set(changes.messages.map(({ id }) => id));
	const messages = [...here.messages.filter(({ id }) => !replaced.has(id)), ...changes.messages];
	return {
		...here,
		session: changes.session ?? here.session,
		tree: changes.tree ?? here.tree,
		headId: changes.headId ?? here.headId,
		messages: messages.sort((a, b) => (a.id < b.id ? -1 : 1)),
		draft: changes.draft ?? here.draft,
		answer: changes.answer ?? here.answer,
		boundaries: [...here.boundaries, ...changes.boundaries],
		notes: [...here.notes.filter(({ name }) => !changes.notes.some((note) => note.name === name)), ...changes.notes],
		trash: [...here.trash.filter(({ id }) => !changes.takenFromTrash.includes(id)), ...changes.trash],
		others: { ...here.others, ...changes.others }
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
		unverified: [],
		usage: { inputTokens: 7 },
		createdAt: 2
	};
}

/** A session in which its user decided much. */
function lived(of: Message[], state: { title: string; persona: string; workspace: string; budgetUsd: number; pinned: 0 | 1; updatedAt: number; pins: string[]; excludes: string[]; labels: string[]; head: number; main: number | null; notes: { name: string; content: string; updatedAt: number }[]; composer: string | null; covers: number }): SessionRows {
	const { title, persona, workspace, budgetUsd, pinned, updatedAt, pins, excludes, labels, head, main, notes, composer, covers } = state;
	const base = rows(of, { title, titledBy: 'user', persona, workspace, budgetUsd, pinned, updatedAt });
	const at = of[head % of.length]!;
	const covered = of[covers % of.length]!;
	const present = labels.filter((id) => of.some((message) => message.id === id));
	const { tips } = base.tree!;
	return {
		...base,
		tree: { ...base.tree!, labels: Object.fromEntries(present.map((id) => [id, title])), mainTip: main === null ? null : tips[main % tips.length]!.id },
		headId: at.id,
		draft: composer === null ? undefined : { sessionId: 's', composer },
		notes: [...new Map(notes.map((note) => [note.name, { ...note, sessionId: 's', createdAt: 0 }])).values()],
		boundaries: [{ ...boundary(covered.id, covered.depth), id: `${title} ${covered.id}` }],
		others: { contexts: [{ sessionId: 's', pins, excludes, settings: {} }] }
	};
}

const noFiles = () => 0;
const nothing = { messages: [], added: 0, notes: [], boundaries: [], trash: [], others: {}, takenFromTrash: [], leftOut: [] };

describe('[P2] mergeSession', () => {
	it('unites what two profiles have, in a valid tree, with right counts, and a second time changes nothing', () => {
		fc.assert(
			fc.property(messages, fc.boolean(), (drawn, fileIsNewer) => {
				const grown = grow(drawn);
				const here = rows(grown.here, { updatedAt: 5 });
				const file = rows(grown.file, { updatedAt: fileIsNewer ? 9 : 2 });
				const after = applied(here, mergeSession(here, file, noFiles));
				const ids = new Set([...grown.here, ...grown.file].map(({ id }) => id));
				expect(new Set(after.messages.map(({ id }) => id))).toEqual(ids);
				expect(faultsOf(after.tree!, after.messages, after.headId)).toEqual([]);
				expect(after.session).toMatchObject({
					messageCount: ids.size,
					bytes: after.messages.reduce((sum, message) => sum + sizeOf(message), 0),
					updatedAt: 5
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

	it('[P8] adds branches and notes to a session that is here, and changes nothing else of it, whatever the file says', () => {
		const text = fc.string({ maxLength: 5 });
		const ids = fc.array(fc.nat(24).map((index) => `m${String(index).padStart(2, '0')}`), { maxLength: 5 });
		const time = fc.nat(100);
		const state = fc.record({ title: text, persona: text, workspace: text, budgetUsd: time, pinned: fc.constantFrom<0 | 1>(0, 1), updatedAt: time, pins: ids, excludes: ids, labels: ids, head: fc.nat(), main: fc.option(fc.nat()), notes: fc.array(fc.record({ name: text, content: text, updatedAt: time }), { maxLength: 3 }), composer: fc.option(text), covers: fc.nat(), systems: ids });
		fc.assert(
			fc.property(messages, state, state, (drawn, mine, theirs) => {
				const grown = grow(drawn);
				const here = lived(grown.here, mine);
				const theirOnly = new Set(grown.file.map(({ id }) => id));
				for (const { id } of grown.here) theirOnly.delete(id);
				const file = lived(grown.file.map((message) => (theirs.systems.includes(message.id) && theirOnly.has(message.id) ? { ...message, role: 'system' as const } : message)), theirs);
				const changes = mergeSession(here, file, noFiles);
				const after = applied(here, changes);

				expect({ ...after.session, messageCount: 0, bytes: 0 }).toEqual({ ...here.session, messageCount: 0, bytes: 0 });
				expect([after.draft, after.others, after.boundaries, after.answer]).toEqual([here.draft, here.others, here.boundaries, here.answer]);
				expect(after.messages).toEqual(expect.arrayContaining(here.messages));
				expect(after.notes).toEqual(expect.arrayContaining(here.notes));
				const names = changes.notes.map(({ name }) => name);
				expect(names.every((name) => name.startsWith('From a backup'))).toBe(true);
				expect(changes.messages.filter(({ role, parts }) => role === 'system' && parts[0]?.type !== 'redacted')).toEqual([]);
				const { tips, labels, ...tree } = after.tree!;
				expect(tree).toEqual({ mainTip: here.tree!.mainTip, sessionId: 's', removed: [] });
				expect(after.headId).toBe(here.headId);
				expect(tips).toEqual(expect.arrayContaining(here.tree!.tips));
				expect(Object.entries(labels).filter(([id]) => !theirOnly.has(id))).toEqual(Object.entries(here.tree!.labels));
				expect(faultsOf(after.tree!, after.messages, after.headId)).toEqual([]);
				expect(changes.branchEnd === undefined).toBe(changes.added === 0);
				if (changes.branchEnd !== undefined) expect(tips.map(({ id }) => id)).toContain(changes.branchEnd);
				expect(mergeSession(after, file, noFiles)).toMatchObject({ messages: [], notes: [] });
			})
		);
	});

	it('[P8] leaves out, and says, the text of system prompts, compactions and context of a session that is here', () => {
		const line = grow([0, 0, 1, 2, 3].map((follows) => ({ follows, device: 'both' }))).here;
		const file = { ...rows(line.with(3, { ...line[3]!, role: 'system' })), boundaries: [boundary('m01', 1)], others: { contexts: [{ sessionId: 's', pins: ['m01'], excludes: [], settings: {} }] } };
		const changes = mergeSession(rows(line.slice(0, 3)), file, noFiles);
		expect(changes.messages).toEqual([{ ...line[3]!, role: 'system', parts: [{ type: 'redacted', at: line[3]!.createdAt }] }, line[4]]);
		expect(changes).toMatchObject({
			was: 'here',
			boundaries: [],
			others: {},
			leftOut: [
				{ table: 'messages', reason: 'It is a system prompt for a chat that is here already, so its text was left out.', count: 1 },
				{ table: 'boundaries', reason: 'The chat is here already and keeps its own.', count: 1 },
				{ table: 'contexts', reason: 'The chat is here already and keeps its own.', count: 1 }
			]
		});
	});

	it('[P8] stays where the user is, and tells where a path goes on that the file goes on with', () => {
		const line = grow(Array.from({ length: 6 }, (_, index) => ({ follows: index - 1, device: 'both' }))).here;
		const here = rows(line.slice(0, 4));
		const atTip = mergeSession(here, rows(line), noFiles);
		expect(atTip).toMatchObject({ branchEnd: 'm05', session: { messageCount: 6 } });
		expect(applied(here, atTip).headId).toBe('m03');
		expect(atTip.tree!.tips.map(({ id, forkId, fromId }) => [id, forkId, fromId])).toEqual([['m03', null, null], ['m05', 'm04', null]]);
		const back = { ...here, headId: 'm01', tree: { ...here.tree!, labels: { m02: 'mine' }, mainTip: 'm03' } };
		const file = rows(line);
		const { tree, headId } = mergeSession(back, { ...file, tree: { ...file.tree!, labels: { m01: 'theirs', m02: 'theirs', m05: 'end' } } }, noFiles);
		expect(headId).toBeUndefined();
		expect(tree).toMatchObject({ labels: { m02: 'mine', m05: 'end' }, mainTip: 'm03' });
		expect(tree?.labels).not.toHaveProperty('m01');
	});

	it('[P8] [R6] where the head is lost here, what was here last becomes it, and nothing of the file', () => {
		const line = grow(Array.from({ length: 6 }, (_, index) => ({ follows: index - 1, device: 'both' }))).here;
		const here = { ...rows(line.slice(0, 4)), headId: undefined };
		expect(mergeSession(here, rows(line), noFiles)).toMatchObject({ branchEnd: 'm05', headId: 'm03' });
		expect(mergeSession({ ...here, tree: undefined }, rows(line), noFiles)).toMatchObject({ branchEnd: 'm05', headId: 'm03' });
		expect(mergeSession(here, here, noFiles)).toMatchObject({ added: 0, headId: 'm03' });
		expect(mergeSession(absent, { ...rows(line), headId: 'm02' }, noFiles)).toMatchObject({ headId: 'm02' });
		expect(mergeSession(absent, { ...rows(line), headId: undefined, tree: undefined }, noFiles)).toMatchObject({ headId: 'm05' });
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

	it('what comes back in a session that went on is a branch, and moves none', () => {
		const both = [0, 0, 1, 2].map((follows) => ({ follows, device: 'both' }));
		const { here, file } = grow([...both, { follows: 2, device: 'here' }]);
		const before = rows(here);
		const tree = rebuildTree(here, { ...before.tree!, removed: ['m03'] })!;
		expect(tree.tips).toEqual([{ id: 'm04', depth: 3, forkId: null, forkDepth: 0, fromId: null }]);
		const back = mergeSession({ ...before, tree, headId: 'm04' }, rows(file), noFiles);
		expect(back.tree?.tips).toEqual([...tree.tips, { id: 'm03', depth: 3, forkId: 'm03', forkDepth: 3, fromId: null }]);
		expect(back).not.toHaveProperty('headId');
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
		expect(faultsOf(after.tree!, after.messages, after.headId)).toEqual([]);
		expect(after.session?.messageCount).toBe(6);
		const older = applied(half, mergeSession(half, rows(line.slice(0, 1)), noFiles));
		expect(faultsOf(older.tree!, older.messages, older.headId)).toEqual([]);
		expect(older.session?.messageCount).toBe(2);
	});

	it('[P2] [P8] stores nothing for a session of which neither a row nor a message is there, and says so', () => {
		const line = grow([{ follows: 0, device: 'both' }]).here;
		const { session: itself } = rows(line);
		const planted: SessionRows = {
			...absent,
			notes: [{ sessionId: 's', name: 'todo', content: 'theirs', createdAt: 0, updatedAt: 1 }],
			draft: { sessionId: 's', composer: 'theirs' },
			others: { contexts: [{ sessionId: 's', pins: [], excludes: ['m00'], settings: {} }] }
		};
		const reason = 'The chat that it belongs to is not there.';
		const leftOut = ['drafts', 'scratchpad', 'contexts'].map((table) => ({ table, reason, count: 1 }));
		expect(mergeSession(absent, planted, noFiles)).toEqual({ was: 'absent', ...nothing, leftOut });

		const removed = { id: 's', kind: 'session' as const, sessionId: 's', at: 1, purgeAt: 2, session: itself! };
		const deletedThere = { ...planted, trash: [removed] };
		expect(mergeSession(absent, deletedThere, noFiles)).toEqual({ was: 'absent', ...nothing, leftOut: [...leftOut, { table: 'trash', reason, count: 1 }] });
		const inTrash: SessionRows = { ...rows(line), session: undefined, trash: [removed] };
		expect(mergeSession(inTrash, planted, noFiles)).toEqual({ was: 'deleted', ...nothing, leftOut });
		const purged: SessionRows = { ...inTrash, trash: [{ ...removed, begun: true }] };
		expect(mergeSession(purged, planted, noFiles)).toEqual({ was: 'deleted', ...nothing, leftOut });
	});

	it('[P2] brings all of a session beside what a purge has left of it, or says what it leaves out', () => {
		const line = grow([0, 0, 1].map((follows) => ({ follows, device: 'both' }))).here;
		const note = (name: string, content: string, updatedAt: number) => ({ sessionId: 's', name, content, createdAt: 0, updatedAt });
		const answer = (messageId: string) => ({ sessionId: 's', messageId, parentId: 'm01', parts: spoken(messageId), model: '', startedAt: 3 });
		const context = (...pins: string[]) => ({ sessionId: 's', pins, excludes: [], settings: {} });
		const left: SessionRows = {
			...absent,
			notes: [note('todo', 'left', 9), note('same', 'same', 9)],
			draft: { sessionId: 's', composer: 'left' },
			answer: answer('left'),
			others: { contexts: [context('m00')] },
			boundaries: [boundary('m01', 1)]
		};
		const file: SessionRows = {
			...rows(line),
			notes: [note('todo', 'own', 5), note('same', 'same', 5), note('more', 'more', 5)],
			draft: { sessionId: 's', composer: 'own' },
			answer: answer('own'),
			others: { contexts: [context('m01')] },
			boundaries: [{ ...boundary('m01', 1), summary: 'own' }, boundary('m02', 2)]
		};
		const changes = mergeSession(left, file, noFiles);
		expect(changes.notes.map(({ name, content }) => [name, content])).toEqual([
			['more', 'more'],
			['From a backup', 'todo\n\nown'],
			['From a backup 2', 'Unsent\n\nown']
		]);
		expect(changes).toMatchObject({ was: 'absent', added: 3, boundaries: [{ id: 'up to m02' }] });
		expect(changes.leftOut.map(({ table, count }) => [table, count])).toEqual([['answers', 1], ['boundaries', 1], ['contexts', 1]]);
		expect(mergeSession(applied(left, changes), file, noFiles)).toMatchObject({ notes: [], messages: [{ id: 'own' }] });
		expect(mergeSession({ ...file, session: undefined, messages: [], tree: undefined }, file, noFiles)).toMatchObject({ notes: [], boundaries: [], leftOut: [] });
	});

	it('takes notes with other words, older ones too, and unsent text of a session that is here as notes beside, each once', () => {
		const line = grow([{ follows: 0, device: 'both' }, { follows: 0, device: 'both' }]).here;
		const note = (name: string, content: string, updatedAt: number) => ({ sessionId: 's', name, content, createdAt: 0, updatedAt });
		const here = { ...rows(line), notes: [note('kept', 'x', 5), note('older', 'x', 5), note('From a backup', 'other', 5)] };
		const file = { ...rows(line), notes: [note('kept', 'y', 4), note('older', 'y', 6), note('new', 'z', 1)], draft: { sessionId: 's', composer: 'typed', edits: { m01: 'edited' } } };
		const changes = mergeSession(here, file, noFiles);
		expect(changes.notes.map(({ name, content }) => [name, content])).toEqual([
			['From a backup 2', 'kept\n\ny'],
			['From a backup 3', 'older\n\ny'],
			['From a backup 4', 'new\n\nz'],
			['From a backup 5', 'Unsent\n\ntyped'],
			['From a backup 6', 'Unsent\n\nedited']
		]);
		expect(changes.draft).toBeUndefined();
		expect(mergeSession(applied(here, changes), file, noFiles)).toEqual({ was: 'here', ...nothing });
		const typing = { ...here, draft: { sessionId: 's', composer: 'here', edits: { m01: 'typed' } } };
		expect(mergeSession(typing, file, noFiles).notes.map(({ content }) => content)).toEqual(['kept\n\ny', 'older\n\ny', 'new\n\nz', 'Unsent\n\nedited']);
	});

	it('says that the files of an unsent message do not come to a session that is here', () => {
		const line = grow([{ follows: 0, device: 'both' }]).here;
		const file = (attachmentId: string): FilePart => ({ type: 'file', attachmentId, name: 'a.png', mediaType: 'image/png' });
		const draft = (...ids: string[]) => ({ sessionId: 's', composer: '', attachments: ids.map(file) });
		const changes = mergeSession({ ...rows(line), draft: draft('a') }, { ...rows(line), draft: draft('a', 'b') }, noFiles);
		expect(changes.leftOut).toMatchObject([{ table: 'drafts', count: 1 }]);
	});

	it('[E11] takes an unfinished answer as it is, or as a branch of a session that is here; none that is a message already', () => {
		const line = grow([{ follows: 0, device: 'both' }, { follows: 0, device: 'both' }]).here;
		const answer = (messageId: string) => ({ sessionId: 's', messageId, parentId: 'm01', parts: spoken('x'), model: '', startedAt: 3 });
		const file = (messageId: string) => ({ ...rows(line), answer: answer(messageId) });
		expect(mergeSession(absent, file('new'), noFiles).answer).toEqual(answer('new'));
		expect(mergeSession(absent, file('m01'), noFiles).answer).toBeUndefined();
		const changes = mergeSession(rows(line), file('new'), noFiles);
		expect(changes.answer).toBeUndefined();
		expect(changes).toMatchObject({ branchEnd: 'new', messages: [{ id: 'new', sessionId: 's', parentId: 'm01', depth: 2, role: 'assistant', parts: [{ type: 'text', text: 'x' }], createdAt: 3 }] });
		expect(changes).not.toHaveProperty('headId');
		expect(mergeSession(rows(line), file('m01'), noFiles)).toEqual({ was: 'here', ...nothing });
		expect(mergeSession({ ...rows(line), answer: answer('new') }, file('new'), noFiles)).toEqual({ was: 'here', ...nothing });
	});

	it('[E11] takes the unfinished answer of a second model to a session that is here as a branch, unless it is here in any way', () => {
		const line = grow([{ follows: 0, device: 'both' }, { follows: 0, device: 'both' }]).here;
		const answer = (messageId: string) => ({ sessionId: 's', messageId, parentId: 'm01', parts: spoken('x'), model: '', startedAt: 3 });
		const beside = (...ids: string[]) => ({ ...rows(line), others: { secondAnswers: ids.map(answer) } });
		const changes = mergeSession(rows(line), { ...beside('second'), answer: answer('first') }, noFiles);
		expect(changes.messages.map(({ id, parentId }) => [id, parentId])).toEqual([['first', 'm01'], ['second', 'm01']]);
		expect(changes.leftOut).toEqual([]);
		for (const here of [beside('second'), { ...rows(line), answer: answer('second') }]) {
			expect(mergeSession(here, beside('second'), noFiles)).toEqual({ was: 'here', ...nothing });
		}
		expect(mergeSession(rows(line), beside('m01'), noFiles)).toEqual({ was: 'here', ...nothing });
	});

	it('[E11] keeps what is unfinished here beside the whole answer of a file, and says what it has more of', () => {
		const line = grow([0, 0, 1].map((follows) => ({ follows, device: 'both' }))).here;
		const answer = (text: string) => ({ sessionId: 's', messageId: 'm02', parentId: 'm01', parts: spoken(text), model: '', startedAt: 3 });
		const here = { ...rows(line.slice(0, 2)), answer: answer('text') };
		const changes = mergeSession(here, rows(line), noFiles);
		expect(changes).toMatchObject({ messages: [{ id: 'm02' }], answer: { parentId: 'm01', parts: spoken('text') } });
		expect(changes).not.toHaveProperty('headId');
		expect(changes.answer?.messageId).not.toBe('m02');
		const longer = mergeSession(here, { ...rows(line.slice(0, 2)), answer: answer('text and more') }, noFiles);
		expect(longer).toMatchObject({ messages: [], leftOut: [{ table: 'answers', count: 1 }] });
	});

	it('[E11] [A14] keeps the unfinished answer of a branch that comes back', () => {
		const line = grow([0, 0, 0].map((follows) => ({ follows, device: 'both' }))).here;
		const file = rows(line);
		const answer = { messageId: 'part', parentId: 'm02', parts: spoken('x'), model: '', startedAt: 3 };
		const { tree, removal } = removeBranch(file.tree!, line[2]!, null, 'm02');
		const trash: TrashItem = { id: 'm02', kind: 'branch', sessionId: 's', at: 1, purgeAt: 2, removal, answer };
		const here = { ...file, tree, headId: 'm01', trash: [trash] };
		const changes = mergeSession(here, file, noFiles);
		expect(changes).toMatchObject({ takenFromTrash: ['m02'], messages: [{ id: 'part', parentId: 'm02', parts: [{ type: 'text', text: 'x' }] }] });
		const after = applied(here, changes);
		expect(faultsOf(after.tree!, after.messages, after.headId)).toEqual([]);
		const second = { ...answer, messageId: 'second', parts: spoken('y') };
		expect(mergeSession({ ...here, trash: [{ ...trash, secondAnswer: second }] }, file, noFiles).messages.map(({ id, parentId }) => [id, parentId])).toEqual([['part', 'm02'], ['second', 'm02']]);
		const shorter = { ...rows([...line, { ...line[2]!, id: 'part', parentId: 'm02', depth: line[2]!.depth + 1, parts: [{ type: 'text', text: '' }] }]) };
		expect(mergeSession(here, shorter, noFiles).messages).toMatchObject([{ id: 'part', parts: [{ text: 'x' }] }]);
		const whole = [{ type: 'reasoning' as const, text: '' }, { type: 'text' as const, text: 'x and its end' }];
		const thought = { ...here, trash: [{ ...trash, answer: { ...answer, parts: spoken('x', 'a long thought') } }] };
		const file2 = rows([...line, { ...line[2]!, id: 'part', parentId: 'm02', depth: line[2]!.depth + 1, parts: whole }]);
		expect(mergeSession(thought, file2, noFiles).messages).toMatchObject([{ id: 'part', parts: whole }]);
	});

	it('[A10] takes compactions of a session that is not here; none that tells what was redacted here', () => {
		const line = grow([0, 0, 1, 2].map((follows) => ({ follows, device: 'both' }))).here;
		const file = { ...rows(line), boundaries: [boundary('m01', 1), boundary('m02', 2), boundary('m03', 2), boundary('gone', 4)] };
		const redacted = line.with(2, { ...line[2]!, parts: [{ type: 'redacted', at: 1 }] });
		expect(mergeSession(absent, { ...file, messages: redacted }, noFiles)).toMatchObject({ boundaries: file.boundaries.slice(0, 2), session: { usage: {} } });
		const purged: SessionRows = {
			...absent,
			messages: redacted.slice(0, 3),
			trash: [{ id: 's', kind: 'session', sessionId: 's', at: 1, purgeAt: 2, begun: true, session: file.session! }]
		};
		expect(mergeSession(purged, file, noFiles)).toMatchObject({ was: 'deleted', added: 1, boundaries: [file.boundaries[0]], takenFromTrash: ['s'] });
	});

	it('leaves out what no root leads to', () => {
		const line = grow(Array.from({ length: 5 }, (_, index) => ({ follows: index - 1, device: 'both' }))).here;
		const file = { ...rows(line), messages: line.filter(({ id }) => id !== 'm02') };
		const after = applied(absent, mergeSession(absent, file, noFiles));
		expect(after.messages.map(({ id }) => id)).toEqual(['m00', 'm01']);
		expect(faultsOf(after.tree!, after.messages, after.headId)).toEqual([]);
		expect(after.session?.messageCount).toBe(2);
		expect(mergeSession(absent, { ...rows(line), messages: [] }, noFiles)).toEqual({ was: 'absent', ...nothing });
	});
});

it('[P8] takes the time that the rows take, however many notes and compactions the chat has here', () => {
	const line = grow([{ follows: 0, device: 'both' }, { follows: 0, device: 'both' }]).here;
	const many = (size: number, word: string): SessionRows => {
		const all = Array.from({ length: size }, (_, at) => `${word}${at}`);
		return {
			...rows(line),
			notes: all.map((name) => ({ sessionId: 's', name, content: name, createdAt: 1, updatedAt: 1 })),
			boundaries: all.map((id) => ({ id, sessionId: 's', upToId: 'm01', depth: 1, excluded: [], summary: '', unverified: [], strategy: 'simple', createdAt: 1 })) as unknown as Boundary[]
		};
	};
	const both = (size: number) => [many(size, 'here'), many(size, 'file')] as const;
	expect(costGrowth(400, both, ([here, file]) => mergeSession(here, file, () => 0))).toBeLessThan(8);
}, 60_000);
