import { joinTexts } from '../conversation/unsent';
import { undoMilliseconds } from '../storage/undo';
import type { Persona } from '../storage/tables/personas';
import { notify } from './notices.svelte';
import { keepInTab, keptInTab } from './tab-text';

/** A persona as it is written in its editor and not saved yet. */
export type WrittenPersona = Omit<Persona, 'createdAt'>;

/** Names what the tab keeps of the one that is stored under a name; of a new one without. */
function keptAs(of: string | undefined): string {
	return `persona:${of ?? ''}`;
}

/** Returns what was written of a persona, over reloads. */
export function writtenPersona(of: string | undefined): WrittenPersona | undefined {
	return keptInTab(keptAs(of));
}

/** Keeps what is written of a persona; undefined keeps nothing. */
export function keepWrittenPersona(of: string | undefined, written: WrittenPersona | undefined): void {
	keepInTab(keptAs(of), written);
}

/** Gives up what was written of a persona, and offers it back for a while: in front of what was written since, and `open` shows it. */
export function discardWrittenPersona(of: string | undefined, written: WrittenPersona, open: () => void): void {
	keepWrittenPersona(of, undefined);
	const putBack = () => {
		const since = writtenPersona(of);
		keepWrittenPersona(of, since ? { ...since, name: since.name || written.name, systemPrompt: joinTexts(written.systemPrompt, since.systemPrompt) } : written);
		open();
	};
	notify({ text: of === undefined ? 'Persona discarded.' : `Changes to “${of}” discarded.`, action: { label: 'Undo', run: putBack }, milliseconds: undoMilliseconds });
}
