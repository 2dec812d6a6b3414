import type { ContextSettings } from './context-settings';

/** The fields that are numbers, with the smallest and the largest value that makes sense. */
export const contextLimits = {
	contextMessages: { min: 2, max: 100_000 },
	responseReserve: { min: 64, max: 1_000_000 },
	minRecent: { min: 1, max: 1000 },
	compactAtShare: { min: 0.1, max: 1 },
	cheapMessages: { min: 4, max: 100_000 },
	cheapBytes: { min: 1024, max: 100_000_000 },
	summaryMessages: { min: 4, max: 100_000 },
	summaryTokens: { min: 256, max: 10_000_000 }
} as const satisfies Partial<Record<keyof ContextSettings, { min: number; max: number }>>;

/** The smallest and the largest context window, in tokens. */
export const windowLimits = { min: 256, max: 20_000_000 } as const;
