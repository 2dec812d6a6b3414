let count = 0;

/** Notes that the scripts of a preview run, which may scroll what is around it, until what it returns is called. */
export function noteRunningPreview(): () => void {
	count++;
	return () => void count--;
}

/** Tells whether scripts of a preview may have scrolled the page. */
export function runsPreview(): boolean {
	return count > 0;
}
