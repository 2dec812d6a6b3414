import { deafFor } from './deaf-for';

/** Has a second press of the key that was pressed last send nothing of the composer's: for `longest` milliseconds, or a while after the focus has moved there. */
export function ignoreEnter(longest: number): void {
	const ignoring = new AbortController();
	const { signal } = ignoring;
	let end = setTimeout(() => ignoring.abort(), longest);
	const endSoon = () => {
		clearTimeout(end);
		end = setTimeout(() => ignoring.abort(), deafFor);
	};
	const ignore = (event: KeyboardEvent) => {
		if (event.key !== 'Enter' || !(event.target as Element).closest('.composer')) return;
		event.preventDefault();
		event.stopPropagation();
	};
	addEventListener('keydown', ignore, { capture: true, signal });
	addEventListener('focusin', endSoon, { capture: true, signal });
}
