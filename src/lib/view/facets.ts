import { facets as read } from '../app/session-facets';
import { Live } from './live.svelte';

/** The workspaces and surfaces that there are to filter by. */
export const facets = new Live(read);
