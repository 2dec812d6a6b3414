import { keepInTab, keptInTab } from './tab-text';

/** A text that is typed into a field of one line and not submitted yet. The tab keeps it under a name, over reloads. */
export class KeptText {
	private typed = $state('');

	constructor(private readonly name: string) {
		const kept = keptInTab<string | string[]>(name) ?? '';
		// A page of an earlier version has kept a list, with what was submitted and not stored.
		this.typed = typeof kept === 'string' ? kept : kept.join(', ');
	}

	get text(): string {
		return this.typed;
	}

	set text(text: string) {
		this.typed = text;
		keepInTab(this.name, text === '' ? undefined : text);
	}
}
