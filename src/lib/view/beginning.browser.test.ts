import { expect, it, vi } from 'vitest';
import { newMessage, newSession } from '../../../tests/fixtures/database';
import { append } from '../storage/append';
import { Database } from '../storage/database';
import { beginning } from './beginning';
import { NewChatText } from './composer.svelte';
import { source } from './source.svelte';
import { keepInTab, keptBeginning, keptInTab, keptOfWorkspace } from './tab-text';

const db = new Database();

it('[E3] choices for a new chat go with its first message, and come back where that fails, below what was chosen since', () => {
	beginning.change({ systemPrompt: 'Rhyme.', parameters: { temperature: 0, seed: 7 } });
	const taken = beginning.take();
	expect([taken, beginning.current]).toEqual([{ systemPrompt: 'Rhyme.', parameters: { temperature: 0, seed: 7 } }, {}]);
	expect(sessionStorage.getItem('snug:beginning')).toBeNull();
	beginning.change({ parameters: { seed: 8 } });
	beginning.putBack(taken);
	expect(beginning.current).toEqual({ systemPrompt: 'Rhyme.', parameters: { temperature: 0, seed: 8 } });
	beginning.take();
	expect(beginning.current).toEqual({});
});

it('[E3] what a workspace puts into a new chat meanwhile is not chosen: what was comes back', () => {
	beginning.replace({ systemPrompt: 'Mine.', parameters: { seed: 7 } });
	const taken = beginning.take();
	const persona = { systemPrompt: 'Rhyme.', persona: 'Poet', tools: [], parameters: { seed: 1 } };
	keepInTab(keptOfWorkspace, persona);
	beginning.replace(persona);
	beginning.putBack(taken);
	expect(beginning.current).toEqual({ systemPrompt: 'Mine.', parameters: { seed: 7 } });
	keepInTab(keptOfWorkspace, undefined);
});

it.each([false, true])('[E3] [E11] choices for a new chat whose first message was on its way when the page went (stored: %s) are there again, unless it was stored', async (isStored) => {
	sessionStorage.clear();
	beginning.replace({ systemPrompt: 'Rhyme.' });
	const left = new NewChatText();
	left.text = 'First words';
	await new Promise<void>((taken) => {
		void left.send(async ({ id }) => {
			beginning.take();
			if (isStored) await append(db, { session: newSession(), messages: [{ ...newMessage('user', 'First words'), id: id! }] });
			taken();
			return new Promise<string>(() => undefined);
		});
	});
	// As the next page does.
	source.begun = keptInTab(keptBeginning) ?? {};
	const next = new NewChatText();
	next.restore();
	await vi.waitFor(() => expect(sessionStorage.getItem('snug:new-chat') ?? '').not.toContain('"id"'));
	expect([next.text, beginning.current]).toEqual(isStored ? ['', {}] : ['First words', { systemPrompt: 'Rhyme.' }]);
});
