/** Formats a time in milliseconds as people say it: “8 s”, “2 min 5 s”. */
export function formatDuration(milliseconds: number): string {
	const seconds = Math.max(1, Math.round(milliseconds / 1000));
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
