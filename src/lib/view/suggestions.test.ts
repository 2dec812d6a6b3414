import { describe, expect, it } from 'vitest';
import { suggestionsOf } from './suggestions';

describe('suggestionsOf', () => {
	it('[P3] begins with a model where there is none, and with a backup where there are no chats', () => {
		expect(suggestionsOf({ hasModel: false, chats: 0, inWorkspace: false })).toEqual(['model', 'restore', 'attach']);
		expect(suggestionsOf({ hasModel: true, chats: 0, inWorkspace: false })).toEqual(['restore', 'attach', 'prompt']);
	});

	it('[P3] leads to the chats that are there, by search where they are many', () => {
		expect(suggestionsOf({ hasModel: true, chats: 3, inWorkspace: false })).toEqual(['continue', 'attach', 'prompt']);
		expect(suggestionsOf({ hasModel: true, chats: 400, inWorkspace: false })).toEqual(['continue', 'find', 'attach']);
		expect(suggestionsOf({ hasModel: true, chats: 400, inWorkspace: true })).toEqual(['find', 'attach', 'prompt']);
	});

	it('offers no backup to a temporary chat', () => {
		expect(suggestionsOf({ hasModel: true, chats: 0, inWorkspace: false, isTemporary: true })).toEqual(['attach', 'prompt']);
	});

	it('[P3] has three, whatever is there', () => {
		for (const hasModel of [true, false])
			for (const chats of [0, 1, 10])
				for (const inWorkspace of [true, false]) expect(suggestionsOf({ hasModel, chats, inWorkspace })).toHaveLength(3);
	});
});
