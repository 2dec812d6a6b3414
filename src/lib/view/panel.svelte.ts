/** What can show beside the conversation: its tree, its notes, or what the model sees of it. */
export type PanelName = 'tree' | 'notes' | 'context';

export const panel = $state<{ open: PanelName | undefined }>({ open: undefined });

/** Opens a panel, or closes it if it is open. */
export function togglePanel(which: PanelName): void {
	panel.open = panel.open === which ? undefined : which;
}
