import type { ChatBeginning } from '../engine/turns/turns';
import { beginningName, keepInTab, keptInTab } from './tab-text';

let current = $state.raw<ChatBeginning>(keptInTab(beginningName) ?? {});

/** Choices for a new chat before its first message. They belong to the tab, as its text does. */
export const beginning = {
	get current(): ChatBeginning {
		return current;
	},
	/** Reads them again: the first message of a chat takes them. */
	read(): void {
		current = keptInTab(beginningName) ?? {};
	},
	/** Puts these in the place of those of that name; undefined leaves it to the default. */
	change(choices: { [N in keyof ChatBeginning]: ChatBeginning[N] | undefined }): void {
		const kept = Object.entries({ ...current, ...choices }).filter(([, value]) => value !== undefined);
		current = Object.fromEntries(kept);
		keepInTab(beginningName, kept.length > 0 ? current : undefined);
	}
};
