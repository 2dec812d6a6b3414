import { AppError } from '../../shared/app-error';
import { unreadableFile } from '../unreadable-file';
import type { ImportFormat } from './format';
import { importFormats, type ImportId } from './registry';

/** Finds the format of a file: the first that recognises it. Throws AppErrors `import-unknown` and `file-unreadable`. */
export async function recognise(file: Blob): Promise<{ id: ImportId; format: ImportFormat }> {
	try {
		for (const { id, load } of importFormats) {
			const format = await load();
			if (await format.recognises(file)) return { id, format };
		}
	} catch (error) {
		throw error instanceof DOMException ? unreadableFile(error) : error;
	}
	const known = new Intl.ListFormat('en', { type: 'disjunction' }).format(importFormats.map(({ label }) => label));
	throw new AppError('import-unknown', `Snug can’t import this file: it is not a ${known}. Choose another one.`);
}
