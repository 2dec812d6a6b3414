import { app } from '../app';
import { Live } from './live.svelte';

const rows = new Live(() => app.settings.get('wrapCode'));

/** True if long lines of code go on below, in the place of being scrolled to. */
export const wrapping = {
	get current(): boolean {
		return rows.current ?? false;
	},
	/** Changes it for all code, from now on. */
	async toggle(): Promise<void> {
		await (this.current ? app.settings.unset('wrapCode') : app.settings.set('wrapCode', true));
	}
};
