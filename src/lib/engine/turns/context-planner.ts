import { environmentText } from '../../context/environment';
import { estimateMessage, estimateTokens } from '../../context/estimate';
import { unsentId, type OutReason, type PlanItem } from '../../context/plan';
import { reserveOf, selectContext } from '../../context/select';
import { summaryText } from '../../context/summary-text';
import { isDue, sinceOf, triggersOf } from '../../context/triggers';
import type { StrategyName } from '../../conversation/boundary';
import { strategyFor } from '../../conversation/context-settings';
import { filesOf, sizeOf, type Message, type Usage } from '../../conversation/message';
import { homeWorkspace } from '../../conversation/session';
import type { Unsent } from '../../conversation/unsent';
import type { Clock } from '../../shared/clock';
import { Attachments } from '../../storage/attachments';
import { Calibrations } from '../../storage/calibrations';
import { readContext, type ContextRows } from '../../storage/context-rows';
import type { Database } from '../../storage/database';
import type { Attachment } from '../../storage/tables/attachments';
import type { Calibration } from '../../storage/tables/calibrations';
import type { Tool } from '../../tools/tool';
import type { AnswerSource } from '../providers/answer-source';
import type { ProviderRegistry } from '../providers/registry';
import type { CountedModel, PromptCounter, TokenCounts } from '../tokens/token-counts';
import type { ContextView } from './context-view';
import { profileOf, type ModelProfile, type Stated } from './model-profile';
import { toolTokens, type OpenToolbox, type Toolbox } from './toolbox';

/** Ports that planning needs. */
export interface PlannerPorts {
	db: Database;
	clock: Clock;
	counts: TokenCounts;
	providers: Pick<ProviderRegistry, 'find'>;
	openToolbox: OpenToolbox;
}

/** The least window that is guessed, in tokens. */
const minGuess = 2048;

/** Bytes that a UTF-16 unit takes at most. */
const maxBytes = 3;

/** Reasons for which the older messages of a chat are not sent, without the user’s doing. */
const leftOut: OutReason[] = ['count', 'budget', 'stride', 'dropped'];

/** Number of the last counts that are told. */
const toldErrors = 5;

/** From rows to what the model is sent: the window of the model, its way of counting, and the selection. */
export class ContextPlanner {
	/** Windows in tokens that are tried since a server refused a prompt and named none, by the key of its model. */
	private readonly guesses = new Map<string, number>();

	constructor(private readonly ports: PlannerPorts) {}

	/** Reads the rows to plan with, along the path to the head or to `at`; undefined where there is no such session. */
	rows(sessionId: string, at?: string): Promise<ContextRows | undefined> {
		return readContext(this.ports.db, sessionId, at);
	}

	/** Tells what is known of the model of a source, without what the user says of it. */
	async profile(source: AnswerSource | undefined): Promise<ModelProfile> {
		return profileOf(source, await this.statedOf(source));
	}

	/** Returns the strategy of a compaction for which none is named. */
	async strategy({ settings }: Pick<ContextRows, 'settings'>, source: AnswerSource | undefined): Promise<StrategyName> {
		return strategyFor(settings, await this.profile(source));
	}

	/** Opens what the model of `source` may call in a session. */
	toolbox(sessionId: string, source: AnswerSource): Promise<Toolbox> {
		return this.ports.openToolbox(sessionId, source);
	}

