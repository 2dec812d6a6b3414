/** Hands a file to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
	const url = URL.createObjectURL(file);
	Object.assign(document.createElement('a'), { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
