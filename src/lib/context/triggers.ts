import type { StrategyName } from '../conversation/boundary';
import type { ContextSettings } from '../conversation/context-settings';
import { sizeOf, type Message } from '../conversation/message';
import type { TokenCounter } from './token-counter';

/**
 * One reason for which a conversation is compacted by itself, with how far it is: `window` in tokens of the window that
 * prompt and reserve would take, the others since the last compaction, in messages, bytes or tokens.
 */
export interface Trigger {
	name: 'window' | 'messages' | 'bytes' | 'tokens';
	value: number;
	/** Above this it is due. */
	limit: number;
}

/** Measures since the last compaction, or since the beginning. */
export interface Since {
	messages: number;
	bytes: number;
	tokens: number;
}

/**
 * The reasons that count with a strategy [A11, Z6, S5]: the window's, where one is known (it is Infinity where not), then that strategy's
 * own, as far as they are set.
 */
export function triggersOf(
	{ messages, bytes, tokens }: Since,
	{ wanted, reserve, window }: { wanted: number; reserve: number; window: number },
	settings: Pick<ContextSettings, 'compactAtShare' | 'cheapMessages' | 'cheapBytes' | 'summaryMessages' | 'summaryTokens'>,
	strategy: StrategyName
): Trigger[] {
	const { compactAtShare, cheapMessages, cheapBytes, summaryMessages, summaryTokens } = settings;
	const own: (Omit<Trigger, 'limit'> & { limit: number | undefined })[] =
		strategy === 'summary'
			? [
					{ name: 'messages', value: messages, limit: summaryMessages },
					{ name: 'tokens', value: tokens, limit: summaryTokens }
				]
			: [
					{ name: 'messages', value: messages, limit: cheapMessages },
					{ name: 'bytes', value: bytes, limit: cheapBytes }
				];
	const ofWindow = { name: 'window' as const, value: wanted + reserve, limit: Number.isFinite(window) ? Math.floor(compactAtShare * window) : undefined };
	return [ofWindow, ...own].flatMap(({ limit, ...trigger }) => (limit === undefined ? [] : [{ ...trigger, limit }]));
}

/** Tells whether there is a reason to compact. */
export function isDue(triggers: Trigger[]): boolean {
	return triggers.some(({ value, limit }) => value > limit);
}

/** Measures these messages; bytes roughly, as the store counts them. */
export function sinceOf(messages: Message[], count: TokenCounter): Since {
	return {
		messages: messages.length,
		bytes: messages.reduce((sum, message) => sum + sizeOf(message), 0),
		tokens: messages.reduce((sum, message) => sum + count.message(message), 0)
	};
}
