import SquareSlash from '@lucide/svelte/icons/square-slash';
import { needsArgument, type Command, type Place } from '../../commands/command';
import { commands } from '../../commands/registry';
import type { OpenChat } from '../open-chat.svelte';
import { commanding } from '../search-palette.svelte';
import type { Action } from './action';

/** A place that has a composer, above which a command answers. */
export interface CommandTarget {
	place: Place;
	/** The chat that is open there. */
	chat: OpenChat | undefined;
}

/** The slash commands that can be run as they are, but for those that `actions` do. */
export function commandActions(actions: readonly Action<never>[]): Action<CommandTarget>[] {
	const done = actions.map(({ command }) => command);
	return commands.filter((command) => !needsArgument(command) && !done.includes(command.name)).map(actionOf);
}

function actionOf({ name, summary, alone, needs }: Command): Action<CommandTarget> {
	return {
		id: `/${name}`,
		label: alone ?? summary,
		icon: SquareSlash,
		command: name,
		enabled: ({ chat }) => !needs || (needs === 'chat' ? chat !== undefined : (chat?.changeable ?? false)),
		async run({ place }) {
			commanding.begun = true;
			const { runCommand } = await import('../commands.svelte');
			await runCommand(`/${name}`, place);
		}
	};
}
