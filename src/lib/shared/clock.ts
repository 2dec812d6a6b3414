/** Epoch milliseconds. Passed in wherever time decides something, so that tests can say what time it is. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
