import { describe, expect, it, vi } from 'vitest';
import { estimateMessage } from '../../context/estimate';
import type { Message, Part } from '../../conversation/message';
import { AppError } from '../../shared/app-error';
import type { RemoteTokenizer } from './remote-tokenizer';
import { TokenCounts, type CountedModel, type VocabularySource } from './token-counts';
import type { Countable } from './tokenizer';

type Row = Pick<Message, 'id' | 'role' | 'parts'>;

const local: CountedModel = { key: 'local', vocabulary: { file: () => Promise.resolve(new File([], 'tiny.gguf')) } };
const server: CountedModel = { key: 'server', vocabulary: { encoding: 'o200k_base' } };

/** Counts a token for each letter, and three around a message. */
class LetterTokenizer implements RemoteTokenizer {
	readonly asked: Countable[] = [];
	frame = { withSystem: 7, withoutSystem: 5, known: true };
	closed = false;

	count = (items: Countable[]) => {
		this.asked.push(...items);
		return Promise.resolve(items.map(({ text, role }) => text.length + (role ? 3 : 0)));
	};

	close = () => {
		this.closed = true;
	};
}

function row(id: string, ...parts: (Part | string)[]): Row {
	return { id, role: 'user', parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)) };
}

function setUp(options: { most?: number; timeoutMs?: number } = {}) {
	const tokenizer = new LetterTokenizer();
	const open = vi.fn((_source: VocabularySource): Promise<RemoteTokenizer | undefined> => Promise.resolve(tokenizer));
	const counts = new TokenCounts({ open, ...options });
	const counterFor = (messages: Row[], texts: string[] = [], model = local) => counts.counterFor(model, messages, texts, undefined, () => 100);
	return { tokenizer, open, counts, counterFor };
}

