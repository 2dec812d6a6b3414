import SquareSlash from '@lucide/svelte/icons/square-slash';
import { needsArgument, type Command, type Place } from '../../commands/command';
import { commands } from '../../commands/registry';
import type { OpenChat } from '../open-chat.svelte';
import { commanding } from '../search-palette.svelte';
import { isTemporary } from '../../shared/is-temporary';
import type { Action } from './action';

/** A place that has a composer, above which a command answers. */
export interface CommandTarget {
	place: Place;
	/** The chat that is open there. */
	chat: OpenChat | undefined;
}

/** Tells whether a command can be done where this chat is open, or none; `alone`: without an argument. */
export function isOffered({ needs, fits, listed }: Command, chat: OpenChat | undefined, alone: boolean): boolean {
	if (listed && isTemporary()) return false;
	if (needs && !(needs === 'chat' ? chat : chat?.changeable)) return false;
	const session = chat?.conversation.session;
	return !fits || !session || fits({ session, labelled: isLabelledHere(chat.conversation) }, alone);
}

/** Tells whether what was sent last, or what followed it, has a label; of a stretch that does not reach the head that is not known. */
function isLabelledHere({ at, reachesEnd, messages, tree }: OpenChat['conversation']): boolean {
	if (at !== undefined || !reachesEnd) return true;
	const sent = messages.findLastIndex(({ role }) => role === 'user');
	return messages.slice(Math.max(sent, 0)).some(({ id }) => tree?.labels[id] !== undefined);
}

/** The slash commands that can be run as they are, but for those that `actions` do. */
export function commandActions(actions: readonly Action<never>[]): Action<CommandTarget>[] {
	const done = actions.map(({ command }) => command);
	return commands.filter((command) => !needsArgument(command) && !done.includes(command.name)).map(actionOf);
}

function actionOf(command: Command): Action<CommandTarget> {
	const { name, summary, alone } = command;
	return {
		id: `/${name}`,
		label: alone ?? summary,
		icon: SquareSlash,
		command: name,
		enabled: ({ chat }) => isOffered(command, chat, true),
		async run({ place }) {
			commanding.begun = true;
			const { runCommand } = await import('../commands.svelte');
			await runCommand(`/${name}`, place);
		}
	};
}
