/** True if the dialog named “Commands” is open, the way to everything by a few letters; or the list of shortcuts is. `typed` is what was typed for it before it was there. */
export const palette = $state<{ open: boolean | 'shortcuts'; typed: string }>({ open: false, typed: '' });

/** Set once a command was begun in this tab: what answers commands is loaded then. */
export const commanding = $state({ begun: false });
