import { describe, expect, it } from 'vitest';
import { contentOf, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import type { Message } from '../conversation/message';
import type { Tree } from '../conversation/tree';
import { faultsOf } from '../conversation/tree-faults';
import { createIdMaker } from '../shared/id';
import { append, type NewMessage } from './append';
import { branchOf, isRemoved } from './branch-of';
import type { Database } from './database';
import { fencingTokenOf, unfenced } from './fence';
import { Messages } from './messages';
import { Sessions } from './sessions';
import { Trees } from './trees';

const newId = createIdMaker(() => 1000);

/** As many messages below `parentId`, or in a new session. */
async function grow(db: Database, session: string, count: number, parentId?: string): Promise<Message[]> {
	const [first, ...rest] = Array.from({ length: count }, () => newMessage('user', 'x', { id: newId() })) as [NewMessage, ...NewMessage[]];
	const known = await db.sessions.get(session);
	return append(db, {
		session: known ? session : newSession({ id: session }),
		fence: unfenced,
		messages: [first, ...rest],
		...(parentId === undefined ? {} : { parentId })
	});
}

/** a – b – c – d, and below b also e – f, and below a also g. */
async function fork() {
	const db = openDatabase();
	const [a, b, c, d] = (await grow(db, 's', 4)) as [Message, Message, Message, Message];
	const [e, f] = (await grow(db, 's', 2, b.id)) as [Message, Message];
	const [g] = (await grow(db, 's', 1, a.id)) as [Message];
	return { db, trees: new Trees(db), messages: new Messages(db), a, b, c, d, e, f, g };
}

async function expectValid(db: Database): Promise<void> {
	expect(faultsOf((await db.trees.get('s'))!, await db.messages.toArray(), (await db.positions.get('s'))?.headId)).toEqual([]);
}

describe('Trees', () => {
	it('[Z9] moves the head to any message, and steps down the newest branch through one', async () => {
		const { db, trees, messages, a, b, c, d, e, f, g } = await fork();
		expect(await messages.path('s')).toEqual([a, g]);
		await trees.moveHead('s', c.id, unfenced);
		expect(await messages.path('s')).toEqual([a, b, c]);
		await trees.stepTo('s', b.id, unfenced);
		expect(await messages.path('s')).toEqual([a, b, e, f]);
		await trees.stepTo('s', c.id, unfenced);
		expect(await messages.path('s')).toEqual([a, b, c, d]);
		await trees.stepTo('s', a.id, unfenced);
		expect(await messages.path('s')).toEqual([a, g]);
		await expect(trees.moveHead('s', 'nowhere', unfenced)).rejects.toMatchObject({ code: 'message-absent' });
		await expect(trees.moveHead('nowhere', a.id, unfenced)).rejects.toMatchObject({ code: 'session-absent' });
		await expectValid(db);
	});

	it('[Z9] names messages and marks the main branch', async () => {
		const { trees, a, d, f, g } = await fork();
		await trees.label('s', a.id, 'start', unfenced);
		await trees.label('s', g.id, 'other', unfenced);
		await trees.label('s', a.id, 'the start', unfenced);
		await trees.label('s', g.id, '', unfenced);
		await trees.setMain('s', f.id, unfenced);
		expect(await trees.get('s')).toMatchObject({ labels: { [a.id]: 'the start' }, mainTip: f.id });
		await expect(trees.setMain('s', a.id, unfenced)).rejects.toMatchObject({ code: 'branch-absent' });
		await expect(trees.label('s', 'nowhere', 'x', unfenced)).rejects.toMatchObject({ code: 'message-absent' });
		await trees.setMain('s', d.id, unfenced);
		await trees.setMain('s', null, unfenced);
		expect(await trees.get('s')).toMatchObject({ labels: { [a.id]: 'the start' }, mainTip: null });
	});

	it('the main mark goes on with its branch', async () => {
		const { db, trees, d } = await fork();
		await trees.setMain('s', d.id, unfenced);
		const [more] = await grow(db, 's', 1, d.id);
		expect((await trees.get('s'))!.mainTip).toBe(more!.id);
	});

	it('[A5] writes nothing behind a fence', async () => {
		const { db, trees, a, c, f } = await fork();
		expect(await trees.raiseFence('s')).toBe(1);
		expect(await trees.raiseFence('s')).toBe(2);
		expect(await trees.raiseFence('nowhere')).toBe(0);
		const before = await contentOf(db);
		const late = { code: 'taken-over' };
		await expect(trees.moveHead('s', a.id, fencingTokenOf({ fence: 1 }))).rejects.toMatchObject(late);
		await expect(trees.stepTo('s', a.id, fencingTokenOf({ fence: 1 }))).rejects.toMatchObject(late);
		await expect(trees.label('s', a.id, 'x', fencingTokenOf({ fence: 1 }))).rejects.toMatchObject(late);
		await expect(trees.setMain('s', f.id, fencingTokenOf({ fence: 1 }))).rejects.toMatchObject(late);
		await expect(trees.removeBranch('s', c.id, 0, fencingTokenOf({ fence: 1 }))).rejects.toMatchObject(late);
		expect(await contentOf(db)).toEqual(before);
		await trees.moveHead('s', a.id, fencingTokenOf({ fence: 2 }));
		expect(await db.positions.get('s')).toEqual({ sessionId: 's', headId: a.id, fence: 2 });
	});

	it('[A14] removes a message and all that follows it, by one small row', async () => {
		const { db, trees, messages, a, b, c, d, e, f, g } = await fork();
		await trees.moveHead('s', f.id, unfenced);
		await trees.setMain('s', d.id, unfenced);
		expect(await trees.removeBranch('s', b.id, 5000, unfenced)).toBe(b.id);
		expect(await messages.path('s')).toEqual([a]);
		expect(await messages.all('s')).toEqual([a, g]);
		expect(await messages.sends('s')).toEqual([a.id, g.id]);
		expect((await new Sessions(db).get('s'))!.messageCount).toBe(2);
		expect((await trees.get('s'))!.mainTip).toBeNull();
		expect(await db.messages.count()).toBe(7);
		await expectValid(db);
		for (const gone of [b, c, f]) {
			await expect(trees.moveHead('s', gone.id, unfenced)).rejects.toMatchObject({ code: 'message-absent' });
			await expect(trees.removeBranch('s', gone.id, 5000, unfenced)).rejects.toMatchObject({ code: 'message-absent' });
			expect(await messages.path('s', gone.id)).toEqual([a]);
		}
		await expect(trees.stepTo('s', e.id, unfenced)).rejects.toMatchObject({ code: 'message-absent' });
		await expect(trees.removeBranch('s', a.id, 5000, unfenced)).rejects.toMatchObject({ code: 'branch-root' });
	});

	it('[A14] removes nothing in a chat that is deleted, which counts its messages when it is back', async () => {
		const { db, trees, b } = await fork();
		await db.sessions.delete('s');
		const before = await contentOf(db);
		await expect(trees.removeBranch('s', b.id, 5000, unfenced)).rejects.toMatchObject({ code: 'session-absent' });
		expect(await contentOf(db)).toEqual(before);
	});

	it('a head elsewhere stays where it is', async () => {
		const { trees, messages, a, e, g } = await fork();
		await trees.removeBranch('s', e.id, 5000, unfenced);
		expect(await messages.path('s')).toEqual([a, g]);
	});
});

describe('branchOf', () => {
	it('[R6] ends where broken rows lead round in a circle', async () => {
		const db = openDatabase();
		const [first, second] = ['a', 'b'].map((id, at) => ({ ...newMessage('user', id), id, sessionId: 's', parentId: id === 'a' ? 'b' : 'a', depth: 5 + at })) as [Message, Message];
		await db.messages.bulkPut([first, second]);
		const tree: Tree = { sessionId: 's', tips: [{ id: 'x', depth: 9, forkId: null, forkDepth: 0, fromId: null }, { id: 'y', depth: 9, forkId: 'z', forkDepth: 1, fromId: null }], labels: {}, mainTip: null, removed: ['w'] };
		expect(await isRemoved(db, tree, second)).toBe(false);
		await expect(branchOf(db, tree, second)).resolves.toMatchObject({ id: 'x' });
	});

	it('tells branches apart that run side by side over more depths than are read at a time', async () => {
		const db = openDatabase();
		const trunk = await grow(db, 's', 3);
		const left = await grow(db, 's', 450);
		const right = await grow(db, 's', 450, trunk[1]!.id);
		const third = await grow(db, 's', 440, right[5]!.id);
		await db.transaction('r', db.messages, db.trees, async () => {
			const tree = (await db.trees.get('s'))!;
			const forkOf = async (message: Message) => (await branchOf(db, tree, message)).forkId;
			for (const message of [trunk[0]!, trunk[2]!, left[0]!, left[300]!, left[448]!, left[449]!]) expect(await forkOf(message)).toBeNull();
			for (const message of [right[0]!, right[5]!, right[300]!, right[449]!]) expect(await forkOf(message)).toBe(right[0]!.id);
			for (const message of [third[0]!, third[1]!, third[420]!, third[439]!]) expect(await forkOf(message)).toBe(third[0]!.id);
			expect(await isRemoved(db, { ...tree, removed: [right[5]!.id] }, third[439]!)).toBe(true);
			expect(await isRemoved(db, { ...tree, removed: [right[6]!.id] }, third[439]!)).toBe(false);
		});
		const messages = new Messages(db);
		expect((await messages.oldestStretch('s', { at: third[439]!.id, offset: 1, limit: 4 })).path.map(({ id }) => id)).toEqual(
			[trunk[1]!, right[0]!, right[1]!, right[2]!].map(({ id }) => id)
		);
		expect((await messages.oldestStretch('s', { at: right[449]!.id, offset: 300, limit: 2 })).path).toEqual(right.slice(298, 300));
		expect((await messages.oldestStretch('s', { at: left[449]!.id, offset: 451 })).path).toEqual(left.slice(448));
	});
});
