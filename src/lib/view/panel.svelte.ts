/** What shows beside the conversation: its tree, its notes, or nothing. */
export const panel = $state<{ open: 'tree' | 'notes' | undefined }>({ open: undefined });

/** Opens a panel, or closes it if it is open. */
export function togglePanel(which: 'tree' | 'notes'): void {
	panel.open = panel.open === which ? undefined : which;
}
