import { formatWhen, time } from './when';

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

/** Formats a past moment in full. */
export function formatMoment(at: number): string {
	return full.format(at);
}

/** Formats the time of a past moment, with its day if that is not today. */
export function formatTimeOn(at: number, now: number): string {
	const [when, clock] = [formatWhen(at, now), time.format(at)];
	return when === clock ? clock : `${when}, ${clock}`;
}
