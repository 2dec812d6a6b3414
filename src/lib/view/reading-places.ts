/** The message at the upper edge of a transcript, and its distance from there, in pixels. */
export interface ReadingPlace {
	messageId: string;
	top: number;
}

/** Places at which chats were left by someone who was not at their end, by the chat's id; for as long as the app is open. */
const places = new Map<string, ReadingPlace>();

/** Notes where a chat is left; undefined where that is at its end. */
export function noteReadingPlace(sessionId: string, place: ReadingPlace | undefined): void {
	if (place) places.set(sessionId, place);
	else places.delete(sessionId);
}

/** Returns where a chat was left, if that was not at its end. */
export function readingPlaceOf(sessionId: string): ReadingPlace | undefined {
	return places.get(sessionId);
}
