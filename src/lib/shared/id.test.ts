import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdMaker, isId, newId } from './id';

const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function millisecondsOf(id: string): number {
	return parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

/** Index of the first id that does not sort after the one before it; -1 where all do. */
function firstOutOfOrder(ids: string[]): number {
	return ids.findIndex((id, index) => index > 0 && id <= ids[index - 1]!);
}

describe('createIdMaker', () => {
	it('makes version 7 ids that increase and carry the latest time, whatever the clock does', () => {
		const randoms = fc.constantFrom(
			(length: number) => new Uint8Array(length),
			(length: number) => new Uint8Array(length).fill(0xff),
			(length: number) => crypto.getRandomValues(new Uint8Array(length))
		);
		const times = fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 2 ** 48 - 1 }), fc.constant(2 ** 32));
		fc.assert(
			fc.property(fc.array(times, { minLength: 1, maxLength: 50 }), randoms, (clock, random) => {
				let tick = 0;
				const make = createIdMaker(() => clock[tick++]!, random);
				const ids = clock.map(() => make());
				expect(ids.filter((id) => !version7.test(id))).toEqual([]);
				expect(firstOutOfOrder(ids)).toBe(-1);
				expect(ids.map(millisecondsOf)).toEqual(clock.map((_, index) => Math.max(...clock.slice(0, index + 1))));
			})
		);
	});

	it('makes 100 000 increasing ids in one millisecond, all of that millisecond', () => {
		const make = createIdMaker(() => 1_800_000_000_000);
		const ids = Array.from({ length: 100_000 }, make);
		expect(firstOutOfOrder(ids)).toBe(-1);
		expect(millisecondsOf(ids.at(-1)!)).toBe(1_800_000_000_000);
	});

	it('does not repeat the ids of another maker at the same time', () => {
		const [one, other] = [createIdMaker(() => 7), createIdMaker(() => 7)];
		expect(new Set(Array.from({ length: 1000 }, () => [one(), other()]).flat()).size).toBe(2000);
	});
});

describe('isId', () => {
	it('accepts what newId makes', () => expect(isId(newId())).toBe(true));

	const id = newId();

	it.each(['', 'new', '../etc', id.toUpperCase(), id.replaceAll('-', ''), `${id} `, ` ${id}`, `${id}\n`, id + id])(
		'refuses %j',
		(text) => expect(isId(text)).toBe(false)
	);
});
