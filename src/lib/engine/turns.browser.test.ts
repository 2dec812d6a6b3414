import { describe, expect, it } from 'vitest';
import { contentOf, openDatabase } from '../../../tests/fixtures/database';
import { finish, never, say, ScriptedModel } from '../../../tests/fixtures/scripted-model';
import type { Message } from '../conversation/message';
import { answeringSessions, holdAnswering } from '../locks/answering';
import { AppError } from '../shared/app-error';
import { systemClock } from '../shared/clock';
import { newId } from '../shared/id';
import { Drafts } from '../storage/drafts';
import { Messages } from '../storage/messages';
import { Sessions } from '../storage/sessions';
import { defaultSystemPrompt, Settings } from '../storage/settings';
import type { AnswerSource } from './answer-source';
import type { TurnEvent } from './turn';
import { Turns, type StartedTurn } from './turns';

const { locks } = navigator;
const provider = { id: 'p', name: 'Workstation', baseUrl: 'http://localhost/v1', createdAt: 0 };
const server: AnswerSource = { kind: 'server', provider, model: 'parrot' };
const brokeOff = new AppError('server-broke-off', 'The server broke off.');

/** A tab whose answers all come from `model`. */
function openTab(model = new ScriptedModel([say('Hello'), finish()]), source: AnswerSource = server) {
	const db = openDatabase();
	const turns = new Turns({
		db,
		locks,
		newId,
		clock: systemClock,
		surface: 'web',
		source: () => Promise.resolve(source),
		openModel: () => Promise.resolve(model)
	});
	const drafts = new Drafts(db);
	const messages = new Messages(db);
	return {
		db,
		turns,
		model,
		drafts,
		settings: new Settings(db),
		row: (id: string) => new Sessions(db).get(id),
		path: (id: string) => messages.path(id),
		/** Sends and reads the answer to its end. */
		ask: async (text: string, sessionId?: string) => {
			const started = await turns.send(text, sessionId);
			return { id: started.sessionId, end: (await read(started)).at(-1) };
		}
	};
}

async function read({ events }: StartedTurn): Promise<TurnEvent[]> {
	const all: TurnEvent[] = [];
	for await (const event of events) all.push(event);
	return all;
}

function linesOf(path: Message[]): string[] {
	return path.map(({ role, parts }) => `${role}: ${parts.map((part) => ('text' in part ? part.text : '')).join()}`);
}

