import type { StrategyName } from '../conversation/boundary';
import type { ContextOverrides } from '../conversation/context-settings';
import { filesOf } from '../conversation/message';
import type { Unsent } from '../conversation/unsent';
import type { AnswerSource } from '../engine/providers/answer-source';
import type { ContextView } from '../engine/turns/context-view';
import type { ModelProfile } from '../engine/turns/model-profile';
import { AppError } from '../shared/app-error';
import { readContext, type ContextRows } from '../storage/context-rows';
import { Contexts } from '../storage/contexts';
import { Messages } from '../storage/messages';
import { answerProviders } from './answer-providers';
import { answerSource } from './answer-source';
import { attachments } from './attachments';
import { db, settings } from './environment';
import { parameters } from './parameters';
import { chosen, openPlanner } from './planner';
import { writers } from './writers';

const [contexts, messages] = [new Contexts(db), new Messages(db)];

/**
 * The context of a session, as the model sees it [S7]. Pinning and excluding throw an AppError where another tab has the session open;
 * its settings can be changed from any tab.
 */
export const context = {
	/** Reads rows only, so that a live query can follow it. */
	rows: (sessionId: string, at?: string) => readContext(db, sessionId, at),
	/** Returns what the next turn would send, and why, with the unsent text as its last message. */
	view: async (rows: ContextRows, unsent?: Unsent): Promise<ContextView> => {
		const [planner, source] = await Promise.all([openPlanner(), answerSource(rows.session.id)]);
		return planner.view(withNextPrompt(rows), source, unsent);
	},
	payload,
	/** Returns the id of the message from which on the next turn sends the chat; undefined where it sends all of it. */
	sentFrom: async (rows: ContextRows): Promise<string | undefined> => (await openPlanner()).sentFrom(rows, await answerSource(rows.session.id)),
	/** Returns the strategy of a compaction for which none is named. */
	strategy: async (rows: ContextRows): Promise<StrategyName> => (await openPlanner()).strategy(rows, await answerSource(rows.session.id)),
	/** Tells what is known of the model of a source, without what the user says of it. */
	profile: async (source: AnswerSource): Promise<ModelProfile> => (await openPlanner()).profile(source),
	pin: (sessionId: string, messageId: string, wanted: boolean) =>
		writers.asWriter(sessionId, async (fence) => {
			await messages.require(sessionId, messageId);
			await contexts.pin(sessionId, messageId, wanted, fence);
		}),
	exclude: (sessionId: string, messageId: string, wanted: boolean) =>
		writers.asWriter(sessionId, async (fence) => {
			await messages.require(sessionId, messageId);
			await contexts.exclude(sessionId, messageId, wanted, fence);
		}),
	setSession: (sessionId: string, overrides: ContextOverrides) => contexts.setOverridesUnfenced(sessionId, overrides),
	setPersona: async (persona: string, overrides: ContextOverrides): Promise<void> => {
		await settings.change('contextByPersona', ({ [persona]: _, ...others }: Record<string, ContextOverrides> = {}) => {
			const all: typeof others = Object.keys(overrides).length > 0 ? { ...others, [persona]: overrides } : others;
			return Object.keys(all).length > 0 ? all : undefined;
		});
	},
	setEverywhere: (overrides: ContextOverrides) => settings.set('context', overrides)
};

/** Puts the prompt that the next message brings with it in the place of the one in force. */
function withNextPrompt(rows: ContextRows): ContextRows {
	return { ...rows, system: rows.nextSystem ?? rows.system };
}

/**
 * Exactly what the next turn of a session would send, along the path to the head or to `at`, as JSON. Throws AppErrors
 * where there is no session, or no source.
 */
async function payload(sessionId: string, unsent?: Unsent, at?: string): Promise<string> {
	const [planner, source, rows, [{ toPrompt }, { toCallSettings }, { offered }, inForce]] = await Promise.all([
		openPlanner(),
		answerSource(sessionId).then(chosen),
		readContext(db, sessionId, at),
		Promise.all([import('../engine/turns/prompt'), import('../engine/turns/call-settings'), import('../engine/turns/toolbox'), parameters.inForce(sessionId)])
	]);
	if (!rows) throw new AppError('session-absent', `There is no chat ${sessionId} in this browser.`);
	const toolbox = await planner.toolbox(sessionId, source);
	const { items, ...plan } = (await planner.view(withNextPrompt(rows), source, unsent, toolbox.tools)).plan;
	const files = await attachments.getMany(items.flatMap((item) => filesOf(item).map(({ attachmentId }) => attachmentId)));
	const provider = await answerProviders.of(source);
	const prompt = await toPrompt({ ...plan, items }, files, { model: { provider: '', modelId: source.model }, hasTools: toolbox.tools.length > 0 });
	return JSON.stringify(await provider.requestBody(source, { prompt, ...toCallSettings(inForce), ...offered(toolbox) }), null, '\t');
}
