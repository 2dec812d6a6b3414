import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { spoken } from '../../../../tests/fixtures/answers';
import { contentOf, openDatabase } from '../../../../tests/fixtures/database';
import { openPlanner } from '../../../../tests/fixtures/planner';
import { finish, never, say, ScriptedModel, type ScriptStep } from '../../../../tests/fixtures/scripted-model';
import type { Message } from '../../conversation/message';
import { answeringSessions } from '../../locks/answering';
import { AppError } from '../../shared/app-error';
import { systemClock } from '../../shared/clock';
import { newId } from '../../shared/id';
import { AnswerTails } from '../../storage/answer-tails';
import { Answers } from '../../storage/answers';
import type { Database } from '../../storage/database';
import { unfenced } from '../../storage/fence';
import { Messages } from '../../storage/messages';
import { changeNextPromptUnfenced, chatPrompts } from '../../storage/prompts';
import { Sessions } from '../../storage/sessions';
import { defaultSystemPrompt } from '../../storage/default-prompt';
import { Settings } from '../../storage/settings';
import type { UnfinishedAnswer } from '../../conversation/growing-answer';
import { Trash } from '../../storage/trash';
import { Trees } from '../../storage/trees';
import { TurnStore } from '../../storage/turn-store';
import { atServer, onThisDevice, type AnswerSource } from '../providers/answer-source';
import { ContextFull } from '../providers/context-full';
import type { Destination } from './outgoing-messages';
import type { TurnEvent } from './turn';
import type { StartedTurn, TurnPorts } from './turn-ports';
import { Turns } from './turns';
import { Writers } from './writers';

const { locks } = navigator;
const provider = { id: 'p', name: 'Workstation', baseUrl: 'http://localhost/v1', createdAt: 0 };
const server = atServer(provider, 'parrot');
const brokeOff = new AppError('server-broke-off', 'The server broke off.');

/** A tab whose answers all come from `model`; another tab of the same browser if it is given one's database. */
function openTab(model = new ScriptedModel([say('Hello'), finish()]), source: AnswerSource | 'none' = server, db = openDatabase(), ports: Partial<TurnPorts> = {}) {
	const answers = new Answers(db);
	/** Answers of other tabs, as far as this one has seen them. */
	const seen = new Map<string, UnfinishedAnswer>();
	const tails = new AnswerTails(() => localStorage);
	const writers = new Writers({
		locks,
		trees: new Trees(db),
		settle: async ({ sessionId, fence }, stolen) => {
			if (stolen) tails.inherit(sessionId, fence);
			const left = { seen: seen.get(sessionId), tail: tails.get(sessionId), stopReason: 'Interrupted.' };
			await new TurnStore(db, fence).settle(sessionId, left as Parameters<TurnStore['settle']>[1]);
			tails.remove(sessionId);
		}
	});
	let now = 0;
	const turns = new Turns({
		db,
		locks,
		writers,
		newId,
		clock: () => systemClock() + now,
		surface: 'web',
		source: () => Promise.resolve(source === 'none' ? undefined : source),
		openModel: () => Promise.resolve(model),
		planner: openPlanner(db),
		beforeTurn: () => Promise.resolve(),
		afterTurn: () => undefined,
		publish: () => undefined,
		tails,
		...ports
	});
	const messages = new Messages(db);
	return {
		db,
		turns,
		writers,
		model,
		later: (milliseconds: number) => void (now += milliseconds),
		answers,
		seen,
		tails,
		settings: new Settings(db),
		row: (id: string) => new Sessions(db).get(id),
		path: (id: string) => messages.path(id),
		/** Sends and reads the answer to its end. */
		ask: async (text: string, sessionId?: string, to: Destination = {}) => {
			const started = await turns.send({ text }, sessionId === undefined ? to : { sessionId, ...to });
			return { id: started.sessionId, end: (await read(started)).at(-1) };
		}
	};
}

/** A tab with a session whose question has been answered; what comes next is written into its script. */
async function answered() {
	const script: ScriptStep[] = [say('Hello'), finish()];
	const tab = openTab(new ScriptedModel(script));
	const { id } = await tab.ask('Hi');
	return { ...tab, id, script };
}

async function read({ events }: StartedTurn): Promise<TurnEvent[]> {
	const all: TurnEvent[] = [];
	for await (const event of events) all.push(event);
	return all;
}

/** Tells whether a turn of the session runs. Turns that earlier tests left running are in the same locks. */
async function isAnswered(sessionId: string): Promise<boolean> {
	return (await answeringSessions(locks)).includes(sessionId);
}

function linesOf(path: Message[]): string[] {
	return path.map(({ role, parts }) => `${role}: ${parts.map((part) => ('text' in part ? part.text : '')).join()}`);
}

