import { storedToolServers } from '../app/stored-tool-servers';
import { runCommand } from './commands.svelte';
import type { ComposerText } from './composer.svelte';
import type { Place } from '../commands/command';
import { Live } from './live.svelte';
import { commanding } from './search-palette.svelte';

/** Tells, as live query, whether a tool server that lets the user in has something that could be attached, by what it said last. */
export function liveResources(): Live<boolean> {
	return new Live(async () => (await storedToolServers.list()).some(({ hasResources, signIn }) => hasResources && signIn !== 'needed'));
}

/** Lists what could be attached, above the composer. */
export async function offerResources(place: Place, composer: ComposerText): Promise<void> {
	commanding.begun = true;
	await runCommand('/resource', place, composer);
}
