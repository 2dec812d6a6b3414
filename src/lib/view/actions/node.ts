import ArrowRight from '@lucide/svelte/icons/arrow-right';
import Columns from '@lucide/svelte/icons/columns-2';
import Trash from '@lucide/svelte/icons/trash-2';
import type { Action } from './action';
import { branchFromHere, label, setAsMain, unsetMain } from './message';

/** A node of the tree that is shown, with what the panel that shows it does with it. */
export interface NodeTarget {
	/** Tells whether the tree can be changed from here now. */
	changeable: boolean;
	/** Tells whether the newest branch through it is the main branch. */
	isMain: boolean;
	/** Tells whether there is another branch to compare it with. */
	comparable: boolean;
	go: () => unknown;
	branch: () => unknown;
	label: () => unknown;
	toggleMain: () => unknown;
	compare: () => unknown;
	remove: () => unknown;
}

interface NodeAction extends Omit<Action<NodeTarget>, 'labelFor'> {
	/** Name in the line of its keys. */
	word: string;
}

const isChangeable = ({ changeable }: NodeTarget) => changeable;

export const goToNode: NodeAction = { id: 'go-to-node', label: 'Go here', word: 'go', icon: ArrowRight, keys: ['Enter', ' '], run: ({ go }) => go() };

const setMainNode: NodeAction = {
	...setAsMain,
	id: 'set-main-node',
	keys: ['M'],
	word: 'main branch',
	enabled: isChangeable,
	run: ({ toggleMain }) => toggleMain()
};

/** Returns what the button of an action says. */
export function labelOf(action: NodeAction, { isMain }: NodeTarget): string {
	return action === setMainNode && isMain ? unsetMain.label : action.label;
}

/** Actions on a node, in the order of its buttons. */
export const nodeActions: readonly NodeAction[] = [
	goToNode,
	{ ...branchFromHere, id: 'branch-from-node', keys: ['B'], word: 'branch', enabled: isChangeable, run: ({ branch }) => branch() },
	{ ...label, id: 'label-node', keys: ['L'], word: 'label', enabled: isChangeable, run: ({ label }) => label() },
	setMainNode,
	{
		id: 'compare-node',
		label: 'Compare',
		word: 'compare',
		icon: Columns,
		keys: ['C'],
		enabled: ({ comparable }) => comparable,
		run: ({ compare }) => compare()
	},
	{
		id: 'delete-node',
		label: 'Delete',
		word: 'delete',
		icon: Trash,
		keys: ['Delete'],
		danger: true,
		enabled: isChangeable,
		run: ({ remove }) => remove()
	}
];
