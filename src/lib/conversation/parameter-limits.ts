export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

/** The parameters that are numbers, with the smallest and the largest value that they can have. */
export const parameterLimits = {
	temperature: { min: 0, max: 2 },
	topP: { min: 0, max: 1 },
	maxTokens: { min: 1, max: 1_000_000 },
	seed: { min: 0, max: 2 ** 31 - 1 }
} as const;

/** Number of texts that end an answer, and the length of each, at most. */
export const stopLimits = { texts: 4, length: 100 } as const;
