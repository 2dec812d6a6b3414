import { formatWhen } from './when';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

/** Formats a past moment in full. */
export function formatMoment(at: number): string {
	return full.format(at);
}

/** Formats the time of a past moment, with its day if that is not today. */
export function formatTimeOn(at: number, now: number): string {
	const [when, time] = [formatWhen(at, now), clock.format(at)];
	return when === time ? time : `${when}, ${time}`;
}
