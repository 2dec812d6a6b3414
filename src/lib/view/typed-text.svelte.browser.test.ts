import { expect, it, vi } from 'vitest';
import { newId } from '../shared/id';
import { TypedText } from './typed-text.svelte';

/** A text whose store is a variable; writes are refused while `refused` is set. */
function typedText(name: string, stored: string) {
	const store = { stored, refused: false };
	const text = new TypedText(
		async (next) => {
			if (store.refused) throw new DOMException('No room.', 'QuotaExceededError');
			return (store.stored = next(store.stored));
		},
		() => name
	);
	return { store, text };
}

/** All that is left under a name. */
function leftUnder(name: string): unknown[] {
	const keys = Object.keys(localStorage).filter((key) => key.startsWith(`snug:unwritten:${name}:`));
	return keys.map((key) => JSON.parse(localStorage.getItem(key)!));
}

function leaveAsPage(name: string, left: object): void {
	localStorage.setItem(`snug:unwritten:${name}:${newId()}`, JSON.stringify(left));
}

it('[E11] what a page could not write before it went is merged and stored, once', async () => {
	// Of its writes, the last was stored without that page learning of it.
	leaveAsPage('one', { known: 'a', here: 'abc', pending: { written: 'ab', here: 'ab' } });
	const { store, text } = typedText('one', 'ab');
	text.follow(store.stored);
	await vi.waitFor(() => expect([text.text, store.stored, leftUnder('one')]).toEqual(['abc', 'abc', []]));
	text.follow(store.stored);
	expect(text.text).toBe('abc');
});

it('[E11] what was left and can still not be written is left once, with what is typed since', async () => {
	leaveAsPage('two', { known: '', here: 'one' });
	const { store, text } = typedText('two', '');
	store.refused = true;
	const reported = vi.spyOn(globalThis, 'reportError').mockReturnValue();
	text.follow('');
	await vi.waitFor(() => expect(text.text).toBe('one'));
	text.text += ' two';
	text.changed();
	await text.flush();
	dispatchEvent(new Event('pagehide'));
	expect(leftUnder('two')).toEqual([{ known: '', here: 'one two' }]);
	store.refused = false;
	await vi.waitFor(async () => {
		await text.flush();
		expect([store.stored, leftUnder('two')]).toEqual(['one two', []]);
	});
	reported.mockRestore();
});

it('[E11] what was deleted and could not be stored stays deleted', async () => {
	for (const [name, here] of [['three', 'abc'], ['four', '']] as const) {
		const { store, text } = typedText(name, 'abc def');
		text.follow(store.stored);
		store.refused = true;
		const reported = vi.spyOn(globalThis, 'reportError').mockReturnValue();
		text.text = here;
		text.changed();
		await text.flush();
		dispatchEvent(new Event('pagehide'));
		expect(leftUnder(name)).toEqual([{ known: 'abc def', here }]);
		store.refused = false;
		await vi.waitFor(async () => {
			await text.flush();
			expect(store.stored).toBe(here);
		});
		reported.mockRestore();
		// Left by a page that has gone, with a write that was not stored.
		leaveAsPage(name, { known: 'abc def', here, pending: { written: here, here } });
		const next = typedText(name, 'abc def');
		next.text.follow('abc def');
		await vi.waitFor(() => expect([next.text.text, next.store.stored]).toEqual([here, here]));
	}
});

it('[E11] what was left is asked for again where it could not be read', async () => {
	leaveAsPage('five', { known: '', here: 'left' });
	const { store, text } = typedText('five', '');
	const reported = vi.spyOn(globalThis, 'reportError').mockReturnValue();
	const query = vi.spyOn(navigator.locks, 'query').mockRejectedValueOnce(new DOMException('Not now.', 'InvalidStateError'));
	text.follow('');
	await vi.waitFor(() => expect([store.stored, leftUnder('five')]).toEqual(['left', []]), { timeout: 10_000 });
	expect([query.mock.calls.length, reported.mock.calls.length]).toEqual([2, 1]);
	vi.restoreAllMocks();
});

it('[E3] a space at the end that the store has taken away stays for one who goes on typing', async () => {
	const store = { stored: '' };
	const isSame = (stored: string, known: string) => stored.trim() === known.trim();
	const text = new TypedText((next) => Promise.resolve((store.stored = next(store.stored))), () => 'trimmed', undefined, isSame);
	text.text = 'Never answer in ';
	text.changed();
	await text.flush();
	store.stored = 'Never answer in';
	text.text += 'r';
	text.changed();
	await text.flush();
	store.stored = 'Never answer in r';
	text.text += ' ';
	text.changed();
	await text.flush();
	text.follow('Never answer in r');
	expect([text.text, store.stored]).toEqual(['Never answer in r ', 'Never answer in r ']);
	text.follow('Another');
	expect(text.text).toBe('Another');
});
