import { keepInTab, keptInTab } from './tab-text.svelte';

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

	/** Empties the field. The tab keeps the text until it is `stored`, or another is typed. */
	async submitted(stored: Promise<void>): Promise<void> {
		const { typed } = this;
		this.typed = '';
		await stored;
		if (keptInTab(this.name) === typed) keepInTab(this.name, undefined);
	}
}
