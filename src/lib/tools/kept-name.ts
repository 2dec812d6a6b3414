/** Returns the name by which a model knows a result that is kept whole: the beginning of its attachment's id. */
export function keptName(attachmentId: string): string {
	return attachmentId.slice(0, 12);
}
