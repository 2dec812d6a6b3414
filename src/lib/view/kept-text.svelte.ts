import { keepInTab, keptInTab } from './tab-text.svelte';

/** Texts that this page has submitted and the store does not have yet, by name. */
const pending: Record<string, string> = {};

/** A text that is typed into a field and not submitted yet: the tab keeps it under a name. */
export class KeptText {
	private typed = $state('');

	constructor(private readonly name: string) {
		const kept = keptInTab<string>(name) ?? '';
		// In a page that goes on with it, it is where it was submitted to.
		this.typed = kept === pending[name] ? '' : kept;
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
		const { name, typed } = this;
		this.typed = '';
		pending[name] = typed;
		await stored;
		if (pending[name] === typed) delete pending[name];
		if (keptInTab(name) === typed) keepInTab(name, undefined);
	}
}
