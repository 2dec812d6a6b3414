/** A run of days that a list of sessions puts under one heading. */
export interface DateGroup {
	name: string;
	/** Its first moment; it ends where the group before it, which is younger, begins. */
	from: number;
}

const monthName = new Intl.DateTimeFormat(undefined, { month: 'long' });
const monthAndYear = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' });

/** Returns the group of a moment: today, yesterday, the last seven days, or its month, with the year where that is another one. */
export function dateGroup(at: number, now: number): DateGroup {
	const today = new Date(now);
	const daysAgo = (days: number) => new Date(today.getFullYear(), today.getMonth(), today.getDate() - days).getTime();
	const recent = [
		{ name: 'Today', from: daysAgo(0) },
		{ name: 'Yesterday', from: daysAgo(1) },
		{ name: 'Last 7 days', from: daysAgo(7) }
	].find(({ from }) => at >= from);
	if (recent) return recent;
	const then = new Date(at);
	const first = new Date(at);
	first.setHours(0, 0, 0, 0);
	first.setDate(1);
	return { name: (then.getFullYear() === today.getFullYear() ? monthName : monthAndYear).format(then), from: first.getTime() };
}
