/** Formats the time of a day. */
export const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
/** Formats a moment with its day, where there is room for both. */
export const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { weekday: 'long' });
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dateAndYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** A past moment as briefly as it stays clear: today's time, a weekday of the last six days, a date, with its year if another. */
export function formatWhen(at: number, now: number): string {
	const then = new Date(at);
	const today = new Date(now);
	const days = Math.round((midnight(today) - midnight(then)) / 86_400_000);
	if (days <= 0) return time.format(then);
	if (days === 1) return 'Yesterday';
	if (days < 7) return day.format(then);
	return (then.getFullYear() === today.getFullYear() ? date : dateAndYear).format(then);
}

function midnight(moment: Date): number {
	return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}