describe('send', () => {
	it('[A1] [Z2] makes a session below its system prompt, and answers', async () => {
		const tab = openTab();
		const started = await tab.turns.send({ text: '  What is\n\nnew? ' });
		expect(linesOf(await tab.path(started.sessionId))).toEqual([`system: ${defaultSystemPrompt}`, 'user:   What is\n\nnew? ']);
		expect(await tab.row(started.sessionId)).toMatchObject({
			surface: 'web',
			workspace: 'home',
			preview: 'What is new?',
			provider: 'Workstation',
			model: 'parrot',
			status: 'running',
			messageCount: 2
		});
		expect((await tab.row(started.sessionId))!.key).toMatch(/^web:home:\d+$/);
		expect(await isAnswered(started.sessionId)).toBe(true);
		expect((await read(started)).at(-1)).toEqual({ type: 'turn-end', status: 'success' });
		expect(linesOf(await tab.path(started.sessionId)).at(-1)).toBe('assistant: Hello');
		await expect.poll(() => isAnswered(started.sessionId)).toBe(false);
	});

	it('[Z2] has one root also where the system prompt is empty', async () => {
		const tab = openTab();
		await tab.settings.set('systemPrompt', '');
		const { id } = await tab.ask('Hi');
		expect(linesOf(await tab.path(id))).toEqual(['system: ', 'user: Hi', 'assistant: Hello']);
		expect(tab.model.prompts).toEqual([[{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]]);
	});

	it('[Z2] keeps a session on the system prompt that it began with', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Hi');
		await tab.settings.set('systemPrompt', 'Answer in rhyme.');
		await tab.ask('And?', id);
		expect(tab.model.prompts.map(([first]) => first)).toEqual(Array(2).fill({ role: 'system', content: defaultSystemPrompt }));
	});

	it('[E3] [Z2] a system prompt that is changed counts from the next message on, and is a part of history', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Hi');
		const systems = () => tab.model.prompts.map((prompt) => prompt.filter(({ role }) => role === 'system').map(({ content }) => content));
		await changeNextPromptUnfenced(tab.db, id, () => ' Answer in rhyme. ');
		expect(await chatPrompts(tab.db, id)).toEqual({ inForce: defaultSystemPrompt, next: ' Answer in rhyme. ' });
		await tab.ask('And?', id);
		expect(await chatPrompts(tab.db, id)).toEqual({ inForce: 'Answer in rhyme.', next: undefined });
		expect(linesOf(await tab.path(id)).slice(2)).toEqual(['assistant: Hello', 'system: Answer in rhyme.', 'user: And?', 'assistant: Hello']);
		await changeNextPromptUnfenced(tab.db, id, () => '');
		await tab.ask('More?', id);
		await changeNextPromptUnfenced(tab.db, id, () => 'a');
		await changeNextPromptUnfenced(tab.db, id, () => ' ');
		await tab.ask('Still?', id);
		expect(systems()).toEqual([[defaultSystemPrompt], ['Answer in rhyme.'], [], []]);
		expect(linesOf(await tab.path(id)).filter((line) => line.startsWith('system'))).toHaveLength(3);
		expect(await tab.db.sessionSettings.count()).toBe(1);
	});

	it('[E3] [Z9] a question that is asked again with another system prompt is another version of it', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Hi');
		const [root, first] = await tab.path(id);
		await changeNextPromptUnfenced(tab.db, id, () => 'Answer in rhyme.');
		await tab.ask('Hi there', id, { parentId: root!.id });
		await tab.ask('Hi all', id, { parentId: (await tab.path(id))[1]!.id });
		const sends = await new Messages(tab.db).sends(id);
		const { path, siblings } = await new Messages(tab.db).newestStretch(id);
		expect(linesOf(path)).toEqual([`system: ${defaultSystemPrompt}`, 'system: Answer in rhyme.', 'user: Hi all', 'assistant: Hello']);
		expect([...siblings]).toEqual([[path[2]!.id, sends]]);
		await tab.turns.regenerate(id, path[3]!.id).then(read);
		await new Trees(tab.db).stepTo(id, first!.id, unfenced);
		expect([...(await new Messages(tab.db).newestStretch(id)).siblings]).toEqual([[first!.id, sends]]);
		expect(await chatPrompts(tab.db, id)).toEqual({ inForce: defaultSystemPrompt, next: undefined });
		expect(tab.model.prompts.map(([prompt]) => prompt!.content)).toEqual([defaultSystemPrompt, ...Array<string>(3).fill('Answer in rhyme.')]);
	});

	it('[E3] a chat begins with its own system prompt and parameters where it is given them', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Hi', undefined, { begins: { systemPrompt: '', parameters: { seed: 7 } } });
		expect(linesOf(await tab.path(id))[0]).toBe('system: ');
		expect(await tab.db.sessionSettings.get(id)).toMatchObject({ parameters: { seed: 7 } });
	});

	it('[E12] sends a prompt that begins, byte for byte, as the one before', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Hi');
		await tab.ask('And?', id);
		const [first, second] = tab.model.prompts.map((prompt) => JSON.stringify(prompt));
		expect(second!.startsWith(first!.slice(0, -1))).toBe(true);
		expect(tab.model.prompts[1]).toHaveLength(4);
	});

	it('[A1] stores nothing where nothing answers yet', async () => {
		const tab = openTab(undefined, 'none');
		await expect(tab.turns.send({ text: 'Hi' })).rejects.toMatchObject({ name: 'AppError', code: 'no-source' });
		expect(Object.values(await contentOf(tab.db)).flat()).toEqual([]);
	});

	it('[A5] stores nothing while another tab has the session open', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Hi');
		const before = await contentOf(tab.db);
		const other = openTab(undefined, undefined, tab.db);
		const borrowed = await other.writers.require(id);
		const elsewhere = { name: 'AppError', code: 'open-elsewhere', retryable: true };
		await expect(tab.turns.send({ text: 'And?' }, { sessionId: id })).rejects.toMatchObject(elsewhere);
		await expect(tab.turns.retry(id)).rejects.toMatchObject(elsewhere);
		expect(await contentOf(tab.db)).toEqual(before);
		borrowed.release();
		expect((await tab.ask('And?', id)).end).toMatchObject({ status: 'success' });
	});

	it('[E2] takes the same message within 30 seconds for an accident, and sends it when told to', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Hi');
		const before = await contentOf(tab.db);
		await expect(tab.turns.send({ text: 'Hi' }, { sessionId: id })).rejects.toMatchObject({ code: 'double-send' });
		expect(await contentOf(tab.db)).toEqual(before);
		expect((await tab.ask('Hi', id, { again: true })).end).toMatchObject({ status: 'success' });
		await expect(tab.turns.send({ text: 'Hi' }, { sessionId: id })).rejects.toMatchObject({ code: 'double-send' });
		tab.later(30_000);
		expect((await tab.ask('Hi', id)).end).toMatchObject({ status: 'success' });
		expect((await tab.ask('Hi')).id).not.toBe(id);
	});

	it('[Z9] branches where it is told what to follow, and keeps both', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Hi');
		const [root] = await tab.path(id);
		await tab.ask('Hello there', id, { parentId: root!.id });
		expect(linesOf(await tab.path(id)).slice(1)).toEqual(['user: Hello there', 'assistant: Hello']);
		expect(await tab.row(id)).toMatchObject({ messageCount: 5, steps: 2 });
	});

	it('[E1] [E2] makes a workspace’s thread with its first message, and others apart from it', async () => {
		const tab = openTab();
		const keyOf = async ({ id }: { id: string }) => (await tab.row(id))!.key;
		expect(await keyOf(await tab.ask('Hi', undefined, { workspace: 'snug' }))).toBe('web:snug');
		expect(await keyOf(await tab.ask('Hi', undefined, { workspace: 'snug' }))).toMatch(/^web:snug:\d+$/);
		expect(await keyOf(await tab.ask('Hi', undefined, { workspace: 'other', apart: true }))).toMatch(/^web:other:\d+$/);
		expect(await keyOf(await tab.ask('Hi', undefined, { workspace: 'home' }))).toMatch(/^web:home:\d+$/);
	});

	it('[S2] gives a session a title with its first answer, once', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Tell me about the tides of the sea.');
		const { title } = (await tab.row(id))!;
		expect(title).toMatch(/tides/);
		await tab.ask('And the moon?', id);
		expect(await tab.row(id)).toMatchObject({ title, titledBy: 'snug' });
	});

	it('[S2] gives it a title by what was asked, never by the answer', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Hello!');
		expect(await tab.row(id)).toMatchObject({ title: '', preview: 'Hello!' });
		await tab.ask('Tell me about the tides of the sea.', id);
		expect((await tab.row(id))!.title).toMatch(/tides/);
	});

	it('frees the session where the message can not be stored', async () => {
		const tab = openTab(undefined, undefined, undefined, { newId: () => 'this session' });
		await expect(tab.turns.send({ text: 'Hi' }, { sessionId: 'no such session' })).rejects.toMatchObject({ code: 'session-absent' });
		tab.db.close();
		await expect(tab.turns.send({ text: 'Hi' })).rejects.toMatchObject({ code: 'storage-refused' });
		await expect.poll(() => isAnswered('no such session')).toBe(false);
		await expect.poll(() => isAnswered('this session')).toBe(false);
	});

	it('[E11] keeps the part of an answer that the user wrote on below', async () => {
		const tab = openTab(new ScriptedModel([say('Hel'), brokeOff]));
		const { id } = await tab.ask('Hi');
		expect(await tab.answers.get(id)).toMatchObject({ parts: spoken('Hel') });
		const started = await tab.turns.send({ text: 'Never mind' }, { sessionId: id });
		expect(await tab.answers.get(id)).toBeUndefined();
		await read(started);
		expect(linesOf(await tab.path(id)).slice(1)).toEqual(['user: Hi', 'assistant: Hel', 'user: Never mind']);
	});
});

