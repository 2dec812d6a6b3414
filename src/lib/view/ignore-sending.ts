import { deafFor } from './deaf-for';

/**
 * Has a second press of Enter, which was pressed last, send nothing of the composer's; one of Send too where `ofSend` is set. It lasts for `longest` milliseconds, a while after the focus has
 * moved there, or until the user types something: what dictation writes is not typed.
 */
export function ignoreSending(longest: number, { ofSend = false } = {}): void {
	const ignoring = new AbortController();
	const { signal } = ignoring;
	let end = setTimeout(() => ignoring.abort(), longest);
	const endSoon = () => {
		clearTimeout(end);
		end = setTimeout(() => ignoring.abort(), deafFor);
	};
	const ignore = (event: Event) => {
		if (!(event.target as Element).closest('.composer')) return;
		event.preventDefault();
		event.stopPropagation();
	};
	addEventListener('keydown', (event) => event.key === 'Enter' && !event.shiftKey && ignore(event), { capture: true, signal });
	addEventListener('beforeinput', () => ignoring.abort(), { capture: true, signal });
	if (ofSend) addEventListener('submit', ignore, { capture: true, signal });
	addEventListener('focusin', endSoon, { capture: true, signal });
}
