/** Reason why a turn is aborted whose session another tab has taken over: nothing of it may be written any more [A5]. */
export class TakenOver extends Error {
	constructor() {
		super('another tab took the session over');
	}
}
