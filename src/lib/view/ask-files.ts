/** Asks for files to send with the next message. */
export function askFiles(): void {
	document.querySelector<HTMLElement>('.frame-dock input[type=file]')?.click();
}