describe('a part of an answer', () => {
	/** A session with two questions, the second answered in part. */
	async function partly() {
		const script: ScriptStep[] = [say('Hello'), finish()];
		const tab = openTab(new ScriptedModel(script));
		const { id } = await tab.ask('One');
		void script.splice(0, Infinity, say('Hel'), brokeOff);
		await tab.ask('Two', id);
		void script.splice(0, Infinity, say('Hello'), finish());
		const [, one, first, two] = await tab.path(id);
		return { ...tab, id, one: one!, first: first!, two: two! };
	}

	it('[E11] [Z9] is kept where something is sent below it while the head is elsewhere, and that is answered', async () => {
		const { db, turns, id, first, two, path, model, answers } = await partly();
		await new Trees(db).moveHead(id, first.id, unfenced);
		const started = await turns.send({ text: 'Go on' }, { sessionId: id, parentId: two.id });
		expect(linesOf(await path(id)).slice(3)).toEqual(['user: Two', 'assistant: Hel', 'user: Go on']);
		await read(started);
		expect(linesOf(await path(id)).slice(3)).toEqual(['user: Two', 'assistant: Hel', 'user: Go on', 'assistant: Hello']);
		expect(JSON.stringify(model.prompts.at(-1))).toContain('Go on');
		expect(await answers.get(id)).toBeUndefined();
	});

	it('[E11] [A14] goes with its question, stops nothing, and comes back with it', async () => {
		const { db, turns, id, two, first, path, answers, ask } = await partly();
		const part = await answers.get(id);
		const trash = new Trash(db);
		const item = await new Trees(db).removeBranch(id, two.id, systemClock(), unfenced);
		expect(await answers.get(id)).toBeUndefined();
		expect((await ask('Three', id)).end).toMatchObject({ status: 'success' });
		await read(await turns.regenerate(id, first.id));
		await trash.restoreUnfenced([item]);
		expect(await answers.get(id)).toEqual(part);
		await new Trees(db).moveHead(id, two.id, unfenced);
		await turns.keep(id);
		expect(linesOf(await path(id)).slice(3)).toEqual(['user: Two', 'assistant: Hel']);
	});

	it('[E11] [A14] comes back as a message where there is another by then', async () => {
		const { db, id, two, answers, ask } = await partly();
		const item = await new Trees(db).removeBranch(id, two.id, systemClock(), unfenced);
		const other = openTab(new ScriptedModel([say('Ha'), brokeOff]), server, db);
		await other.ask('Three', id);
		await new Trash(db).restoreUnfenced([item]);
		expect(await answers.get(id)).toMatchObject({ parts: spoken('Ha') });
		const all = await new Messages(db).all(id);
		expect(all.filter(({ parentId }) => parentId === two.id).map(({ parts }) => parts)).toEqual([[{ type: 'text', text: 'Hel' }]]);
		expect((await ask('Four', id)).end).toMatchObject({ status: 'success' });
	});

	it('[E11] whose question is gone for good is no hindrance', async () => {
		const { db, id, two, answers, ask, turns, path } = await partly();
		const part = (await answers.get(id))!;
		await new Trees(db).removeBranch(id, two.id, 0, unfenced);
		await new Trash(db).purgeUnfenced(systemClock());
		await db.answers.put(part);
		expect((await ask('Three', id)).end).toMatchObject({ status: 'success' });
		await db.answers.put(part);
		await read(await turns.regenerate(id, (await path(id)).at(-1)!.id));
		expect(await answers.get(id)).toBeUndefined();
	});
});

describe('what is deleted while it is answered', () => {
	/** Answers; deletes something after the first word, and then lets the others come. */
	async function deleting(remove: (db: Database, id: string) => Promise<unknown>) {
		const gate = Promise.withResolvers<void>();
		const tab = openTab(new ScriptedModel([say('Hel'), gate.promise, say('lo'), never]));
		const { sessionId: id, events } = await tab.turns.send({ text: 'Hi' });
		let end: TurnEvent | undefined;
		for await (const event of events) {
			end = event;
			if (event.type !== 'text-delta' || event.text !== 'Hel') continue;
			await expect.poll(() => tab.answers.get(id)).toBeDefined();
			await remove(tab.db, id);
			gate.resolve();
		}
		return { ...tab, id, end, trash: new Trash(tab.db) };
	}

	it('[A14] a session: the turn ends with a sentence, and what came of the answer comes and goes with it', async () => {
		const { db, id, end, answers, trash } = await deleting((db, id) => new Trash(db).deleteSessionsUnfenced([id], 0));
		expect(end).toMatchObject({ status: 'failed', failure: { code: 'session-absent' } });
		await trash.restoreUnfenced([id]);
		expect(await answers.get(id)).toMatchObject({ parts: spoken('Hello') });
		await trash.deleteSessionsUnfenced([id], 0);
		await trash.purgeUnfenced(systemClock());
		expect(Object.values(await contentOf(db)).flat()).toEqual([{ kind: 'session', id, at: 0 }]);
	});

	it('[A14] the question: the same', async () => {
		let item = '';
		const { db, id, end, answers, trash } = await deleting(async (db, id) => {
			item = await new Trees(db).removeBranch(id, (await new Messages(db).path(id))[1]!.id, 0, unfenced);
		});
		expect(end).toMatchObject({ status: 'failed', failure: { code: 'message-absent' } });
		expect(await answers.get(id)).toBeUndefined();
		await trash.restoreUnfenced([item]);
		expect(await answers.get(id)).toMatchObject({ parts: spoken('Hello') });
		await new Trees(db).removeBranch(id, item, 0, unfenced);
		await trash.purgeUnfenced(systemClock());
		expect(await contentOf(db)).toMatchObject({ answers: [], trash: [], messages: [{ role: 'system' }] });
	});

	it('[A14] a session that is gone for good: nothing is written', async () => {
		const { db, end } = await deleting(async (db, id) => {
			await new Trash(db).deleteSessionsUnfenced([id], 0);
			await new Trash(db).purgeUnfenced(systemClock());
		});
		expect(end).toMatchObject({ status: 'failed', failure: { code: 'session-absent' } });
		expect(Object.values(await contentOf(db)).flat()).toEqual([{ kind: 'session', id: expect.any(String) as string, at: 0 }]);
	});
});

