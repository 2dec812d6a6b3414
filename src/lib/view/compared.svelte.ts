/** An answer and the name of its model. */
interface ComparedAnswer {
	id: string;
	model: string;
}

/** Two answers of a chat to one question. */
export interface ComparedAnswers {
	sessionId: string;
	answers: [ComparedAnswer, ComparedAnswer];
}

/** The answers that are shown side by side. */
export const compared = $state<{ current: ComparedAnswers | undefined }>({ current: undefined });
