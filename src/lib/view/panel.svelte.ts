import { MediaQuery } from 'svelte/reactivity';

/** A panel beside the conversation: its tree, its notes, or what the model sees of it. */
export type PanelName = 'tree' | 'notes' | 'context';

class Panel {
	open = $state<PanelName | undefined>();
	/** Set while one is on the screen: an open one is not before it is loaded, nor where there is no chat. */
	drawn = $state(false);
	private readonly query = new MediaQuery('max-width: 66rem');

	/** True where a panel beside the conversation would leave it less than 420 pixels. */
	get narrow(): boolean {
		return this.query.current;
	}

	/** True where a panel lies over the conversation, so that this can't be seen. */
	get over(): boolean {
		return this.drawn && this.narrow;
	}
}

export const panel = new Panel();

/** Opens a panel, or closes it if it is open. */
export function togglePanel(which: PanelName): void {
	panel.open = panel.open === which ? undefined : which;
}
