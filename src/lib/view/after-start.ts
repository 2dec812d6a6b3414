import { dev } from '$app/environment';
import { followUpdates } from './update.svelte';

/** Follows what goes on around the page, once that can be used: updates, and what the system does with the installed app. */
export async function followSystem(): Promise<void> {
	if (!matchMedia('(display-mode: browser)').matches) (await import('./installed')).followLaunchesAndAnswers();
	if (!dev) await followUpdates();
}
