import { app } from '../app';

/** Counts on the app's icon the answers that were done while it was out of sight, until it is looked at. */
export function followAnswers(): void {
	if (!('setAppBadge' in navigator)) return;
	let done = 0;
	app.followTurns(() => ({ type }) => {
		if (type === 'turn-end' && document.hidden) void navigator.setAppBadge(++done).catch(() => undefined);
	});
	const clear = () => {
		if (document.hidden) return;
		done = 0;
		void navigator.clearAppBadge().catch(() => undefined);
	};
	document.addEventListener('visibilitychange', clear);
	clear();
}
