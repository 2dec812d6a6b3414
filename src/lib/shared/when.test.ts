import { expect, it, vi } from 'vitest';
import { formatWhen } from './when';

it('is tested where clocks go forward on 29 March and back on 25 October 2026', () => {
	expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe('Europe/Berlin');
});

/** As this machine's language writes it. */
function written(at: Date, options: Intl.DateTimeFormatOptions): string {
	return new Intl.DateTimeFormat(undefined, options).format(at);
}

const time = { timeStyle: 'short' } as const;
const day = { weekday: 'long' } as const;
const date = { day: 'numeric', month: 'short' } as const;
const dateAndYear = { ...date, year: 'numeric' } as const;

it.each([
	['a moment ago: its time', '2026-06-12T14:29:59', '2026-06-12T14:30:00', time],
	['today after midnight: its time', '2026-06-12T00:00:00', '2026-06-12T23:59:59', time],
	['ahead of this clock: its time', '2026-06-14T10:00:00', '2026-06-12T14:30:00', time],
	['two days ago: its weekday', '2026-06-10T23:59:59', '2026-06-12T00:00:00', day],
	['six days ago: its weekday', '2026-06-06T00:00:00', '2026-06-12T23:59:59', day],
	['seven days ago: its date', '2026-06-05T23:59:59', '2026-06-12T00:00:00', date],
	['the first day of this year: its date', '2026-01-01T00:00:00', '2026-12-31T00:00:00', date],
	['the last day of another year: its date and year', '2025-12-31T12:00:00', '2026-12-31T00:00:00', dateAndYear],
	['six days ago, one of 23 hours: its weekday', '2026-03-25T00:00:00', '2026-03-31T00:30:00', day],
	['six days ago, one of 25 hours: its weekday', '2026-10-20T00:00:00', '2026-10-26T23:30:00', day],
	['seven days ago, one of 23 hours: its date', '2026-03-24T23:30:00', '2026-03-31T00:00:00', date]
])('%s', (_, at, now, options) => {
	expect(formatWhen(Date.parse(at), Date.parse(now))).toBe(written(new Date(at), options));
});

it.each([
	['2026-06-11T00:00:00', '2026-06-12T23:59:59'],
	['2026-06-11T23:59:59', '2026-06-12T00:00:00'],
	['2025-12-31T12:00:00', '2026-01-01T12:00:00'],
	['2026-03-28T00:30:00', '2026-03-29T23:30:00'],
	['2026-10-24T23:30:00', '2026-10-25T00:30:00']
])('%s was yesterday on %s', (at, now) => expect(formatWhen(Date.parse(at), Date.parse(now))).toBe('Yesterday'));

it.each([
	['en-US', '2:33 PM'],
	['en-GB', '14:33'],
	['de-DE', '14:33'],
	['cs-CZ', '9:05', 9, 5]
])('a time is written as in %s: %s', async (locale, words, hour = 14, minute = 33) => {
	const at = new Date(2026, 5, 12, hour, minute).getTime();
	const { DateTimeFormat } = Intl;
	vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function (_, options) {
		return new DateTimeFormat(locale, options);
	} as typeof DateTimeFormat);
	vi.resetModules();
	const { formatWhen } = await import('./when');
	vi.restoreAllMocks();
	expect(formatWhen(at, at).replace(/\s/gu, ' ')).toBe(words);
});
