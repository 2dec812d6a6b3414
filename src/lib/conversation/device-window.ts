/** The longest context window of a model on a device, in tokens: a longer one takes minutes to read there. */
export const maxDeviceWindow = 8192;

/** Returns the longest context window, in tokens, that a model gets on any device, by the one that its file states. */
export function deviceWindow(contextLength: number): number {
	return Math.min(contextLength, maxDeviceWindow);
}
