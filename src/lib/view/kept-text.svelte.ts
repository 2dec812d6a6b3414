import { keepInTab, keptInTab } from './tab-text.svelte';

/** The name of a task, or of a note's name, that is typed in the notes of a session and not added yet. */
export function addedName(what: 'task' | 'note', sessionId: string): string {
	return `${what}:${sessionId}`;
}

/** A text that is typed into a field and not submitted yet: the tab keeps it under a name. */
export class KeptText {
	private typed = $state('');

	constructor(private readonly name: string) {
		this.typed = keptInTab<string>(name) ?? '';
	}

	get text(): string {
		return this.typed;
	}

	set text(text: string) {
		this.typed = text;
		keepInTab(this.name, text || undefined);
	}
}