it('[E11] a page that goes away leaves what is not written down yet', async () => {
	const gate = Promise.withResolvers<void>();
	const tab = openTab(new ScriptedModel([say('Hel'), gate.promise, say('lo'), never]));
	const { sessionId: id, events } = await tab.turns.send({ text: 'Hi' });
	const journal = vi.spyOn(TurnStore.prototype, 'journal');
	onTestFinished(() => journal.mockRestore());
	for await (const event of events) {
		if (event.type !== 'text-delta') continue;
		if (event.text === 'Hel') {
			await expect.poll(() => tab.answers.get(id)).toBeDefined();
			tab.turns.leave();
			expect(tab.tails.get(id)).toBeUndefined();
			// No write that begins now will end.
			journal.mockImplementation(() => new Promise(() => undefined));
			gate.resolve();
		} else {
			tab.turns.leave();
			expect(tab.tails.get(id)).toMatchObject({ answer: { parts: spoken('lo') }, partsFrom: 0, textFrom: 3, fence: 0 });
			break;
		}
	}
});

describe('stop', () => {
	it('keeps what has streamed, and frees the session', async () => {
		const tab = openTab(new ScriptedModel([say('Hel'), never]));
		const { sessionId, events } = await tab.turns.send({ text: 'Hi' });
		for await (const { type } of events) if (type === 'text-delta') tab.turns.stop(sessionId);
		expect(linesOf(await tab.path(sessionId)).at(-1)).toBe('assistant: Hel');
		await expect.poll(() => isAnswered(sessionId)).toBe(false);
	});

	it('ends also a turn whose events are not read yet', async () => {
		const tab = openTab(new ScriptedModel([say('Hello'), finish()]));
		const started = await tab.turns.send({ text: 'Hi' });
		tab.turns.stop(started.sessionId);
		expect(await read(started)).toEqual([{ type: 'turn-end', status: 'interrupted' }]);
	});

	it('does nothing to a session where no turn runs', () => {
		expect(() => openTab().turns.stop('nowhere')).not.toThrow();
	});
});

