// The script in the head of the page (scripts/page-template.mjs puts it there): what the user prefers counts from the first frame on, which may come
// before the parser has read the body.
import { applyPreferences } from './lib/view/kept-preferences';

applyPreferences();
// What another tab has changed.
addEventListener('storage', applyPreferences);
