/** Time for which something that was deleted can be brought back, in milliseconds [A14]. */
export const undoMilliseconds = 10_000;

/** Time for which a session that a rule or `/cleanup` removed can be brought back, in milliseconds [A8]. */
export const cleanupUndoMilliseconds = 7 * 86_400_000;