	/**
	 * Plans what the next turn sends to `source`, and says why; where none is chosen, to a model of which nothing is known. What may be called is
	 * what the user chose for the session, unless it is given.
	 */
	async view(rows: ContextRows, source: AnswerSource | undefined, unsent?: Unsent, given?: readonly Tool[]): Promise<ContextView> {
		const { settings, boundary } = rows;
		const path = unsent ? [...rows.path, messageOf(unsent, rows)] : rows.path;
		const environment = boundary ? this.environmentOf(rows) : '';
		const calibration = calibrationOf(rows, source);
		const model = await this.profileWithin(rows, source);
		const texts = [rows.system, ...(boundary ? [summaryText(boundary.summary), environment] : [])];
		const count = await this.counterFor(source, calibration, [...rows.olderKept, ...path], texts);
		const tools = given ?? (source ? (await this.toolbox(rows.session.id, source)).tools : []);
		const plan = selectContext({
			system: rows.system,
			path,
			questionId: rows.questionId,
			olderKept: rows.olderKept,
			unread: rows.unread,
			boundary,
			pins: new Set(rows.pins),
			excludes: new Set(rows.excludes),
			settings,
			maxAnswer: rows.maxAnswer,
			window: model.window,
			toolTokens: toolTokens(tools),
			overhead: count.frame(rows.system !== '' || boundary !== undefined),
			environment,
			count
		});
		const strategy = strategyFor(settings, model);
		const sinceDepth = boundary?.madeAtDepth ?? 0;
		const since = sinceOf(path.filter(({ depth }) => depth > sinceDepth), count);
		const triggers = triggersOf({ ...since, messages: rows.endDepth - sinceDepth + (unsent ? 1 : 0) }, plan, settings, strategy);
		return {
			rows,
			plan,
			model,
			counting: { kind: count.kind, errors: errorsOf(calibration) },
			triggers,
			compactsBy: settings.autoCompact && isDue(triggers) ? strategy : undefined
		};
	}

	/**
	 * Returns the id of the first message that the next turn sends, pinned ones and the question aside, where older ones are left out for their number or for
	 * lack of room; undefined where none are. Counts tokens only where there may be no room.
	 */
	async sentFrom(rows: ContextRows, source: AnswerSource | undefined): Promise<string | undefined> {
		const isCut = rows.unread.count > rows.unread.covered;
		if (!isCut && (await this.fitsAnyway(rows, source))) return undefined;
		const { items } = (await this.view(rows, source)).plan;
		const isLeftOut = ({ state }: PlanItem) => !state.in && leftOut.includes(state.reason);
		const first = items.find(({ state }) => state.in && state.reason !== 'pinned' && state.reason !== 'question');
		return isCut || items.some(isLeftOut) ? first?.message.id : undefined;
	}

	/** Counts for `source`, ready for these messages of a session and for its system prompt; anything else is estimated. */
	counter(rows: ContextRows, source: AnswerSource | undefined, messages: Message[]): Promise<PromptCounter> {
		return this.counterFor(source, calibrationOf(rows, source), messages, [rows.system]);
	}

	/** Remembers what a prompt really took, so that the next estimates are nearer; but for one with files or tools, whose size is a guess. */
	async learn({ plan, model }: Pick<ContextView, 'plan' | 'model'>, { inputTokens }: Usage): Promise<void> {
		const sent = plan.items.filter(({ state }) => state.in);
		if (!inputTokens || plan.toolTokens > 0 || sent.some((item) => filesOf(item).length > 0)) return;
		const texts = [plan.system, plan.summary?.text ?? '', plan.environment].reduce((sum, text) => sum + estimateTokens(text), 0);
		const raw = sent.reduce((sum, { message, parts }) => sum + estimateMessage({ ...message, parts }), texts);
		const told = { shown: plan.totals.total, actual: inputTokens };
		this.ports.counts.learn(model.key, { messages: sent.length, ...told });
		await new Calibrations(this.ports.db).learn(model.key, { raw, ...told, at: this.ports.clock() });
	}

	/**
	 * Remembers the window that a server named when it refused a prompt. Where it named none, and nothing else tells, this page goes on with one in which a
	 * quarter of that prompt has no room: no less than what was accepted before, and never for longer than the page, since it is a guess.
	 */
	async learnWindow(source: AnswerSource, window: number | 'less', { plan, model, rows }: Pick<ContextView, 'plan' | 'model' | 'rows'>): Promise<void> {
		if (window !== 'less') return new Calibrations(this.ports.db).learnWindow(source.key, window);
		if (model.windowFrom !== 'unknown') return;
		const { samples = [] } = calibrationOf(rows, source) ?? {};
		const prompt = Math.max(minGuess / 2, Math.floor(0.75 * (plan.totals.total + plan.toolTokens)), ...samples.map(({ actual }) => actual));
		// No more than half of a window is kept free for the answer, unless that may be longer.
		this.guesses.set(source.key, prompt + Math.min(plan.reserve, Math.max(prompt, rows.maxAnswer ?? 0)));
	}