describe('after a failure', () => {
	/** A session whose answer broke off. */
	async function brokenOff() {
		const script: ScriptStep[] = [say('Hel'), brokeOff];
		const tab = openTab(new ScriptedModel(script));
		const { id, end } = await tab.ask('Hi');
		expect(end).toMatchObject({ status: 'failed', failure: brokeOff });
		return { ...tab, id, script };
	}

	it('[E11] retry starts over, from the stored message, and keeps the part beside it with the first word', async () => {
		const { db, turns, answers, id, row, path, script } = await brokenOff();
		const gate = Promise.withResolvers<void>();
		void script.splice(0, Infinity, say('Good'), gate.promise, say(' day'), finish());
		const started = await turns.retry(id);
		expect(await answers.get(id)).toMatchObject({ parts: spoken('Hel') });
		expect(await row(id)).toMatchObject({ status: 'running', stopReason: '' });
		const ending = read(started);
		await expect.poll(() => answers.get(id)).toMatchObject({ parts: spoken('Good') });
		gate.resolve();
		expect((await ending).at(-1)).toEqual({ type: 'turn-end', status: 'success' });
		expect(await answers.get(id)).toBeUndefined();
		expect(linesOf(await path(id)).slice(1)).toEqual(['user: Hi', 'assistant: Good day']);
		expect(linesOf(await new Messages(db).all(id)).slice(2).sort()).toEqual(['assistant: Good day', 'assistant: Hel']);
	});

	it('[E11] a Retry that breaks off and is discarded leaves what was there before it', async () => {
		const { turns, id, path, script } = await brokenOff();
		void script.splice(0, Infinity, say('He'), brokeOff);
		await read(await turns.retry(id));
		const discarded = (await turns.discard(id))!;
		expect(linesOf(await path(id)).slice(1)).toEqual(['user: Hi', 'assistant: Hel']);
		await turns.undiscard(id, discarded);
		await turns.keep(id);
		expect(linesOf(await path(id)).slice(1)).toEqual(['user: Hi', 'assistant: He']);
	});

	it.each<[string, ScriptStep, 'failed' | 'interrupted']>([
		['fails', new AppError('server-down', 'The server is down.'), 'failed'],
		['is stopped', never, 'interrupted']
	])('[E11] a retry that %s before its first word leaves the draft', async (_, step, status) => {
		const { turns, answers, id, row, script } = await brokenOff();
		void script.splice(0, Infinity, step);
		const before = await answers.get(id);
		const { events } = await turns.retry(id);
		for await (const { type } of events) if (type === 'step-start' && status === 'interrupted') turns.stop(id);
		expect(await answers.get(id)).toEqual(before);
		expect(await row(id)).toMatchObject({ status });
	});

	/** A session whose answer could not be written down. */
	async function outOfRoom() {
		const script: ScriptStep[] = [say('Hel'), say('lo'), never];
		const tab = { ...openTab(new ScriptedModel(script)), script };
		const told = Promise.withResolvers<void>();
		const full = new AppError('disk-full', 'There is no space left.', { retryable: true });
		const journal = vi.spyOn(TurnStore.prototype, 'journal').mockImplementation(() => told.promise.then(() => Promise.reject(full)));
		onTestFinished(() => journal.mockRestore());
		const { sessionId: id, events } = await tab.turns.send({ text: 'Hi' });
		let end: TurnEvent | undefined;
		for await (const event of events) {
			end = event;
			if (event.type === 'text-delta' && event.text === 'lo') told.resolve();
		}
		expect(end).toEqual({ type: 'turn-end', status: 'failed', failure: full });
		return { tab, id, makeRoom: () => journal.mockRestore() };
	}

	it('[P2] what could not be written down is kept, and written as soon as there is room', async () => {
		const { tab, id, makeRoom } = await outOfRoom();
		makeRoom();
		await expect.poll(() => tab.answers.get(id), { timeout: 10_000 }).toMatchObject({ parts: spoken('Hello') });
		await expect.poll(() => tab.row(id)).toMatchObject({ status: 'failed' });
	});

	it('[P2] [A5] what could not be written down goes to the tab that takes over, once, and is left alone by this one', async () => {
		const { tab, id, makeRoom } = await outOfRoom();
		makeRoom();
		const other = openTab(undefined, undefined, tab.db);
		const { release } = await other.writers.takeOver(id);
		expect(await tab.answers.get(id)).toMatchObject({ parts: spoken('Hello') });
		expect(tab.tails.get(id)).toBeUndefined();
		await other.turns.discard(id);
		release();
		tab.turns.leave();
		(await tab.writers.openWhenFree(id, new AbortController().signal)).release();
		expect(await tab.answers.get(id)).toBeUndefined();
	});

	it('[P2] what could not be written down is tried again by one timer, also after a Retry, which is refused until then', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		onTestFinished(() => void vi.useRealTimers());
		const { tab, id, makeRoom } = await outOfRoom();
		await expect(tab.turns.retry(id)).rejects.toMatchObject({ code: 'disk-full' });
		expect(vi.getTimerCount()).toBe(1);
		makeRoom();
		await vi.runOnlyPendingTimersAsync();
		vi.useRealTimers();
		await expect.poll(() => tab.row(id)).toMatchObject({ status: 'failed' });
		expect(await tab.answers.get(id)).toMatchObject({ parts: spoken('Hello') });
		expect(tab.tails.get(id)).toBeUndefined();
	});

	it.each(['keep', 'send'] as const)('[P2] what could not be written down is part of what %s keeps', async (how) => {
		const { tab, id, makeRoom } = await outOfRoom();
		makeRoom();
		if (how === 'keep') await tab.turns.keep(id);
		else await tab.turns.send({ text: 'And?' }, { sessionId: id });
		expect(linesOf(await tab.path(id)).slice(1, 3)).toEqual(['user: Hi', 'assistant: Hello']);
		expect(await tab.answers.get(id)).toBeUndefined();
	});

	it('[E11] keep makes a message of the draft, once', async () => {
		const { turns, answers, id, row, path } = await brokenOff();
		const [first, second] = await Promise.allSettled([turns.keep(id), turns.keep(id)]);
		expect([first!.status, second!.status]).toEqual(['fulfilled', 'rejected']);
		await turns.keep(id);
		expect(linesOf(await path(id)).slice(1)).toEqual(['user: Hi', 'assistant: Hel']);
		expect((await path(id)).at(-1)).toMatchObject({ model: 'parrot', finishReason: 'stopped' });
		expect(await answers.get(id)).toBeUndefined();
		expect(await row(id)).toMatchObject({ status: 'interrupted', messageCount: 3 });
	});

	it.each(['keep', 'discard', 'send', 'regenerate', 'undiscard'] as const)('[E11] [P2] %s takes the end of an answer that could not be settled with it', async (way) => {
		const script: ScriptStep[] = [say('Good day'), finish()];
		const tab = openTab(new ScriptedModel(script));
		const { id } = await tab.ask('Good morning');
		const answer = (await tab.path(id)).at(-1)!;
		void script.splice(0, Infinity, say('Hel'), brokeOff);
		await tab.ask('Hi', id);
		const { sessionId: _, ...row } = (await tab.answers.get(id))!;
		const tail = { answer: { ...row, parts: spoken('lo') }, partsFrom: 0, textFrom: 3, fence: await new Trees(tab.db).fencingToken(id) };
		tab.tails.put(id, tail);
		void script.splice(0, Infinity, say('Yes'), finish());
		if (way === 'keep') await tab.turns.keep(id);
		if (way === 'send') await tab.ask('And?', id);
		if (way === 'regenerate') await read(await tab.turns.regenerate(id, answer.id));
		if (way === 'undiscard') {
			const earlier = { answer: { ...row, messageId: newId(), parts: spoken('Hi') }, status: 'failed' as const, stopReason: '' };
			await tab.answers.remove(id);
			tab.tails.put(id, { ...tail, answer: { ...row, parts: spoken('Hello') }, textFrom: 0 });
			await expect(tab.turns.undiscard(id, earlier)).rejects.toMatchObject({ code: 'answer-outdated' });
			await tab.turns.keep(id);
		}
		if (way === 'discard') expect(await tab.turns.discard(id)).toMatchObject({ answer: { parts: spoken('Hello') } });
		else expect(linesOf(await new Messages(tab.db).all(id))).toContain('assistant: Hello');
		expect(tab.tails.get(id)).toBeUndefined();
	});

	it('[E11] [Z9] one that breaks off while another answer is gone to gives way to what was shown when it is discarded, and comes back', async () => {
		const { id, script, ...tab } = await answered();
		const [, question, whole] = await tab.path(id);
		void script.splice(0, Infinity, say('Good'), brokeOff);
		await read(await tab.turns.regenerate(id, whole!.id));
		expect((await tab.db.positions.get(id))!.headId).toBe(question!.id);
		const discarded = (await tab.turns.discard(id))!;
		expect(linesOf(await tab.path(id)).slice(1)).toEqual(['user: Hi', 'assistant: Hello']);
		await tab.turns.undiscard(id, discarded);
		expect((await tab.db.positions.get(id))!.headId).toBe(question!.id);
		expect(await tab.answers.get(id)).toMatchObject({ parts: spoken('Good'), leaves: whole!.id });
	});

	it('[E11] [Z9] one that is shown nowhere becomes a message before another answer to the same question takes its place', async () => {
		const { id, script, ...tab } = await answered();
		const whole = (await tab.path(id)).at(-1)!;
		void script.splice(0, Infinity, say('Good'), brokeOff);
		await read(await tab.turns.regenerate(id, whole.id));
		await new Trees(tab.db).moveHead(id, whole.id, unfenced);
		void script.splice(0, Infinity, say('Welcome'), finish());
		await read(await tab.turns.regenerate(id, whole.id));
		expect(linesOf(await new Messages(tab.db).all(id)).slice(2).sort()).toEqual(['assistant: Good', 'assistant: Hello', 'assistant: Welcome']);
		expect(linesOf(await tab.path(id)).slice(1)).toEqual(['user: Hi', 'assistant: Welcome']);
	});

	it('[E11] [Z9] one that was shown becomes what a discarded Regenerate goes back to', async () => {
		const { id, script, ...tab } = await answered();
		const whole = (await tab.path(id)).at(-1)!;
		void script.splice(0, Infinity, say('Half'), brokeOff);
		await tab.ask('And?', id);
		void script.splice(0, Infinity, say('Good'), say(' day'), brokeOff);
		await read(await tab.turns.regenerate(id, whole.id));
		expect(await tab.answers.get(id)).toMatchObject({ parts: spoken('Good day') });
		await tab.turns.discard(id);
		expect(linesOf(await tab.path(id)).slice(1)).toEqual(['user: Hi', 'assistant: Hello', 'user: And?', 'assistant: Half']);
	});

	it('[E11] [Z9] what is left for a Regenerate is known also after its page went', async () => {
		const { id, script, ...tab } = await answered();
		const whole = (await tab.path(id)).at(-1)!;
		void script.splice(0, Infinity, say('Half'), brokeOff);
		await tab.ask('And?', id);
		const { headId } = (await tab.db.positions.get(id))!;
		void script.splice(0, Infinity, say('Good'), brokeOff);
		await read(await tab.turns.regenerate(id, whole.id));
		const { sessionId: _, ...row } = (await tab.answers.get(id))!;
		const fence = await new Trees(tab.db).fencingToken(id);
		tab.tails.put(id, { answer: { ...row, parts: spoken(' day'), leaves: headId }, partsFrom: 0, textFrom: 4, fence });
		await new TurnStore(tab.db, fence).settle(id, { tail: tab.tails.get(id)!, stopReason: '' });
		expect(await tab.answers.get(id)).toMatchObject({ parts: spoken('Good day') });
		await tab.turns.discard(id);
		expect(linesOf(await tab.path(id)).slice(-2)).toEqual(['user: And?', 'assistant: Half']);
	});

	it('[E11] [A14] an answer that begins in a chat that was deleted takes the place of no other that is unfinished there', async () => {
		const { db, answers, id } = await brokenOff();
		const part = (await answers.get(id))!;
		await new Trash(db).deleteSessionsUnfenced([id], 0);
		await answers.setDeletedUnfenced(id, { ...part, messageId: newId(), parts: spoken('Another') });
		expect(await answers.get(id)).toEqual(part);
	});

	it('[E11] [Z9] a Regenerate of the same question keeps the part that stands there, wherever it is asked for', async () => {
		const { id, script, ...tab } = await answered();
		const whole = (await tab.path(id)).at(-1)!;
		void script.splice(0, Infinity, say('Good'), brokeOff);
		await read(await tab.turns.regenerate(id, whole.id));
		void script.splice(0, Infinity, say('Welcome'), finish());
		await read(await tab.turns.regenerate(id, whole.id));
		expect(linesOf(await new Messages(tab.db).all(id)).slice(2).sort()).toEqual(['assistant: Good', 'assistant: Hello', 'assistant: Welcome']);
		expect(linesOf(await tab.path(id)).slice(1)).toEqual(['user: Hi', 'assistant: Welcome']);
	});

	it('[E11] [A14] what was discarded does not come back below a question that is deleted by then', async () => {
		const { db, turns, id } = await brokenOff();
		const discarded = (await turns.discard(id))!;
		await new Trees(db).removeBranch(id, (await new Messages(db).path(id)).at(-1)!.id, 0, unfenced);
		await expect(turns.undiscard(id, discarded)).rejects.toMatchObject({ code: 'message-absent' });
	});

	it('[E11] what was discarded comes back as a message where the chat has gone on', async () => {
		const { db, turns, id, script } = await brokenOff();
		const discarded = (await turns.discard(id))!;
		void script.splice(0, Infinity, say('Hello'), finish());
		await read(await turns.retry(id));
		await turns.undiscard(id, discarded);
		expect(linesOf(await new Messages(db).all(id)).slice(2).sort()).toEqual(['assistant: Hel', 'assistant: Hello']);
		expect((await new Messages(db).path(id)).at(-1)).toMatchObject({ parts: [{ text: 'Hello' }] });
	});

	it.each(['keep', 'send'] as const)('[E11] %s goes on where an unfinished answer has become a message elsewhere', async (way) => {
		const tab = openTab();
		const { id } = await tab.ask('Hi');
		const [, question, answer] = await tab.path(id);
		await tab.db.answers.put({ sessionId: id, messageId: answer!.id, parentId: question!.id, parts: spoken('Hel'), model: '', startedAt: 1 });
		await new Trees(tab.db).moveHead(id, question!.id, unfenced);
		if (way === 'keep') await tab.turns.keep(id);
		else await tab.ask('And?', id);
		expect(await tab.answers.get(id)).toBeUndefined();
		expect(linesOf(await new Messages(tab.db).all(id)).filter((line) => line === 'assistant: Hel')).toEqual([]);
	});

	it('[E11] neither keeps nor discards the draft of an answer that runs, here or in another tab', async () => {
		const { db, turns, answers, id, script } = await brokenOff();
		void script.splice(0, Infinity, say('Hel'), never);
		const { events } = await turns.retry(id);
		for await (const { type } of events) {
			if (type !== 'text-delta') continue;
			await expect(turns.keep(id)).rejects.toMatchObject({ code: 'answering' });
			await expect(turns.discard(id)).rejects.toMatchObject({ code: 'answering' });
			await expect(openTab(undefined, undefined, db).turns.keep(id)).rejects.toMatchObject({ code: 'open-elsewhere' });
			turns.stop(id);
		}
		expect(await answers.get(id)).toBeUndefined();
	});

	it('[E11] discard leaves the question, to be answered again', async () => {
		const { turns, answers, id, row, path } = await brokenOff();
		await turns.discard(id);
		expect(await answers.get(id)).toBeUndefined();
		expect(linesOf(await path(id)).slice(1)).toEqual(['user: Hi']);
		expect(await row(id)).toMatchObject({ status: 'interrupted' });
	});

	it('[E11] what was discarded can be had back, unless another answer is unfinished by then', async () => {
		const { turns, answers, id, row } = await brokenOff();
		const [before, { status, stopReason }] = [await answers.get(id), (await row(id))!];
		const discarded = await turns.discard(id);
		await turns.undiscard(id, discarded!);
		expect(await answers.get(id)).toEqual(before);
		expect(await row(id)).toMatchObject({ status, stopReason });
		await turns.discard(id);
		await read(await turns.retry(id));
		await expect(turns.undiscard(id, discarded!)).rejects.toMatchObject({ code: 'answer-outdated' });
		expect((await answers.get(id))?.messageId).not.toBe(discarded!.answer.messageId);
	});
});

