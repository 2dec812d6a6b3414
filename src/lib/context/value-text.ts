/** What a tool was called with, or what it gave back, as text: a text as it is, anything else as JSON. */
export function valueText(value: unknown): string {
	// `undefined` has no JSON.
	return typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? '');
}
