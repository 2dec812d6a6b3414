/** Returns the SHA-256 of bytes, or of a text in UTF-8, in hexadecimal. */
export async function sha256Of(content: BufferSource | string): Promise<string> {
	const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
	return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