it('[E11] a chat is no newer than its first message: what is said of that is still about it after a reload', async () => {
	let time = 1000;
	const tab = openTab(undefined, server, undefined, { clock: () => ++time });
	const { sessionId, parentId } = await tab.turns.send({ text: 'Hi' });
	const question = (await tab.path(sessionId)).find(({ id }) => id === parentId);
	expect((await tab.row(sessionId))!.updatedAt).toBe(question!.createdAt);
});

describe('answerBeside', () => {
	it('[A11] what runs by itself gives way to a second model too', async () => {
		const before = vi.fn(() => Promise.resolve());
		const tab = openTab(undefined, server, undefined, { beforeTurn: before });
		const { id } = await tab.ask('Hi');
		const [question] = await tab.path(id);
		before.mockClear();
		const started = await tab.turns.answerBeside(id, question!.id, server);
		expect(before).toHaveBeenCalledOnce();
		await read(started);
	});

	it('[Z9] its answer is counted after the first, also where its model is ready before, and waits for nothing of that', async () => {
		const model = new ScriptedModel([say('Hello'), finish()]);
		let letOpen = () => {};
		const openModel = vi.fn(() => Promise.resolve(model)).mockImplementationOnce(() => new Promise((resolve) => (letOpen = () => resolve(model))));
		const tab = openTab(model, server, undefined, { openModel });
		const started = await tab.turns.send({ text: 'Hi' });
		const first = read(started);
		const second = await read(await tab.turns.answerBeside(started.sessionId, started.parentId, server));
		letOpen();
		const [one, other] = [await first, second].map((events) => events.find(({ type }) => type === 'step-start') as { messageId: string });
		expect(other!.messageId > one!.messageId).toBe(true);
	});
});

