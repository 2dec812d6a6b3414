import type { StrategyName } from './boundary';

/** Settings for what the model is sent of a long conversation, and for its compaction. Each is a setting of its own. */
export interface ContextSettings {
	/** At most so many of the newest messages are sent [A9]. */
	contextMessages: number;
	/** Number of tokens that a prompt and its answer may have together, by model (`modelKey`), where the user knows better [A11]. */
	contextWindows: Record<string, number>;
	/** Tokens that are left free for the answer [S4]. */
	responseReserve: number;
	/** So many of the newest messages are always sent [S4]. */
	minRecent: number;
	/** True if compaction happens by itself, between turns [A11]. */
	autoCompact: boolean;
	/** Above which share of the window, from 0 to 1. */
	compactAtShare: number;
	/** Since the last compaction: messages, and bytes of text, above which the strategies without a model compact [Z6]. Off where it is not set. */
	cheapMessages?: number;
	cheapBytes?: number;
	/** The same for `summary`, in messages and tokens [S5]. */
	summaryMessages?: number;
	summaryTokens?: number;
	/** The strategy of automatic compaction, and of `/compact` without a name. Where it is not set, the model decides: see `strategyFor`. */
	strategy?: StrategyName;
}

/** The settings that one scope decides; the others are those of the next wider scope. */
export type ContextOverrides = Partial<ContextSettings>;

export const defaultContextSettings: ContextSettings = {
	contextMessages: 200,
	contextWindows: {},
	responseReserve: 4096,
	minRecent: 6,
	autoCompact: true,
	compactAtShare: 0.8
};

/** The strategy in force: the one that was chosen, or else the model's own summary where it can write one. */
export function strategyFor({ strategy }: Pick<ContextSettings, 'strategy'>, model: { canSummarise: boolean }): StrategyName {
	return strategy ?? (model.canSummarise ? 'summary' : 'code-aware');
}

/** The settings in force: the widest scope first, each narrower one overrides it; windows are merged by model. */
export function resolveContextSettings(...scopes: (ContextOverrides | undefined)[]): ContextSettings {
	return scopes.reduce<ContextSettings>(
		(settings, scope = {}) => ({
			...settings,
			...scope,
			contextWindows: { ...settings.contextWindows, ...scope.contextWindows }
		}),
		defaultContextSettings
	);
}
