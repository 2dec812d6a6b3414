import { keepInTab, keptInTab } from './tab-text';

/** Texts that this page has submitted and the store does not have yet, by name. */
const pending: Record<string, string[]> = {};

/**
 * A text that is typed into a field and not submitted yet. The tab keeps it under a name, with those that were submitted and are not
 * stored: a page that is loaded again offers them again, one after the other.
 */
export class KeptText {
	private typed = $state('');
	/** Texts that the field shows when it is empty again. */
	private next: string[];

	constructor(private readonly name: string) {
		// In a page that goes on with it, the pending ones are where they were submitted to.
		[this.typed = '', ...this.next] = without(keptTexts(name), pending[name] ?? []);
	}

	get text(): string {
		return this.typed;
	}

	set text(text: string) {
		this.typed = text;
		this.keep();
	}

	/** Empties the field. The tab keeps the text until it is `stored`. */
	async submitted(stored: Promise<unknown>): Promise<void> {
		const { name, typed } = this;
		(pending[name] ??= []).push(typed);
		this.typed = this.next.shift() ?? '';
		await stored;
		pending[name] = without(pending[name], [typed]);
		keepInTab(name, listed(without(keptTexts(name), [typed])));
	}

	private keep(): void {
		keepInTab(this.name, listed([...(pending[this.name] ?? []), this.typed, ...this.next]));
	}
}

/** A page of an earlier version has kept one text by itself. */
function keptTexts(name: string): string[] {
	const kept = keptInTab<string[] | string>(name) ?? [];
	return typeof kept === 'string' ? [kept] : kept;
}

function listed(texts: string[]): string[] | undefined {
	const kept = texts.filter((text) => text !== '');
	return kept.length > 0 ? kept : undefined;
}

/** The texts without others, each of which takes one away. */
function without(texts: string[], others: string[]): string[] {
	const left = [...others];
	return texts.filter((text) => {
		const at = left.indexOf(text);
		if (at >= 0) left.splice(at, 1);
		return at < 0;
	});
}
