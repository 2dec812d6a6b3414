import { AppError } from '../shared/app-error';
import { writableNamesOf } from '../shared/folder-path';
import { fileChanged } from '../storage/file-changes';
import { maxChanged, textOf } from './file-text';
import type { Files } from './ports';
import type { CallPreview, ToolContext, ToolResult } from './tool';

/** A change of a file: `next` makes its text of what is there, undefined where nothing is, or throws an AppError, which the model reads. */
export interface TextChange {
	path: string;
	sentence: (isThere: boolean) => string;
	next: (text: string | undefined) => string;
}

/** Tells what a change will do. Throws an AppError where it can't be done. */
export async function previewChange(files: Files, { path, sentence, next }: TextChange, context: ToolContext): Promise<CallPreview> {
	writableNamesOf(path);
	const folderId = await files.openedId(context);
	const content = await files.read(path, context);
	const before = content && (await textOf(path, content, maxChanged));
	return { sentence: sentence(before !== undefined), folderId, change: { before: before ?? '', after: checked(before, next(before)) } };
}

/** Makes a change of a file, as the user was shown it. Throws an AppError where it can't be done, or the file is another by then: others may have changed it while this waited for them. */
export async function makeChange(files: Files, { path, next }: TextChange, context: ToolContext): Promise<ToolResult> {
	writableNamesOf(path);
	const textAfter = async (content: Blob | undefined) => {
		const before = content && (await textOf(path, content, maxChanged));
		if (context.shown?.change && context.shown.change.before !== (before ?? '')) throw fileChanged(path);
		return checked(before, next(before));
	};
	const bytes = await files.change(path, textAfter, context);
	return { output: { path, bytes }, isError: false };
}

function checked(before: string | undefined, after: string): string {
	if (after === before) throw new AppError('file-same', 'The file says this already. Nothing was changed.');
	if (new Blob([after]).size > maxChanged) throw new AppError('file-too-large', `A file that is written has ${maxChanged} bytes at most. Nothing was changed.`);
	return after;
}
