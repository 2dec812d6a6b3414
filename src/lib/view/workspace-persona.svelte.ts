import { personas, type PersonaChoices } from '../app/personas';
import { homeWorkspace } from '../conversation/session';
import type { ChatBeginning } from '../engine/turns/chat-beginning';
import { beginning } from './beginning';
import { Live } from './live.svelte';
import { reportFailure } from './notices.svelte';
import { keepInTab, keptInTab, keptOfWorkspace } from './tab-text';

/** The name of the persona that new chats of a workspace begin with; those of no workspace have none. */
export function personaOfWorkspace(workspace: string): Live<string | undefined> {
	return new Live(() => personas.ofWorkspace(workspace));
}

/** Has a new chat begin with the choices of its workspace's persona, as long as an effect's scope lasts, unless something else was chosen for it. */
export function followWorkspace(workspaceOf: () => string | undefined): void {
	const choices = $derived.by(() => {
		const workspace = workspaceOf();
		return new Live(async () => (workspace === undefined || workspace === homeWorkspace ? undefined : personas.beginningIn(workspace)));
	});
	$effect(() => {
		if (!choices.loading && !choices.failure) beginWith(choices.current);
	});
}

/** Puts these choices into the new chat in the place of those of an earlier workspace, unless something else was chosen. */
function beginWith(choices: PersonaChoices | undefined): void {
	const put = keptInTab<ChatBeginning>(keptOfWorkspace) ?? {};
	const textOf = (one: ChatBeginning = {}) => JSON.stringify(Object.entries(one).sort());
	if (textOf(beginning.current) !== textOf(put)) {
		if (Object.keys(beginning.current).length > 0) return keep(undefined);
	} else if (textOf(put) === textOf(choices)) return;
	keep(choices);
	beginning.replace(choices ?? {});
}

function keep(choices: PersonaChoices | undefined): void {
	keepInTab(keptOfWorkspace, choices);
}

/** Has new chats of a workspace begin with a persona, or with none. */
export function setForWorkspace(workspace: string, name: string | undefined): Promise<void> {
	return reportFailure(() => personas.setForWorkspace(workspace, name));
}
