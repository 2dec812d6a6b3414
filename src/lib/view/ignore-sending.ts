import { deafFor } from './deaf-for';

/** Has a second press of what was pressed last, Enter or Send, send nothing of the composer's: for `longest` milliseconds, a while after the focus has moved there, or until something is typed. */
export function ignoreSending(longest: number): void {
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
	addEventListener('keydown', (event) => event.key === 'Enter' && ignore(event), { capture: true, signal });
	addEventListener('input', () => ignoring.abort(), { capture: true, signal });
	addEventListener('submit', ignore, { capture: true, signal });
	addEventListener('focusin', endSoon, { capture: true, signal });
}
