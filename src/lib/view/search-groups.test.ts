import { expect, it } from 'vitest';
import type { Hit } from '../search/hit';
import { groupByChat, shownHits } from './search-groups';

const hit = (sessionId: string, id: string, kind: Hit['kind'] = 'message'): Hit => ({
	id,
	kind,
	sessionId,
	session: `Chat ${sessionId}`,
	workspace: 'home',
	sessionUpdatedAt: 7,
	createdAt: 1,
	score: 1,
	snippet: { text: id, marks: [] }
});

const hits = [hit('a', '1'), hit('b', '2'), hit('a', '3'), hit('a', 'a', 'title'), hit('a', '4'), hit('a', '5'), hit('b', '6')];
const outline = (chats: ReturnType<typeof groupByChat>) => chats.map(({ sessionId, title, shown, rest }) => [sessionId, title?.id, shown.map(({ id }) => id).join(' '), rest]);

it('[E7] groups hits by chat in the order of the best of each, three of them below its title', () => {
	const chats = groupByChat(hits, () => false);
	expect(outline(chats)).toEqual([
		['a', 'a', '1 3 4', 1],
		['b', undefined, '2 6', 0]
	]);
	expect(chats[0]).toMatchObject({ name: 'Chat a', updatedAt: 7 });
	expect(shownHits(chats).map(({ id }) => id)).toEqual(['a', '1', '3', '4', '2', '6']);
	expect(outline(groupByChat(hits, (id) => id === 'a'))[0]).toEqual(['a', 'a', '1 3 4 5', 0]);
});

it('[E7] leaves what is shown in its place when more is read', () => {
	for (let read = 1; read < hits.length; read++) {
		const [before, after] = [read, read + 1].map((count) => groupByChat(hits.slice(0, count), () => false).map(({ sessionId }) => sessionId));
		expect(after!.slice(0, before!.length)).toEqual(before);
	}
});
