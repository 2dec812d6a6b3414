import { expect, it } from 'vitest';
import { spoken } from '../../../tests/fixtures/answers';
import { newBoundary, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { Answers } from './answers';
import { append } from './append';
import { Boundaries } from './boundaries';
import { Contexts } from './contexts';
import { Drafts } from './drafts';
import type { unfenced} from './fence';
import { fencingTokenOf, type FencingToken } from './fence';
import { redact } from './redact';
import { Trees } from './trees';
import { TurnStore } from './turn-store';

async function said() {
	const db = openDatabase();
	const rows = await append(db, { session: newSession({ id: 's' }), messages: [newMessage('system', ''), newMessage('user', 'Hi'), newMessage('assistant', 'Hello')] });
	return { db, rows, last: rows[2]!.id, trees: new Trees(db), contexts: new Contexts(db), boundaries: new Boundaries(db), drafts: new Drafts(db), answers: new Answers(db) };
}

it('[A5] no command that writes a session compiles without its fencing token, nor with a number that is none', () => {
	type Said = Awaited<ReturnType<typeof said>>;
	const uncompiled = ({ db, rows, last, trees, contexts, boundaries, drafts, answers }: Said) => [
		// @ts-expect-error A session that is there needs it; a new one has no writer yet.
		append(db, { session: 's', messages: [newMessage('user', 'And?')] }),
		// @ts-expect-error No token.
		trees.moveHead('s', last),
		// @ts-expect-error No token.
		trees.stepTo('s', last),
		// @ts-expect-error No token.
		trees.label('s', last, 'name'),
		// @ts-expect-error No token.
		trees.setMain('s', last),
		// @ts-expect-error No token.
		trees.removeBranch('s', last, 1),
		// @ts-expect-error No token.
		contexts.pin('s', last, true),
		// @ts-expect-error No token.
		contexts.exclude('s', last, true),
		// @ts-expect-error No token.
		boundaries.add(newBoundary(rows)),
		// @ts-expect-error No token.
		boundaries.remove('boundary', 1),
		// @ts-expect-error No token.
		drafts.set('s', { text: '', attachments: [] }),
		// @ts-expect-error No token.
		answers.set('s', { messageId: 'a', parentId: last, text: '', reasoning: '', model: '', startedAt: 1 }),
		// @ts-expect-error No token.
		answers.grow('s', { messageId: 'a', parentId: last, text: '', reasoning: '', model: '', startedAt: 1 }),
		// @ts-expect-error No token.
		redact(db, last, 1),
		// @ts-expect-error No token.
		new TurnStore(db),
		// @ts-expect-error A number may come from anywhere.
		trees.moveHead('s', last, 0),
		// @ts-expect-error What may be absent is not there.
		trees.moveHead('s', last, undefined as FencingToken | undefined)
	];
	expect(uncompiled).toBeTypeOf('function');
});

it('[A5] each of them is refused with a token that is behind', async () => {
	const { db, rows, last, trees, contexts, boundaries, drafts, answers } = await said();
	const behind = await trees.fencingToken('s');
	const kept = newBoundary(rows.slice(0, 2));
	await boundaries.add(kept, behind);
	const token = await trees.raiseFence('s');
	expect(token).toBe(await trees.fencingToken('s'));
	const part = { messageId: 'a', parentId: last, parts: spoken('So'), model: 'm', startedAt: 1 };
	const works = (fence: FencingToken | typeof unfenced): (() => Promise<unknown>)[] => [
		() => append(db, { session: 's', fence, messages: [newMessage('user', 'And?')] }),
		() => trees.moveHead('s', last, fence),
		() => trees.stepTo('s', last, fence),
		() => trees.label('s', last, 'name', fence),
		() => trees.setMain('s', null, fence),
		() => contexts.pin('s', last, true, fence),
		() => contexts.exclude('s', last, true, fence),
		() => boundaries.add(newBoundary(rows.slice(0, 2)), fence),
		() => boundaries.remove(kept.id, 1, fence),
		() => drafts.set('s', { text: 'unsent', attachments: [] }, fence),
		() => answers.set('s', part, fence),
		() => answers.grow('s', part, fence),
		() => new TurnStore(db, fence).end('s', 'success', ''),
		() => redact(db, last, 1, fence),
		() => trees.removeBranch('s', last, 1, fence)
	];
	for (const work of works(behind)) await expect(work()).rejects.toMatchObject({ code: 'taken-over' });
	for (const work of works(token)) await work().catch((error: unknown) => expect(error).not.toMatchObject({ code: 'taken-over' }));
	expect(fencingTokenOf(undefined)).toBe(0);
});
