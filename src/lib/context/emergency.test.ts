import { describe, expect, it } from 'vitest';
import { calls, gives, pathOf, says, shows, type Said } from '../../../tests/fixtures/conversations';
import { textOf, type Part } from '../conversation/message';
import { shorten } from './emergency';
import { estimateCounter, estimateMessage } from './estimate';
import type { InReason, PlanItem } from './plan';
import { unitsOf } from './units';

const count = estimateCounter(1);

/** Units as they are before an emergency, each in for its reason; the last one is one of the newest. */
function unitsFrom(said: Said[], reasons: InReason[]): PlanItem[][] {
	const path = pathOf(said);
	return unitsOf(path).map(({ start, end }, index) =>
		path.slice(start, end).map((message) => ({
			message,
			parts: message.parts,
			tokens: count.message(message),
			state: { in: true, reason: reasons[index] ?? 'recent' }
		}))
	);
}

const user = (...parts: Part[]): Said => ({ role: 'user', parts });
const use = (output: unknown): Said[] => [
	{ role: 'assistant', parts: [calls('a')] },
	{ role: 'tool', parts: [gives('a', output)] }
];
const long = (length: number) => says('A long story. '.repeat(length / 14 + 1).slice(0, length));

const inOf = (units: PlanItem[][]) => units.map((items) => items[0]!.state.in);
const cutsOf = (units: PlanItem[][]) => units.map((items) => items.flatMap(({ state }) => (state.in && state.cut ? [state.cut] : [])));
const sum = (units: PlanItem[][]) => units.flat().reduce((all, { state, tokens }) => all + (state.in ? tokens : 0), 0);

/** Every kind of message that something can be done about. */
const everything = () =>
	unitsFrom(
		[
			user(shows('a.png')),
			user(shows('b.png')),
			...use('r'.repeat(5000)),
			...use('r'.repeat(5000)),
			user(says('Old')),
			user(says('Pinned')),
			user(long(8000)),
			user(long(5000)),
			user(long(4000))
		],
		['fits', 'recent', 'fits', 'recent', 'fits', 'pinned']
	);

describe('emergency truncation', () => {
	it('[S8] first makes images text, the oldest first and no more than needed', () => {
		const units = everything();
		expect(shorten(units, '', 500, count).emergency).toEqual({ images: 1, results: 0, texts: 0, dropped: 0 });
		expect(units[0]![0]!.parts).toEqual([says('[image a.png]')]);
		expect(units[0]![0]!.state).toEqual({ in: true, reason: 'fits', cut: 'image' });
		expect(units[1]![0]!.parts).toEqual([shows('b.png')]);
	});

	it('[S8] then cuts tool results above 2000 characters', () => {
		const units = everything();
		expect(shorten(units, '', 1700, count).emergency).toMatchObject({ images: 2, results: 1, texts: 0, dropped: 0 });
		const [part] = units[2]![1]!.parts;
		const output = part?.type === 'tool-result' ? (part.output as string) : '';
		expect(output.length).toBeGreaterThan(1990);
		expect(output.length).toBeLessThanOrEqual(2000);
		expect(output).toMatch(/r\n\[… \d+ characters left out …\]\nr/);
		expect(units[3]![1]!.state).toEqual({ in: true, reason: 'recent' });
	});

	it('[S8] a result that is no text is cut as JSON', () => {
		const units = unitsFrom([...use({ rows: Array.from({ length: 900 }, (_, n) => n) }), user(says('So?'))], []);
		shorten(units, '', 100, count);
		const cut = expect.stringMatching(/^\{"rows":\[0,1,2,[^]+\[… \d+ characters left out …\][^]+,899\]\}$/) as unknown;
		expect(units[0]![1]!.parts).toEqual([gives('a', cut)]);
	});

	it('[S8] then drops what is not protected, the oldest first', () => {
		const units = everything();
		const shortened = everything();
		expect(shorten(shortened, '', 2750, count).emergency).toEqual({ images: 2, results: 2, texts: 0, dropped: 0 });
		shorten(units, '', sum(units) - sum(shortened) + 1, count);
		expect(inOf(units)).toEqual([false, true, true, true, true, true, true, true, true]);
		shorten(units, '', 1e9, count);
		expect(units[0]![0]).toMatchObject({ parts: [], tokens: 805, state: { in: false, reason: 'dropped' } });
	});

	it('[S8] then cuts long texts in their middle, the longest first and only as far as needed', () => {
		const units = unitsFrom([user(long(8000)), user(long(5000)), user(long(1900)), user(says('So?'))], []);
		const before = sum(units);
		shorten(units, '', 400, count);
		expect(cutsOf(units)).toEqual([['text'], [], [], []]);
		expect(before - sum(units)).toBeGreaterThanOrEqual(400);
		expect(before - sum(units)).toBeLessThan(410);
		shorten(units, '', 1500, count);
		expect(cutsOf(units)).toEqual([['text'], ['text'], [], []]);
		expect(textOf(units[0]![0]!)).toHaveLength(2000);
	});

	it('[S8] then drops the oldest pinned, then the oldest of the newest, calls with their results, and never the last', () => {
		const said = [user(says('Pinned')), user(says('Recent')), ...use('one'), user(says('Pinned too')), user(says('Last'))];
		const reasons: InReason[] = ['pinned', 'recent', 'recent', 'pinned', 'recent'];
		const all = [[], [0], [0, 3], [0, 1, 3], [0, 1, 2, 3]];
		let over = 1;
		for (const dropped of all.slice(1)) {
			const units = unitsFrom(said, reasons);
			const { emergency } = shorten(units, '', over, count);
			expect(inOf(units).flatMap((isIn, index) => (isIn ? [] : [index]))).toEqual(dropped);
			expect(emergency.dropped).toBe(dropped.includes(2) ? 5 : dropped.length);
			over = sum(unitsFrom(said, reasons)) - sum(units) + 1;
		}
	});

	it('[S8] then cuts the last message, of which at least 200 characters stay, and the system prompt, of which 2000 do', () => {
		const said = [user(says('Older')), user(says('Look at this'), long(9000))];
		const units = unitsFrom(said, []);
		const half = shorten(units, 'Be brief. '.repeat(900), Math.floor(sum(units) / 2), count);
		expect(half.system).toHaveLength(9000);
		expect(inOf(units)).toEqual([true, true]);

		const rest = unitsFrom(said, []);
		const { system, emergency } = shorten(rest, 'Be brief. '.repeat(900), 1e9, count);
		expect(emergency).toEqual({ images: 0, results: 0, texts: 2, dropped: 1 });
		const [short, cut] = rest[1]![0]!.parts as { text: string }[];
		expect(short!.text).toBe('Look at this');
		expect(cut!.text.replace(/\n\[.+\]\n/, '').length).toBeGreaterThanOrEqual(200);
		expect(cut!.text.length).toBeLessThanOrEqual(250);
		expect(system).toHaveLength(2000);
	});

	it('[S8] cuts the results too where they are the last that was said', () => {
		const units = unitsFrom(use('r'.repeat(9000)), []);
		shorten(units, '', 1e9, count);
		expect(inOf(units)).toEqual([true]);
		expect(estimateMessage({ role: 'tool', parts: units[0]![1]!.parts })).toBeLessThan(80);
	});

	it('[S8] leaves alone what would not get shorter', () => {
		const units = unitsFrom([user(shows('a'.repeat(9000)))], []);
		expect(shorten(units, '', 10, count).emergency).toEqual({ images: 0, results: 0, texts: 0, dropped: 0 });
		expect(units[0]![0]!.parts).toEqual([shows('a'.repeat(9000))]);
	});
});
