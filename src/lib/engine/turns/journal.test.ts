import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { spoken } from '../../../../tests/fixtures/answers';
import type { UnfinishedAnswer } from '../../conversation/growing-answer';
import { textOf } from '../../conversation/message';
import { Journal } from './journal';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function draft(text: string, reasoning = ''): UnfinishedAnswer {
	return { messageId: 'answer', parentId: 'question', parts: spoken(text, reasoning), model: 'tiny', startedAt: 0 };
}

/** A journal whose writes end when `done` is called. */
function openSlow() {
	const done: (() => void)[] = [];
	const begun: string[] = [];
	const journal = new Journal((answer) => {
		begun.push(textOf(answer));
		return new Promise((resolve) => done.push(resolve));
	});
	return { journal, begun, done };
}

describe('Journal', () => {
	it('[E11] writes the first words at once, and then so often that a kill at any time leaves 97 in 100 characters', async () => {
		const written: string[] = [];
		const journal = new Journal(async (answer) => void written.push(textOf(answer)));
		let text = '';
		for (let token = 1; token <= 2000; token++) {
			journal.note(draft((text += 'word ')));
			await vi.advanceTimersByTimeAsync(5);
			const kept = written.at(-1)!.length;
			// The first hundred milliseconds are made of a few tokens only.
			if (token > 20) expect(kept / text.length).toBeGreaterThanOrEqual(0.97);
			else expect(kept).toBeGreaterThan(0);
		}
		// In ten seconds: dense at first, then five times a second.
		expect(written.length).toBeLessThan(300);
		await vi.advanceTimersByTimeAsync(200);
		expect(written.at(-1)).toBe(text);
		const { length } = written;
		await vi.advanceTimersByTimeAsync(5000);
		expect(written).toHaveLength(length);
	});

	it('[P3] [E11] writes a long answer less often, and still 97 in 100 characters of it', async () => {
		let [written, kept, text] = [0, 0, ''];
		const journal = new Journal(async (answer) => {
			kept = textOf(answer).length;
			written += kept;
		});
		// 800 characters a second, for five minutes.
		for (let step = 1; step <= 6000; step++) {
			journal.note(draft((text += 'x'.repeat(40))));
			await vi.advanceTimersByTimeAsync(50);
			if (step > 20) expect(kept / text.length).toBeGreaterThanOrEqual(0.97);
		}
		// Five times a second it would be 180 million.
		expect(written).toBeLessThan(60_000_000);
	});

	it('[E11] writes what is due when it is told of it, where timers come late', async () => {
		const written: string[] = [];
		const journal = new Journal(async (answer) => void written.push(textOf(answer)));
		const now = vi.spyOn(performance, 'now');
		for (let count = 1; count <= 20; count++) {
			now.mockReturnValue(count * 250);
			journal.note(draft(String(count)));
			await vi.advanceTimersByTimeAsync(0);
		}
		expect(written).toHaveLength(20);
	});

	it('writes one after the other, all that there is by then, and is saved only after the last', async () => {
		const { journal, begun, done } = openSlow();
		for (const text of ['1', '2', '3']) journal.note(draft(text));
		let saved = false;
		const closing = journal.close();
		const saving = journal.save().then(() => (saved = true));
		await vi.advanceTimersByTimeAsync(1000);
		expect([begun, saved]).toEqual([['1'], false]);
		done[0]!();
		await vi.advanceTimersByTimeAsync(0);
		expect([begun, saved]).toEqual([['1', '3'], false]);
		done[1]!();
		await Promise.all([closing, saving]);
		expect(journal.unwritten).toBeUndefined();
	});

	it('begins no write after it is closed', async () => {
		const written: string[] = [];
		const journal = new Journal(async (answer) => void written.push(textOf(answer)));
		journal.note(draft('1'));
		await vi.advanceTimersByTimeAsync(1000);
		journal.note(draft('2'));
		journal.note(draft('3'));
		await journal.close();
		const { length } = written;
		await vi.advanceTimersByTimeAsync(5000);
		expect(written).toHaveLength(length);
		await new Journal(() => Promise.reject(new Error('nothing to write'))).save();
	});

	it('[P2] tells of a failed write at once, and keeps what was noted until it can be written', async () => {
		const failure = new Error('full');
		let isFull = true;
		const written: string[] = [];
		const journal = new Journal((answer) => (isFull ? Promise.reject(failure) : Promise.resolve(void written.push(textOf(answer)))));
		journal.note(draft('1'));
		await vi.advanceTimersByTimeAsync(0);
		expect(journal.failed.reason).toBe(failure);
		journal.note(draft('12'));
		await vi.advanceTimersByTimeAsync(1000);
		await journal.close();
		await expect(journal.save()).rejects.toBe(failure);
		expect(journal.unwritten).toEqual(draft('12'));
		isFull = false;
		await journal.save();
		expect([written, journal.unwritten]).toEqual([['12'], undefined]);
	});

	it('[P2] begins no write after one that failed, whatever was noted meanwhile', async () => {
		const begun: string[] = [];
		const failure = new Error('full');
		const fail: ((error: Error) => void)[] = [];
		const journal = new Journal((answer) => {
			begun.push(textOf(answer));
			return new Promise((_, reject) => fail.push(reject));
		});
		for (const text of ['1', '12']) journal.note(draft(text));
		fail[0]!(failure);
		await vi.advanceTimersByTimeAsync(1000);
		expect([begun, journal.failed.reason]).toEqual([['1'], failure]);
	});

	it('[E11] tells what is not written down yet', async () => {
		const { journal, done } = openSlow();
		expect(journal.tail).toBeUndefined();
		journal.note(draft('', 'Hm'));
		done[0]!();
		await vi.advanceTimersByTimeAsync(0);
		expect(journal.tail).toBeUndefined();
		journal.note(draft('', 'Hm. So'));
		journal.note(draft('Hel', 'Hm. So'));
		expect(journal.tail).toEqual({ answer: draft('Hel', '. So'), partsFrom: 0, textFrom: 2 });
	});
});
