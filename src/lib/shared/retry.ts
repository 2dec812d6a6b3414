/** Milliseconds from a refusal of the store until the same is tried again. */
export const retryMs = 3000;
