import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../tests/fixtures/database';
import { Drafts } from './drafts';

const answer = { parentId: 'question', text: 'Half an', reasoning: '', model: 'tiny', startedAt: 1 };

describe('Drafts', () => {
	it('[E11] keeps composer text and unfinished answer apart', async () => {
		const drafts = new Drafts(openDatabase());
		await drafts.setComposer('s', 'unsent');
		await drafts.setAnswer('s', answer);
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'unsent', answer });
		await drafts.setComposer('s', '');
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: '', answer });
		await drafts.setComposer('s', 'again');
		expect(await drafts.takeAnswer('s')).toEqual(answer);
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'again' });
	});

	it('keeps both where they are written at once', async () => {
		const drafts = new Drafts(openDatabase());
		await Promise.all([drafts.setComposer('s', 'unsent'), drafts.setAnswer('s', answer)]);
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'unsent', answer });
	});

	it('removes a row with nothing in it', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		await drafts.setComposer('s', 'unsent');
		await drafts.setComposer('s', '');
		await drafts.setAnswer('t', answer);
		await drafts.takeAnswer('t');
		await drafts.setComposer('never', '');
		expect(await drafts.takeAnswer('never')).toBeUndefined();
		expect(await db.drafts.count()).toBe(0);
	});
});
