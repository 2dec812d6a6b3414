/** A panel beside the conversation: its tree, its notes, or what the model sees of it. */
export type PanelName = 'tree' | 'notes' | 'context';

class Panel {
	open = $state<PanelName | undefined>();
	/** Set while one is on the screen: an open one is not before it is loaded, nor where there is no chat. */
	drawn = $state(false);
	/** True where a panel beside the conversation would leave it too little room: it lies over it then. */
	narrow = $state(false);

	constructor() {
		// Svelte's MediaQuery would bring all that it has for sets and maps into the first load.
		const query = matchMedia('(max-width: 1099.98px)');
		this.narrow = query.matches;
		query.addEventListener('change', () => (this.narrow = query.matches));
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
