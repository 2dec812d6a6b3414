/** The seconds until a time, which count down while a component shows them. */
export function secondsLeft(at: () => number): { readonly current: number } {
	let now = $state(Date.now());
	$effect(() => {
		if (at() <= Date.now()) return;
		const timer = setInterval(() => (now = Date.now()), 250);
		return () => clearInterval(timer);
	});
	return {
		get current() {
			return Math.max(0, Math.ceil((at() - now) / 1000));
		}
	};
}
