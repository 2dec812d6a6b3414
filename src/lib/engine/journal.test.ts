import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UnfinishedAnswer } from '../storage/answers';
import { Journal } from './journal';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function draft(text: string): UnfinishedAnswer {
	return { messageId: 'answer', parentId: 'question', text, reasoning: '', model: 'tiny', startedAt: 0 };
}

describe('Journal', () => {
	it('[E11] writes the latest about once a second, however often it is told', async () => {
		const written: string[] = [];
		const journal = new Journal(async ({ text }) => void written.push(text));
		for (let count = 1; count <= 30; count++) {
			journal.note(draft(String(count)));
			await vi.advanceTimersByTimeAsync(100);
		}
		expect(written).toEqual(['10', '20', '30']);
		await vi.advanceTimersByTimeAsync(5000);
		expect(written).toHaveLength(3);
	});

	it('writes what is left when it closes, or leaves it', async () => {
		const written: string[] = [];
		const open = () => new Journal(async ({ text }) => void written.push(text));
		const [kept, left, empty] = [open(), open(), open()];
		kept.note(draft('kept'));
		left.note(draft('left'));
		await kept.close({ keep: true });
		await left.close({ keep: false });
		await empty.close({ keep: true });
		await vi.advanceTimersByTimeAsync(5000);
		expect(written).toEqual(['kept']);
	});

	it('writes one after the other, and is closed only after the last', async () => {
		const done: (() => void)[] = [];
		const begun: string[] = [];
		const journal = new Journal(({ text }) => {
			begun.push(text);
			return new Promise((resolve) => done.push(resolve));
		});
		journal.note(draft('1'));
		await vi.advanceTimersByTimeAsync(1000);
		journal.note(draft('2'));
		let closed = false;
		const closing = journal.close({ keep: true }).then(() => (closed = true));
		await vi.advanceTimersByTimeAsync(1000);
		expect([begun, closed]).toEqual([['1'], false]);
		done[0]!();
		await vi.advanceTimersByTimeAsync(0);
		expect([begun, closed]).toEqual([['1', '2'], false]);
		done[1]!();
		await closing;
	});

	it('throws a failed write at the next note, and when it closes to keep', async () => {
		const failure = new Error('full');
		const journal = new Journal(() => Promise.reject(failure));
		journal.note(draft('1'));
		await vi.advanceTimersByTimeAsync(1000);
		expect(() => journal.note(draft('2'))).toThrow(failure);
		await expect(journal.close({ keep: true })).rejects.toBe(failure);
		await expect(journal.close({ keep: false })).resolves.toBeUndefined();
	});
});
