import { goto } from '$app/navigation';
import type { resolve } from '$app/paths';
import type { LucideIcon } from '@lucide/svelte';

/**
 * Something that a user can do, told once for the menus, buttons, shortcuts and the dialog “Commands”. A target is what
 * it is done to.
 */
export interface Action<Target = void> {
	id: string;
	/** As its button or entry says it. */
	label: string;
	/** Returns the label where its target is known, which says more. */
	labelFor?: (target: Target) => string;
	/** Other words that it is found by. */
	also?: string;
	/** Description by a button that shows only its icon, where that is more than its label. */
	hint?: string;
	icon: LucideIcon;
	/**
	 * The keys that do it where it can be done; those that are shown come first. `Mod` is ⌘ on Apple's machines and Ctrl elsewhere. Keys that
	 * only move within a piece of the page, such as arrows, are its own.
	 */
	keys?: readonly [string, ...string[]];
	/** The name of the slash command that does the same. */
	command?: string;
	danger?: true;
	/** Tells whether it can be done now; always, where it is not given. What can't be is in no menu and not among the commands. */
	enabled?: (target: Target) => boolean;
	run: (target: Target) => unknown;
}

/** An action that is but the way to a page. */
export interface Way extends Action {
	href: () => ReturnType<typeof resolve>;
}

export function wayTo(way: Omit<Way, 'run'>): Way {
	return { ...way, run: () => goto(way.href()) };
}

/** Tells whether an action can be done now. */
export function isEnabled<Target>({ enabled }: Pick<Action<Target>, 'enabled'>, target: Target): boolean {
	return enabled?.(target) ?? true;
}

/** Returns what an action is called where its target is known. */
export function labelOf<Target>({ label, labelFor }: Pick<Action<Target>, 'label' | 'labelFor'>, target: Target): string {
	return labelFor?.(target) ?? label;
}
