import { app } from '../app';
import { Live } from './live.svelte';

const rows = new Live(() => app.settings.get('showTokens'));

/** True if answers show their tokens [S7]. */
export const tokens = {
	get shown(): boolean {
		return rows.current ?? false;
	}
};
