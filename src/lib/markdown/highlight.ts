import { Highlighter } from './highlighter';

/** One worker for the page. */
export const highlighter = new Highlighter(
	() => new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module', name: 'highlight' })
);
