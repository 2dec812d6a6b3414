import type { ExportFormat } from './format';

interface ExportEntry {
	id: string;
	/** The name that a menu has for it. */
	label: string;
	/** False for bytes, which can be downloaded and not copied. */
	isText: boolean;
	load(): Promise<ExportFormat>;
}

/** Every format that a session can be exported as. To add one: a file beside this one, and a line here. */
export const exportFormats = [
	{ id: 'markdown', label: 'Markdown', isText: true, load: async () => (await import('./markdown')).markdown }
] as const satisfies ExportEntry[];

export type ExportId = (typeof exportFormats)[number]['id'];
