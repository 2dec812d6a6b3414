import type { SaveTarget } from '../transfer/backup/create';

/** Chromium's question for the place of a file; not in TypeScript's DOM library. */
interface SavePicker {
	showSaveFilePicker?: (options: {
		suggestedName: string;
		types: { description: string; accept: Record<string, string[]> }[];
	}) => Promise<SaveTarget>;
}

/** Asks the user where to save; undefined where the browser can't ask. */
export async function pickTarget(suggestedName: string): Promise<SaveTarget | 'cancelled' | undefined> {
	const { showSaveFilePicker } = window as SavePicker;
	if (!showSaveFilePicker) return undefined;
	try {
		return await showSaveFilePicker({ suggestedName, types: [{ description: 'Snug backup', accept: { 'application/gzip': ['.gz'] } }] });
	} catch (error) {
		if (error instanceof DOMException && error.name === 'AbortError') return 'cancelled';
		// Some embedded browsers have the picker, and never allow it.
		return undefined;
	}
}
