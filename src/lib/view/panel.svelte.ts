import { innerWidth } from 'svelte/reactivity/window';

/** What can show beside the conversation: its tree, its notes, or what the model sees of it. */
export type PanelName = 'tree' | 'notes' | 'context';

/** Up to which width of the window, in pixels, a panel lies over the conversation, which would get less than 420 beside it. */
const widest = 66 * 16;

class Panel {
	open = $state<PanelName | undefined>();

	/** Whether there is no room for a panel beside the conversation. */
	get narrow(): boolean {
		return (innerWidth.current ?? Infinity) <= widest;
	}

	/** Whether one lies over the conversation, so that this can't be seen. */
	get over(): boolean {
		return this.open !== undefined && this.narrow;
	}
}

export const panel = new Panel();

/** Opens a panel, or closes it if it is open. */
export function togglePanel(which: PanelName): void {
	panel.open = panel.open === which ? undefined : which;
}
