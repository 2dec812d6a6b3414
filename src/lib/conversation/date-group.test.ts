import { expect, test } from 'vitest';
import { dateGroup } from './date-group';

const now = new Date(2026, 2, 10, 15, 30).getTime();
const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime();

test.each([
	['Today', at(2026, 2, 10, 0, 0)],
	['Today', at(2026, 2, 11)],
	['Yesterday', at(2026, 2, 9, 23, 59)],
	['Yesterday', at(2026, 2, 9)],
	['Last 7 days', at(2026, 2, 8, 23, 59)],
	['Last 7 days', at(2026, 2, 3)],
	['March', at(2026, 2, 2, 23, 59)],
	['February', at(2026, 1, 28)],
	['December 2025', at(2025, 11, 31, 23, 59)],
	['March 2024', at(2024, 2, 31)]
])('[A12] a chat is listed under “%s”', (name, moment) => {
	expect(dateGroup(moment, now).name).toBe(name);
});

test('[A12] groups follow one another: a moment before the first of one is in another', () => {
	let { name, from } = dateGroup(now, now);
	const names = [name];
	while (names.length < 6) {
		const older = dateGroup(from - 1, now);
		expect(older.from).toBeLessThan(from);
		({ name, from } = older);
		names.push(name);
	}
	expect(names).toEqual(['Today', 'Yesterday', 'Last 7 days', 'March', 'February', 'January']);
});

test('[A12] years before the first century have a first day too', () => {
	const { from } = dateGroup(Date.UTC(2000, 5, 15) - 1950 * 365.25 * 86_400_000, now);
	expect(new Date(from).getDate()).toBe(1);
	expect(new Date(from).getFullYear()).toBeLessThan(100);
});
