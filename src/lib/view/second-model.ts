import { goto } from '$app/navigation';
import { SvelteMap } from 'svelte/reactivity';
import type { ModelChoice } from '../app/choose-model';
import type { TurnEvent } from '../engine/turns/turn';
import { regenerate } from './answers';
import { compared, type ComparedAnswers } from './compared.svelte';
import { notify, reportFailure } from './notices.svelte';
import { keepInTab, keptInTab, nameInSession } from './tab-text';
import { chatPath } from './temporary';
import { sent, turnOf } from './turns.svelte';

/** A model that is asked beside that of a chat. */
export interface SecondModel {
	name: string;
	choice: ModelChoice;
}

type Ending = Extract<TurnEvent, { type: 'turn-end' }>['status'];

/** Time for which the two answers are offered to be compared, in milliseconds, unless the next two are. */
const offered = 20_000;

/** Takes the last such offer away. */
let endOffer = () => {};

/** Stands for a new chat. */
const newChat = '';

/** The second models of this tab, by chat; undefined where there is none. What was not asked of yet is as the tab has kept it. */
const models = new SvelteMap<string, SecondModel | undefined>();

/** The second answers that are still to come, by chat: resolved with how their turns ended. */
const coming = new Map<string, Promise<Ending>>();

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
	void reportFailure(() => askSecond(sessionId, model));
};

/** Has another model answer what was just sent, as a version beside the first answer, and offers to compare the two. */
async function askSecond(sessionId: string, model: SecondModel): Promise<void> {
	let answers: ComparedAnswers['answers'] | undefined;
	const ending = askAfterFirst(sessionId, model, (both) => (answers = both)).finally(() => coming.get(sessionId) === ending && coming.delete(sessionId));
	coming.set(sessionId, ending);
	await ending;
	if (!answers) return;
	const both = { sessionId, answers };
	endOffer();
	endOffer = notify({ text: `${model.name} has answered too.`, action: { label: 'Compare', run: () => show(both) }, milliseconds: offered });
}

async function show(both: ComparedAnswers): Promise<void> {
	await goto(chatPath(both.sessionId));
	compared.current = both;
}

/** Resolves with how a turn ended, or the one of a second model that follows it. */
export async function endOfTurns(sessionId: string, turn: { over: Promise<Ending> }): Promise<Ending> {
	const ending = await turn.over;
	return (await coming.get(sessionId)?.catch(() => 'failed' as const)) ?? ending;
}

/** Asks once the first model has answered, since one turn runs in a chat at a time; not where that one was stopped or failed. */
async function askAfterFirst(sessionId: string, model: SecondModel, onboth: (answers: ComparedAnswers['answers']) => void): Promise<Ending> {
	const first = turnOf(sessionId)!;
	const ending = await first.over;
	const { answer } = first;
	if (ending !== 'success' || !answer) return ending;
	// In the next task the turn has let go of the session.
	await new Promise((resolve) => setTimeout(resolve));
	// The user may have thought better of it.
	if (JSON.stringify(secondModelOf(sessionId)) !== JSON.stringify(model)) return ending;
	await regenerate(sessionId, answer.messageId, model.choice);
	const second = turnOf(sessionId)!;
	const last = await second.over;
	if (last === 'success' && second.answer) {
		onboth([
			{ id: answer.messageId, model: answer.model },
			{ id: second.answer.messageId, model: model.name }
		]);
	}
	return last;
}
