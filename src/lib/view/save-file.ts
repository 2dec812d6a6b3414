/** Hands a file to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
	const url = URL.createObjectURL(file);
	Object.assign(document.createElement('a'), { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Extensions of documents, by the end of their media types. */
const extensions = [
	['/pdf', 'pdf'],
	['wordprocessingml.document', 'docx'],
	['presentationml.presentation', 'pptx'],
	['spreadsheetml.sheet', 'xlsx'],
	['opendocument.text', 'odt'],
	['epub+zip', 'epub']
] as const;

/** Returns the name of a document with the extension of what it is: a file that brought both may call a document a program. */
export function documentName(name: string, mediaType: string): string {
	const extension = extensions.find(([end]) => mediaType.endsWith(end))?.[1] ?? 'txt';
	return name.toLowerCase().endsWith(`.${extension}`) ? name : `${name}.${extension}`;
}
