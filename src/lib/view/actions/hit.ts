import ChevronDown from '@lucide/svelte/icons/chevron-down';
import ChevronUp from '@lucide/svelte/icons/chevron-up';
import type { Action } from './action';

/** Hits in the open session. */
export interface HitsTarget {
	count: number;
	/** Goes to the next one, or to the one before. */
	step: (by: 1 | -1) => void;
}

type HitAction = Action<HitsTarget>;

const hasHits = ({ count }: HitsTarget) => count > 0;

export const nextHit: HitAction = {
	id: 'next-hit',
	label: 'Next hit',
	icon: ChevronDown,
	keys: ['F3', 'Mod+G'],
	enabled: hasHits,
	run: ({ step }) => step(1)
};

export const previousHit: HitAction = {
	id: 'previous-hit',
	label: 'Previous hit',
	icon: ChevronUp,
	keys: ['Shift+F3', 'Shift+Mod+G'],
	enabled: hasHits,
	run: ({ step }) => step(-1)
};
