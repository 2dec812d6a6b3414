/** Writes a time, in milliseconds since 1970, by ISO 8601 and in UTC; null where there is no such time. */
export function isoTime(milliseconds: number): string | null {
	const time = new Date(milliseconds);
	return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
