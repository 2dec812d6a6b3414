/** True if the dialog named “Commands” is open, the way to everything by a few letters; or the list of shortcuts is. */
export const palette = $state<{ open: boolean | 'shortcuts' }>({ open: false });

/** Set once a command was begun in this tab: what answers commands is loaded then. */
export const commanding = $state({ begun: false });
