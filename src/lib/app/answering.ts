import * as locks from '../locks/answering';

/** Lists the ids of the sessions that are being answered now, in any tab. */
export function answering(): Promise<string[]> {
	return locks.answeringSessions(navigator.locks);
}

/** Waits until no tab answers. */
export function whenNothingAnswers(): Promise<void> {
	return locks.whenNothingAnswers(navigator.locks);
}
