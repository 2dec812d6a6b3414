import ChevronDown from '@lucide/svelte/icons/chevron-down';
import ChevronUp from '@lucide/svelte/icons/chevron-up';
import type { ShortcutId } from '../shortcuts';
import type { Action } from './action';

/** Hits in the open session. */
export interface HitsTarget {
	count: number;
	/** Goes to the next one, or to the one before. */
	step: (by: 1 | -1) => void;
}

interface HitAction extends Action<HitsTarget> {
	id: ShortcutId;
}

const hasHits = ({ count }: HitsTarget) => count > 0;

export const nextHit: HitAction = { id: 'next-hit', label: 'Next hit', icon: ChevronDown, enabled: hasHits, run: ({ step }) => step(1) };

export const previousHit: HitAction = {
	id: 'previous-hit',
	label: 'Previous hit',
	icon: ChevronUp,
	enabled: hasHits,
	run: ({ step }) => step(-1)
};
