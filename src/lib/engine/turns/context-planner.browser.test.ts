import { expect, it } from 'vitest';
import { newBoundary, newMessage, newSession, openDatabase } from '../../../../tests/fixtures/database';
import { openPlanner } from '../../../../tests/fixtures/planner';
import { unsentId } from '../../context/plan';
import type { FilePart } from '../../conversation/message';
import { append } from '../../storage/append';
import { Boundaries } from '../../storage/boundaries';
import { Calibrations } from '../../storage/calibrations';
import { Contexts } from '../../storage/contexts';
import { unfenced } from '../../storage/fence';
import { Scratchpad } from '../../storage/scratchpad';
import { SessionSettings } from '../../storage/session-settings';
import { Settings } from '../../storage/settings';
import { atServer } from '../providers/answer-source';

const source = atServer({ id: 'p', name: 'P', baseUrl: 'http://localhost/v1', createdAt: 0 }, 'parrot');

/** A session of so many messages, and its plans. */
async function conversation(count: number) {
	const db = openDatabase();
	const session = newSession();
	const messages = Array.from({ length: count }, (_, n) => newMessage(n % 2 ? 'assistant' : 'user', `Message ${n + 1} is about the garden.`));
	const path = await append(db, { session, messages: [newMessage('system', 'Be brief.'), ...messages] });
	const planner = openPlanner(db);
	const view = async (unsent?: Parameters<typeof planner.view>[2]) => planner.view((await planner.rows(session.id))!, source, unsent);
	return { db, id: session.id, path, planner, view };
}

it('[S7] plans with what was not sent yet as its last message, which is always in', async () => {
	const { view, id, db } = await conversation(3);
	await new Settings(db).set('context', { summaryMessages: 30 });
	const file: FilePart = { type: 'file', attachmentId: 'a', mediaType: 'text/plain', name: 'a.txt' };
	await db.attachments.put({ id: 'a', mediaType: 'text/plain', bytes: 4000, content: new Blob(['x'.repeat(4000)]), createdAt: 0 });
	const [without, withText, withFile] = [await view(), await view({ text: 'And the roses?', attachments: [] }), await view({ text: '', attachments: [file] })];
	expect(withText.plan.items.at(-1)).toMatchObject({ message: { id: unsentId, sessionId: id, depth: 4 }, state: { in: true } });
	expect(withText.plan.totals.total).toBeGreaterThan(without.plan.totals.total);
	// A text file counts by its size.
	expect(withFile.plan.totals.total - without.plan.totals.total).toBeGreaterThan(800);
	expect(withText.triggers.find(({ name }) => name === 'messages')?.value).toBe(4);
});

it('[A11] takes the window from the narrowest scope that says one, and from what the server said before that', async () => {
	const { db, id, planner, view } = await conversation(2);
	const first = await view();
	expect(first.model).toMatchObject({ window: Infinity, windowFrom: 'unknown' });
	await planner.learnWindow(source, 4096, first);
	expect((await view()).plan).toMatchObject({ window: 4096, reserve: 2048, budget: 2048 });
	await new Settings(db).set('context', { contextWindows: { 'p/parrot': 10_000 } });
	expect((await view()).model).toMatchObject({ window: 10_000, windowFrom: 'user' });
	await new Contexts(db).setOverridesUnfenced(id, { contextWindows: { 'p/parrot': 20_000 } });
	expect((await view()).model.window).toBe(20_000);
});

it('[A11] leaves nothing out for a window that is not known, and a quarter after a server refused without a number', async () => {
	const { db, id, planner, view } = await conversation(190);
	const first = await view();
	expect(first.plan.items.every(({ state }) => state.in)).toBe(true);
	expect(first).toMatchObject({ triggers: [], compactsBy: undefined });
	await planner.learnWindow(source, 'less', first);
	const { plan, model } = await view();
	expect(model.windowFrom).toBe('unknown');
	expect(plan.totals.total).toBeLessThanOrEqual(0.75 * first.plan.totals.total);
	expect(plan.totals.total).toBeGreaterThan(0.4 * first.plan.totals.total);
	// Never less than what was accepted, nor for ever.
	await planner.learn(first, { inputTokens: 1800 });
	for (let refusals = 0; refusals < 5; refusals++) await planner.learnWindow(source, 'less', await view());
	expect((await view()).plan.budget).toBeGreaterThanOrEqual(1800);
	expect((await openPlanner(db).view((await planner.rows(id))!, source)).model.window).toBe(Infinity);
});

it('[S4] [A11] keeps as much free as the answer may have', async () => {
	const { db, id, planner, view } = await conversation(4);
	await planner.learnWindow(source, 8192, await view());
	await new SessionSettings(db).setParametersUnfenced(id, { maxTokens: 6000 });
	expect((await view()).plan).toMatchObject({ window: 8192, reserve: 6000, budget: 2192 });
});

it('[A10] restates date, notes and to-do list behind a boundary, and only there', async () => {
	const { db, id, path, view } = await conversation(8);
	await new Scratchpad(db).set(id, 'plants', 'roses', 1);
	await new Scratchpad(db).set(id, 'todo', '- [ ] water them', 1);
	expect((await view()).plan.environment).toBe('');
	await new Boundaries(db).add(newBoundary(path.slice(0, 5), { summary: 'We have a garden.' }), unfenced);
	const { environment, summary, items } = (await view()).plan;
	expect(environment).toMatch(/Date: \d{4}-\d\d-\d\d\nNotes: plants\nTo do:\n- \[ \] water them/);
	expect(summary?.text).toContain('We have a garden.');
	expect(items.map(({ message }) => message.depth)).toEqual([5, 6, 7, 8]);
});

it('learns how long its estimates should have been, and says how far off they were', async () => {
	const { db, planner, view } = await conversation(20);
	const before = await view();
	expect(before.counting).toEqual({ kind: 'estimate', errors: [] });
	const actual = before.plan.totals.total * 2;
	await planner.learn(before, { inputTokens: actual });
	const after = await view();
	expect(after.counting.errors).toEqual([-0.5]);
	expect(Math.abs(after.plan.totals.total - actual)).toBeLessThan(actual * 0.15);

	const picture: FilePart = { type: 'file', attachmentId: 'b', mediaType: 'image/png', name: 'b.png' };
	const seen = await view({ text: 'See', attachments: [picture] });
	await planner.learn(seen, { inputTokens: 1 });
	await planner.learn(after, {});
	expect((await new Calibrations(db).get('p/parrot'))?.samples).toHaveLength(1);
});

it('[A11] says by what it would be compacted, unless that is switched off', async () => {
	const { db, view } = await conversation(52);
	expect((await view()).compactsBy).toBeUndefined();
	await new Settings(db).set('context', { summaryMessages: 30 });
	expect((await view()).compactsBy).toBe('summary');
	await new Settings(db).set('context', { strategy: 'simple', cheapMessages: 50 });
	expect((await view()).compactsBy).toBe('simple');
	await new Settings(db).set('context', { strategy: 'simple', cheapMessages: 50, autoCompact: false });
	expect((await view()).compactsBy).toBeUndefined();
});