describe('regenerate', () => {
	it('[Z9] answers the same question once more, beside the first answer', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Hi');
		const first = (await tab.path(id)).at(-1)!;
		await read(await tab.turns.regenerate(id, first.id));
		const second = (await tab.path(id)).at(-1)!;
		expect(second).toMatchObject({ role: 'assistant', parentId: first.parentId });
		expect(second.id).not.toBe(first.id);
		expect(tab.model.prompts[1]).toEqual(tab.model.prompts[0]);
		expect(await new Messages(tab.db).get(first.id)).toEqual(first);
	});

	it.each<[string, ScriptStep, 'failed' | 'interrupted']>([
		['fails', new AppError('server-down', 'The server is down.'), 'failed'],
		['is stopped', never, 'interrupted']
	])('[Z9] one that %s before its first word leaves the first answer where it was', async (_, step, status) => {
		const { id, script, ...tab } = await answered();
		await tab.ask('And?', id);
		const before = await tab.path(id);
		void script.splice(0, Infinity, step);
		const { events } = await tab.turns.regenerate(id, before[2]!.id);
		for await (const { type } of events) if (type === 'step-start' && status === 'interrupted') tab.turns.stop(id);
		expect(await tab.path(id)).toEqual(before);
		expect(await tab.row(id)).toMatchObject({ status });
	});

	it('[Z9] goes to the question with the first word of the new answer', async () => {
		const { id, script, ...tab } = await answered();
		await tab.ask('And?', id);
		const [, , first] = await tab.path(id);
		void script.splice(0, Infinity, say('Good'), never);
		const { events } = await tab.turns.regenerate(id, first!.id);
		for await (const { type } of events) {
			if (type === 'step-start') expect(await tab.path(id)).toHaveLength(5);
			if (type !== 'text-delta') continue;
			await expect.poll(() => tab.answers.get(id)).toMatchObject({ parts: spoken('Good'), parentId: first!.parentId });
			expect(linesOf(await tab.path(id)).slice(1)).toEqual(['user: Hi']);
			tab.turns.stop(id);
		}
		expect(linesOf(await tab.path(id)).slice(1)).toEqual(['user: Hi', 'assistant: Good']);
	});

	it('[E11] keeps an unfinished answer as a message of its own', async () => {
		const { id, script, ...tab } = await answered();
		const answer = (await tab.path(id)).at(-1)!;
		void script.splice(0, Infinity, say('Hel'), brokeOff);
		await tab.ask('And?', id);
		void script.splice(0, Infinity, say('Hello'), finish());
		await read(await tab.turns.regenerate(id, answer.id));
		const texts = (await new Messages(tab.db).all(id)).map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join());
		expect(texts.slice(1).sort()).toEqual(['And?', 'Hel', 'Hello', 'Hello', 'Hi']);
	});
});

describe('when another tab takes over', () => {
	it('[A5] the preempted turn ends and writes nothing; what was seen of it is kept once', async () => {
		const tab = openTab(new ScriptedModel([say('Hel'), never]));
		const { sessionId: id, events } = await tab.turns.send({ text: 'Hi' });
		const other = openTab(undefined, undefined, tab.db);
		let begun: Extract<TurnEvent, { type: 'step-start' }> | undefined;
		const seen: TurnEvent[] = [];
		for await (const event of events) {
			seen.push(event);
			if (event.type === 'step-start') begun = event;
			if (event.type !== 'text-delta') continue;
			const { type: _, ...answer } = begun!;
			other.seen.set(id, { ...answer, parts: spoken('Hel') });
			await other.writers.takeOver(id);
		}
		expect(seen.at(-1)).toEqual({ type: 'turn-end', status: 'interrupted' });
		expect(linesOf(await tab.path(id)).slice(1)).toEqual(['user: Hi']);
		expect(await tab.answers.get(id)).toMatchObject({ messageId: begun!.messageId, parts: spoken('Hel') });
		expect(await tab.row(id)).toMatchObject({ status: 'interrupted' });
		await expect(tab.turns.send({ text: 'And?' }, { sessionId: id })).rejects.toMatchObject({ code: 'open-elsewhere' });
		await other.turns.keep(id);
		expect(linesOf(await tab.path(id)).slice(1)).toEqual(['user: Hi', 'assistant: Hel']);
	});

	it('[A5] [E11] words that are still being written down at that moment go to the tab that takes over', async () => {
		const tab = openTab(new ScriptedModel([say('Hello'), never]));
		const journal = vi.spyOn(TurnStore.prototype, 'journal').mockReturnValue(new Promise(() => undefined));
		onTestFinished(() => journal.mockRestore());
		const { sessionId: id, events } = await tab.turns.send({ text: 'Hi' });
		for await (const { type } of events) {
			if (type !== 'text-delta') continue;
			await openTab(undefined, undefined, tab.db).writers.takeOver(id);
			expect(await tab.answers.get(id)).toMatchObject({ parts: spoken('Hello') });
			break;
		}
	});

	it('[A5] an answer that had become a message is not kept a second time', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Hi');
		const answer = (await tab.path(id)).at(-1)!;
		const other = openTab(undefined, undefined, tab.db);
		other.seen.set(id, { messageId: answer.id, parentId: answer.parentId!, parts: spoken('Hel'), model: 'parrot', startedAt: 0 });
		await other.writers.takeOver(id);
		expect(await tab.answers.get(id)).toBeUndefined();
		expect(await tab.row(id)).toMatchObject({ status: 'success' });
	});

	it('[A5] an answer that comes whole at that moment is refused by the fence', async () => {
		const gate = Promise.withResolvers<void>();
		const tab = openTab(new ScriptedModel([say('Hello'), gate.promise, finish()]));
		const { sessionId: id, events } = await tab.turns.send({ text: 'Hi' });
		// Not told that it was preempted, as a tab may be that was asleep: the lock is still its own, the fence is not.
		await new Trees(tab.db).raiseFence(id);
		gate.resolve();
		const all: TurnEvent[] = [];
		for await (const event of events) all.push(event);
		expect(all.at(-1)).toMatchObject({ type: 'turn-end', status: 'failed', failure: { code: 'taken-over' } });
		expect(linesOf(await tab.path(id)).slice(1)).toEqual(['user: Hi']);
	});
});

