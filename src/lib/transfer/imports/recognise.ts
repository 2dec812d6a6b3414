import { AppError } from '../../shared/app-error';
import { unreadableFile } from '../unreadable-file';
import { foreignExport } from './foreign-export';
import type { ImportFormat } from './format';
import { importFormats, type ImportId } from './registry';

/** Finds the format of a file: the first that recognises it; undefined where none does. Throws an AppError `file-unreadable`. */
export async function formatOf(file: Blob): Promise<{ id: ImportId; format: ImportFormat } | undefined> {
	try {
		for (const { id, load } of importFormats) {
			const format = await load();
			if (await format.recognises(file)) return { id, format };
		}
		return undefined;
	} catch (error) {
		throw error instanceof DOMException ? unreadableFile(error) : error;
	}
}

/** Finds the format of a file as `formatOf`. Throws its AppError, and where it has none `import-foreign` for an export of another app, or else `import-unknown`. */
export async function recognise(file: Blob): Promise<{ id: ImportId; format: ImportFormat }> {
	const found = await formatOf(file);
	if (found) return found;
	const app = await foreignExport(file);
	if (app) throw new AppError('import-foreign', `This is an export of ${app}. Snug can’t import these yet, so nothing was changed.`);
	const known = new Intl.ListFormat('en', { type: 'disjunction' }).format(importFormats.map(({ label }) => label));
	throw new AppError('import-unknown', `Snug can’t import this file: it is not a ${known}. Choose another one.`);
}