describe('TokenCounts [S4]', () => {
	it('counts by the vocabulary, and each message once', async () => {
		const { tokenizer, counterFor } = setUp();
		const messages = [row('a', 'Hello'), row('b', 'you', 'there')];
		const first = await counterFor(messages, ['system', '']);
		expect([first.kind, ...messages.map(first.message), first.text('system'), first.text('')]).toEqual(['exact', 8, 13, 6, 0]);
		expect([first.frame(true), first.frame(false)]).toEqual([7, 5]);
		// The same rows, read again.
		const again = structuredClone([...messages, row('c', '!')]);
		const second = await counterFor(again, ['system']);
		expect([...again.map(second.message), second.text('system')]).toEqual([8, 13, 4, 6]);
		expect(tokenizer.asked.map(({ text }) => text)).toEqual(['Hello', 'you\n\nthere', 'system', '!']);
	});

	it('counts calls, results and markers, but no reasoning, and files as it is told', async () => {
		const { tokenizer, counterFor } = setUp();
		const message = row(
			'a',
			{ type: 'reasoning', text: 'hm' },
			{ type: 'tool-call', toolCallId: '1', toolName: 'find', input: { a: 1 } },
			{ type: 'tool-result', toolCallId: '1', toolName: 'find', output: 'x', isError: false },
			{ type: 'file', attachmentId: 'f', mediaType: 'text/plain', name: 'f.txt' }
		);
		const counter = await counterFor([message]);
		expect(tokenizer.asked).toEqual([{ role: 'user', text: 'find {"a":1}\n\nx' }]);
		expect(counter.message(message)).toBe('find {"a":1}\n\nx'.length + 3 + 100);
	});

	it('counts again what may have changed: redactions, broken rows, and what was not sent yet', async () => {
		const { tokenizer, counterFor } = setUp();
		await counterFor([row('a', 'A secret'), row('unsent', 'Dra')]);
		const rows = [row('a', { type: 'redacted', at: 1 }), row('unsent', 'Draft'), row('b', { type: 'unreadable', reason: '' })];
		const counter = await counterFor(rows);
		expect(rows.map(counter.message)).toEqual(['[redacted]'.length + 3, 8, '[unreadable]'.length + 3]);
		await counterFor(rows);
		expect(tokenizer.asked).toHaveLength(8);
	});

	it('estimates a message that was cut from how the whole ones came out', async () => {
		const { counterFor } = setUp();
		const long = row('a', 'words and words and words '.repeat(100));
		const counter = await counterFor([long]);
		const cut = row('a', 'words and words and words '.repeat(50));
		const factor = counter.message(long) / estimateMessage(long);
		expect(counter.message(cut) / (estimateMessage(cut) * factor)).toBeCloseTo(1, 2);
		expect(counter.text('words and words')).toBeGreaterThan(10);
	});

	it('keeps no more numbers than it may', async () => {
		const { tokenizer, counterFor } = setUp({ most: 10 });
		const rows = Array.from({ length: 12 }, (_, index) => row(`m${index}`, 'x'));
		await counterFor(rows);
		await counterFor(rows.slice(2));
		expect(tokenizer.asked).toHaveLength(12);
		await counterFor(rows.slice(0, 2));
		expect(tokenizer.asked).toHaveLength(14);
	});

	it('counts nothing twice for two who ask at once', async () => {
		const { tokenizer, open, counterFor } = setUp();
		await Promise.all([counterFor([row('a', 'Hello')]), counterFor([row('a', 'Hello')])]);
		expect(open).toHaveBeenCalledTimes(1);
		expect(tokenizer.asked).toHaveLength(1);
	});

	it('counts by a published vocabulary, and without one estimates by what was learnt', async () => {
		const { open, counts, counterFor } = setUp();
		expect((await counterFor([row('a', 'Hello')], [], server)).kind).toBe('tokenizer');
		expect(open).toHaveBeenLastCalledWith({ encoding: 'o200k_base' });
		const samples = [{ raw: 100, shown: 100, actual: 200, at: 1 }];
		const other: CountedModel = { key: 'other', vocabulary: undefined };
		const counter = await counts.counterFor(other, [], [], { model: other.key, samples }, () => 0);
		const message = row('a', 'Hello there, you');
		expect([counter.kind, counter.frame(true)]).toEqual(['estimate', 5]);
		expect(counter.message(message)).toBe(2 * estimateMessage(message));
		expect(open).toHaveBeenCalledTimes(1);
	});

	it('keeps one vocabulary in memory', async () => {
		const { tokenizer, counterFor } = setUp();
		await counterFor([row('a', 'Hello')]);
		expect(tokenizer.closed).toBe(false);
		await counterFor([row('a', 'Hello')], [], server);
		expect(tokenizer.closed).toBe(true);
	});

	it('estimates where the vocabulary can’t be had, and tries again only what may come', async () => {
		const { open, counterFor } = setUp();
		open.mockResolvedValue(undefined);
		for (const model of [local, local, server, server]) expect((await counterFor([row('a', 'Hello')], [], model)).kind).toBe('estimate');
		expect(open).toHaveBeenCalledTimes(3);
		const gone = { key: 'gone', vocabulary: { file: () => Promise.reject(new AppError('model-gone', 'It is gone.')) } };
		expect((await counterFor([row('a', 'Hello')], [], gone)).kind).toBe('estimate');
	});

	it('starts over after its worker has failed', async () => {
		const { tokenizer, open, counterFor } = setUp();
		const failing: RemoteTokenizer = { frame: tokenizer.frame, count: () => Promise.resolve(undefined), close: () => {} };
		open.mockResolvedValueOnce(failing);
		expect((await counterFor([row('a', 'Hello')])).kind).toBe('estimate');
		expect((await counterFor([row('a', 'Hello')])).kind).toBe('exact');
	});

	it('keeps no one waiting, and is ready later', async () => {
		const { tokenizer, open, counterFor } = setUp({ timeoutMs: 20 });
		let arrive = (_tokenizer: RemoteTokenizer) => {};
		open.mockReturnValueOnce(new Promise((resolve) => (arrive = resolve)));
		expect((await counterFor([row('a', 'Hello')])).kind).toBe('estimate');
		arrive(tokenizer);
		await vi.waitFor(() => expect(tokenizer.asked).toHaveLength(1));
		expect((await counterFor([row('a', 'Hello')])).kind).toBe('exact');
		expect(tokenizer.asked).toHaveLength(1);
	});

	it('corrects a guessed frame by what the engine reports, and leaves a known one alone', async () => {
		const { tokenizer, counts, counterFor } = setUp();
		const message = row('a', 'Hello');
		counts.learn('local', { messages: 4, shown: 100, actual: 112 });
		expect((await counterFor([message])).message(message)).toBe(8);
		tokenizer.frame = { ...tokenizer.frame, known: false };
		expect((await counterFor([message])).message(message)).toBe(11);
		counts.learn('local', { messages: 4, shown: 112, actual: 112 });
		expect((await counterFor([message])).message(message)).toBe(11);
	});
});