it('names in the session what answers', async () => {
	const file = { bytes: 1, sha256: '', architecture: 'llama', contextLength: 2048, hasChatTemplate: true };
	const model = { id: 'm', name: 'Tiny', ...file, createdAt: 0 };
	const tab = openTab(undefined, onThisDevice({ local: model }));
	const started = await tab.turns.send({ text: 'Hi' });
	expect(await tab.row(started.sessionId)).toMatchObject({ provider: 'on-device', model: 'Tiny' });
	await read(started);
	expect(await tab.row(started.sessionId)).toMatchObject({ model: 'parrot' });
});

it('[A11] sends less after a server has said how much it takes', async () => {
	const refusal = new ContextFull('Too long.', 4096);
	const tab = openTab(new ScriptedModel([refusal]));
	const { id } = await tab.ask('Hi');
	const planner = openPlanner(tab.db);
	expect((await planner.view((await planner.rows(id))!, server)).model).toMatchObject({ window: 4096, windowFrom: 'server' });
});

it('[A11] a turn that fails or is stopped is followed by no compaction; one that is whole tells what it sent, and took', async () => {
	const told: [string, number | undefined][] = [];
	const afterTurn = (id: string, _: unknown, usage: { inputTokens?: number }) => void told.push([id, usage.inputTokens]);
	const failed = openTab(new ScriptedModel([brokeOff]), server, openDatabase(), { afterTurn });
	await failed.ask('Hi');
	expect(told).toEqual([]);
	const whole = openTab(new ScriptedModel([say('Hello'), finish('stop', { input: 40, output: 2 })]), server, openDatabase(), { afterTurn });
	const { id } = await whole.ask('Hi');
	expect(told).toEqual([[id, 40]]);
});

describe('continue', () => {
	/** A session whose answer was cut off at the length limit; what comes next is written into its script. */
	async function cutOff() {
		const script: ScriptStep[] = [say('Red, gr'), finish('length')];
		const tab = openTab(new ScriptedModel(script));
		const { id } = await tab.ask('Colours?');
		const answer = (await tab.path(id)).at(-1)!;
		void script.splice(0, Infinity, say('een'), finish());
		return { ...tab, id, answer, script };
	}

	it('[A3] [E11] adds what comes below the answer, which stays as it is, and stores nothing of what it asks', async () => {
		const { id, answer, ...tab } = await cutOff();
		expect((await read(await tab.turns.continue(id, answer.id))).at(-1)).toEqual({ type: 'turn-end', status: 'success' });
		const path = await tab.path(id);
		expect(linesOf(path).slice(1)).toEqual(['user: Colours?', 'assistant: Red, gr', 'assistant: een']);
		expect(path[2]).toEqual(answer);
		expect(tab.model.prompts[1]!.slice(1)).toEqual([
			{ role: 'user', content: [{ type: 'text', text: 'Colours?' }] },
			{ role: 'assistant', content: [{ type: 'text', text: 'Red, gr' }] },
			{ role: 'user', content: [{ type: 'text', text: expect.stringContaining('Continue your last answer') as string }] }
		]);
		await tab.ask('More', id);
		expect(tab.model.prompts[2]!.slice(1).map(({ content }) => content)).toEqual([
			[{ type: 'text', text: 'Colours?' }],
			[{ type: 'text', text: 'Red, gr' }, { type: 'text', text: 'een' }],
			[{ type: 'text', text: 'More' }]
		]);
	});

	it('[E11] keeps a part that breaks off below the answer, to be retried from there, kept or discarded', async () => {
		const { id, answer, script, ...tab } = await cutOff();
		void script.splice(0, Infinity, say('e'), brokeOff);
		await read(await tab.turns.continue(id, answer.id));
		expect(await tab.answers.get(id)).toMatchObject({ parentId: answer.id, parts: spoken('e') });
		const discarded = (await tab.turns.discard(id))!;
		expect(linesOf(await tab.path(id)).at(-1)).toBe('assistant: Red, gr');
		await tab.turns.undiscard(id, discarded);
		void script.splice(0, Infinity, say('een'), finish());
		await read(await tab.turns.retry(id));
		expect(linesOf(await tab.path(id)).slice(2)).toEqual(['assistant: Red, gr', 'assistant: een']);
		expect(JSON.stringify(tab.model.prompts.at(-1))).toContain('Continue your last answer');
		const both = (await new Messages(tab.db).all(id)).filter(({ parentId }) => parentId === answer.id);
		expect(both.map(({ parts }) => parts)).toEqual(expect.arrayContaining([spoken('e'), spoken('een')]));
	});

	it('[E11] keeps a part that broke off, and adds what comes below that', async () => {
		const { id, answer, script, ...tab } = await cutOff();
		void script.splice(0, Infinity, say('e'), brokeOff);
		await read(await tab.turns.continue(id, answer.id));
		const { messageId } = (await tab.answers.get(id))!;
		void script.splice(0, Infinity, say('en'), finish());
		await read(await tab.turns.continue(id, messageId));
		expect(linesOf(await tab.path(id)).slice(2)).toEqual(['assistant: Red, gr', 'assistant: e', 'assistant: en']);
		expect((await tab.path(id))[3]).toMatchObject({ id: messageId, finishReason: 'stopped' });
		expect(await tab.answers.get(id)).toBeUndefined();
	});

	it('[Z9] goes on again with another version, and with no message that is no answer', async () => {
		const { id, answer, ...tab } = await cutOff();
		await read(await tab.turns.continue(id, answer.id));
		await read(await tab.turns.regenerate(id, (await tab.path(id)).at(-1)!.id));
		expect(JSON.stringify(tab.model.prompts[2])).toBe(JSON.stringify(tab.model.prompts[1]));
		expect((await new Messages(tab.db).all(id)).filter(({ parentId }) => parentId === answer.id)).toHaveLength(2);
		await expect(tab.turns.continue(id, answer.parentId!)).rejects.toMatchObject({ code: 'message-absent' });
		await expect.poll(() => isAnswered(id)).toBe(false);
	});
});
