import type { ImportFormat } from './format';

interface ImportEntry {
	id: string;
	/** The name that a sentence has for it. */
	label: string;
	/** The files that a picker offers: ends of names, and media types. */
	accept: readonly string[];
	load(): Promise<ImportFormat>;
}

/** Every kind of file that can be imported. To add one: a file beside this one, and a line here. */
export const importFormats = [
	{ id: 'backup', label: 'Snug backup', accept: ['.gz', '.jsonl', 'application/gzip'], load: async () => (await import('./backup')).backup }
] as const satisfies ImportEntry[];

export type ImportId = (typeof importFormats)[number]['id'];