	/** Tells whether everything has room however its tokens are counted: a token is a byte at least. */
	private async fitsAnyway(rows: ContextRows, source: AnswerSource | undefined): Promise<boolean> {
		const { path, olderKept, system, settings, maxAnswer } = rows;
		const messages = [...olderKept, ...path];
		if (messages.length > settings.contextMessages || messages.some((message) => filesOf(message).length > 0)) return false;
		const { window } = await this.profileWithin(rows, source);
		const bytes = messages.reduce((sum, message) => sum + maxBytes * sizeOf(message), maxBytes * system.length);
		return bytes <= window - reserveOf({ settings, maxAnswer, window });
	}

	/** Tells what is known of a model in a chat: also what the user says of it, and what was learnt. */
	private async profileWithin(rows: ContextRows, source: AnswerSource | undefined): Promise<ModelProfile> {
		const profile = profileOf(source, await this.statedOf(source), { said: rows.settings.contextWindows, learnt: calibrationOf(rows, source)?.window });
		const guess = profile.windowFrom === 'unknown' ? this.guesses.get(profile.key) : undefined;
		return guess === undefined ? profile : { ...profile, window: guess };
	}

	/** Of a provider that this version does not know, nothing is known; that there is none is said where the model is opened. */
	private async statedOf(source: AnswerSource | undefined): Promise<Stated> {
		const provider = source && (await this.ports.providers.find(source.protocol));
		return provider ? { ...provider.window(source), canSummarise: provider.canSummarise(source) } : {};
	}

	private async counterFor(
		source: AnswerSource | undefined,
		calibration: Calibration | undefined,
		messages: Message[],
		texts: string[]
	): Promise<PromptCounter> {
		const { counts, providers } = this.ports;
		const ids = new Set(messages.flatMap((message) => filesOf(message).map(({ attachmentId }) => attachmentId)));
		const files = await new Attachments(this.ports.db).getMany([...ids]);
		const vocabulary = source && (await providers.find(source.protocol))?.vocabulary(source);
		const counted: CountedModel = { key: source?.key ?? '', vocabulary };
		return counts.counterFor(counted, messages, texts, calibration, (attachmentId) => fileTokens(files.get(attachmentId)));
	}

	private environmentOf({ session, notes, todo }: ContextRows): string {
		const now = new Date(this.ports.clock());
		const two = (number: number) => String(number).padStart(2, '0');
		return environmentText({
			day: `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`,
			...(session.persona ? { persona: session.persona } : {}),
			...(session.workspace === homeWorkspace ? {} : { workspace: session.workspace }),
			notes,
			todo
		});
	}
}

function messageOf({ text, attachments }: Unsent, { session, endId, endDepth }: ContextRows): Message {
	return {
		id: unsentId,
		sessionId: session.id,
		parentId: endId,
		depth: endDepth + 1,
		role: 'user',
		parts: [...(text ? [{ type: 'text' as const, text }] : []), ...attachments],
		createdAt: session.updatedAt
	};
}

/** A file that is sent as text: its name and fence aside, as long as the bytes of that say. */
function fileTokens(attachment: Attachment | undefined): number {
	return attachment && !attachment.mediaType.startsWith('image/') ? Math.ceil((attachment.extract?.text.size ?? attachment.bytes) / 4) + 8 : 8;
}

function calibrationOf({ calibrations }: ContextRows, source: AnswerSource | undefined): Calibration | undefined {
	return calibrations.find(({ model }) => model === source?.key);
}

function errorsOf(calibration: Calibration | undefined): number[] {
	const last = calibration?.samples.slice(-toldErrors).reverse() ?? [];
	return last.map(({ shown, actual }) => shown / actual - 1);
}
