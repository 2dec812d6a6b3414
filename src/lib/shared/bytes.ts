const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size for users, in decimal units as browsers and disks count them: `98362432` becomes `98 MB`, `1500` `1.5 KB`. */
export function formatBytes(bytes: number): string {
	let value = bytes;
	let unit = 0;
	while (value >= 999.5 && unit < units.length - 1) {
		value /= 1000;
		unit++;
	}
	const digits = unit > 0 && value < 9.95 ? 1 : 0;
	return `${value.toFixed(digits)} ${units[unit]}`;
}
