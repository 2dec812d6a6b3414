import { SvelteMap } from 'svelte/reactivity';
import type { ModelChoice } from '../app/choose-model';
import { AppError } from '../shared/app-error';
import { announcementOf } from './announcement-of';
import { failureOf } from './attempt';
import { keepInTab, keptInTab, nameInSession } from './tab-text';
import { announcement, openTurns, RunningTurn, sent, turnOf } from './turns.svelte';

/** A model that is asked beside that of a chat. */
export interface SecondModel {
	name: string;
	choice: ModelChoice;
}

/** Stands for a new chat. */
const newChat = '';

/** The second models of this tab, by chat; undefined where there is none. What was not asked of yet is as the tab has kept it. */
const models = new SvelteMap<string, SecondModel | undefined>();

/** Returns the model that is asked too in a chat; in a new one if undefined. */
export function secondModelOf(chatId: string | undefined): SecondModel | undefined {
	const id = chatId ?? newChat;
	return models.has(id) ? models.get(id) : keptInTab(nameInSession(id, 'second'));
}

/** Has a model asked too in a chat from the next message on, until the tab is closed; none if undefined. */
export function chooseSecondModel(chatId: string | undefined, model: SecondModel | undefined): void {
	const id = chatId ?? newChat;
	models.set(id, model);
	keepInTab(nameInSession(id, 'second'), model);
}

sent.on = (sessionId, isFirst) => {
	const model = secondModelOf(isFirst ? newChat : sessionId);
	if (!model) return;
	if (isFirst) {
		chooseSecondModel(newChat, undefined);
		chooseSecondModel(sessionId, model);
	}
	void askSecond(sessionId, model);
};

/** Asks the second model of two answers again, in the place of what it has failed with. */
export function askSecondAgain(sessionId: string): Promise<void> {
	const { name, choice, parentId } = turnOf(sessionId)!.beside!;
	return askSecond(sessionId, { name: name!, choice: choice! }, parentId);
}

/**
 * Has another model answer what was sent, beside the first answer, which it is shown with until one of the two is kept. The first may be below
 * results of tools by the time that the second is asked again.
 */
async function askSecond(sessionId: string, { name, choice }: SecondModel, parentId = turnOf(sessionId)!.parentId): Promise<void> {
	const first = turnOf(sessionId)!;
	const turn = new RunningTurn(name);
	turn.parentId = parentId;
	turn.choice = choice;
	first.beside = turn;
	const isAlong = first.live;
	let ending: Awaited<typeof first.over> | undefined;
	void first.over.then((status) => (ending = status));
	try {
		const [engine, { sourceOfChoice }, { answerSource }] = await Promise.all([openTurns(), import('../app/choose-model'), import('../app/answer-source')]);
		const [asked, firsts] = await Promise.all([sourceOfChoice(choice), answerSource(sessionId)]);
		// A device has room for one model at a time.
		if (!asked.leavesDevice && !firsts?.leavesDevice) await first.over;
		if (isAlong && ending === 'interrupted') throw new AppError('not-asked', 'Not asked: the first answer was stopped.');
		const { events } = await engine.answerBeside(sessionId, parentId!, asked);
		for await (const event of events) turn.take(event);
	} catch (error) {
		turn.take({ type: 'turn-end', status: 'failed', failure: failureOf(error) });
	}
	announcement.text = announcementOf(name, turn);
}