describe('send', () => {
	it('[A1] [Z2] makes a session below its system prompt, and answers', async () => {
		const tab = openTab();
		const started = await tab.turns.send('  What is\n\nnew? ');
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
		expect(await answeringSessions(locks)).toEqual([started.sessionId]);
		expect((await read(started)).at(-1)).toEqual({ type: 'turn-end', status: 'success' });
		expect(linesOf(await tab.path(started.sessionId)).at(-1)).toBe('assistant: Hello');
		await expect.poll(() => answeringSessions(locks)).toEqual([]);
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

	it('[E12] sends a prompt that begins, byte for byte, as the one before', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Hi');
		await tab.ask('And?', id);
		const [first, second] = tab.model.prompts.map((prompt) => JSON.stringify(prompt));
		expect(second!.startsWith(first!.slice(0, -1))).toBe(true);
		expect(tab.model.prompts[1]).toHaveLength(4);
	});

	it('[A1] stores nothing where nothing answers yet', async () => {
		const tab = openTab(undefined, { kind: 'none' });
		await expect(tab.turns.send('Hi')).rejects.toMatchObject({ name: 'AppError', code: 'no-source' });
		expect(Object.values(await contentOf(tab.db)).flat()).toEqual([]);
	});

	it('stores nothing while another tab answers in the session', async () => {
		const tab = openTab();
		const { id } = await tab.ask('Hi');
		const before = await contentOf(tab.db);
		const release = await holdAnswering(locks, id);
		const elsewhere = { name: 'AppError', code: 'answering-elsewhere', retryable: true };
		await expect(tab.turns.send('And?', id)).rejects.toMatchObject(elsewhere);
		await expect(tab.turns.retry(id)).rejects.toMatchObject(elsewhere);
		expect(await contentOf(tab.db)).toEqual(before);
		release!();
		expect((await tab.ask('And?', id)).end).toMatchObject({ status: 'success' });
	});

	it('frees the session where the message can not be stored', async () => {
		const tab = openTab();
		await expect(tab.turns.send('Hi', 'no such session')).rejects.toThrow('not there');
		tab.db.close();
		await expect(tab.turns.send('Hi')).rejects.toMatchObject({ code: 'storage-refused' });
		await expect.poll(() => answeringSessions(locks)).toEqual([]);
	});

	it('[E11] keeps the part of an answer that the person wrote on below', async () => {
		const tab = openTab(new ScriptedModel([say('Hel'), brokeOff]));
		const { id } = await tab.ask('Hi');
		expect((await tab.drafts.get(id))?.answer).toMatchObject({ text: 'Hel' });
		const started = await tab.turns.send('Never mind', id);
		expect(await tab.drafts.get(id)).toBeUndefined();
		await read(started);
		expect(linesOf(await tab.path(id)).slice(1)).toEqual(['user: Hi', 'assistant: Hel', 'user: Never mind']);
	});
});

describe('stop', () => {
	it('keeps what has streamed, and frees the session', async () => {
		const tab = openTab(new ScriptedModel([say('Hel'), never]));
		const { sessionId, events } = await tab.turns.send('Hi');
		for await (const { type } of events) if (type === 'text-delta') tab.turns.stop(sessionId);
		expect(linesOf(await tab.path(sessionId)).at(-1)).toBe('assistant: Hel');
		await expect.poll(() => answeringSessions(locks)).toEqual([]);
	});

	it('ends also a turn whose events are not read yet', async () => {
		const tab = openTab(new ScriptedModel([say('Hello'), finish()]));
		const started = await tab.turns.send('Hi');
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
		const script = [say('Hel'), brokeOff];
		const tab = openTab(new ScriptedModel(script));
		const { id, end } = await tab.ask('Hi');
		expect(end).toMatchObject({ status: 'failed', failure: brokeOff });
		return { ...tab, id, script };
	}

	it('[E11] retry begins anew, without the draft, from the stored message', async () => {
		const { turns, drafts, id, row, path, script } = await brokenOff();
		script.splice(0, Infinity, say('Hello'), finish());
		const started = await turns.retry(id);
		expect(await drafts.get(id)).toBeUndefined();
		expect(await row(id)).toMatchObject({ status: 'running', stopReason: '' });
		expect((await read(started)).at(-1)).toEqual({ type: 'turn-end', status: 'success' });
		expect(linesOf(await path(id)).slice(1)).toEqual(['user: Hi', 'assistant: Hello']);
	});

	it('[E11] keep makes a message of the draft, once', async () => {
		const { turns, drafts, id, row, path } = await brokenOff();
		const [first, second] = await Promise.allSettled([turns.keep(id), turns.keep(id)]);
		expect([first!.status, second!.status]).toEqual(['fulfilled', 'rejected']);
		await turns.keep(id);
		expect(linesOf(await path(id)).slice(1)).toEqual(['user: Hi', 'assistant: Hel']);
		expect((await path(id)).at(-1)).toMatchObject({ model: 'parrot', finishReason: 'stopped' });
		expect(await drafts.get(id)).toBeUndefined();
		expect(await row(id)).toMatchObject({ status: 'interrupted', messageCount: 3 });
	});

	it('[E11] neither keeps nor discards the draft of an answer that runs', async () => {
		const { turns, drafts, id } = await brokenOff();
		const before = await drafts.get(id);
		const release = await holdAnswering(locks, id);
		await expect(turns.keep(id)).rejects.toMatchObject({ code: 'answering-elsewhere' });
		await expect(turns.discard(id)).rejects.toMatchObject({ code: 'answering-elsewhere' });
		expect(await drafts.get(id)).toEqual(before);
		release!();
	});

	it('[E11] discard leaves the question, to be answered again', async () => {
		const { turns, drafts, id, row, path } = await brokenOff();
		await turns.discard(id);
		expect(await drafts.get(id)).toBeUndefined();
		expect(linesOf(await path(id)).slice(1)).toEqual(['user: Hi']);
		expect(await row(id)).toMatchObject({ status: 'interrupted' });
	});
});

it('names in the session what answers', async () => {
	const file = { bytes: 1, sha256: '', architecture: 'llama', contextLength: 2048, hasChatTemplate: true };
	const model = { id: 'm', name: 'Tiny', ...file, createdAt: 0 };
	const tab = openTab(undefined, { kind: 'on-device', model });
	const started = await tab.turns.send('Hi');
	expect(await tab.row(started.sessionId)).toMatchObject({ provider: 'on-device', model: 'Tiny' });
	await read(started);
	expect(await tab.row(started.sessionId)).toMatchObject({ model: 'parrot' });
});
