import type { Hit } from '../search/hit';

/** Number of hits of one chat that are shown at first. */
const maxShown = 3;

/** The hits of one chat. */
export interface ChatHits {
	sessionId: string;
	/** The chat's name, and when it last changed. */
	name: string;
	updatedAt: number;
	/** The hit in its title, if there is one; it stands above the others. */
	title: Hit | undefined;
	shown: Hit[];
	/** Number of hits that are not shown yet. */
	rest: number;
}

/**
 * Groups hits by chat, each in the place of its first hit, with the first few; all of those of chats that are `whole`. Pages go by hits, not by
 * chats: those of a further page come after the ones that are there, so they join their chat or follow as another one, and no chat changes its place.
 */
export function groupByChat(hits: readonly Hit[], whole: (sessionId: string) => boolean): ChatHits[] {
	const chats = new Map<string, Hit[]>();
	for (const hit of hits) {
		const same = chats.get(hit.sessionId);
		if (same) same.push(hit);
		else chats.set(hit.sessionId, [hit]);
	}
	return [...chats].map(([sessionId, of]) => {
		const { session: name, sessionUpdatedAt: updatedAt } = of[0]!;
		const below = of.filter(({ kind }) => kind !== 'title');
		const shown = whole(sessionId) ? below : below.slice(0, maxShown);
		return { sessionId, name, updatedAt, title: of.find(({ kind }) => kind === 'title'), shown, rest: below.length - shown.length };
	});
}

/** Returns the hits of chats that are shown, in their order. */
export function shownHits(chats: readonly ChatHits[]): Hit[] {
	return chats.flatMap(({ title, shown }) => (title ? [title, ...shown] : shown));
}
