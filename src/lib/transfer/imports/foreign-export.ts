/** Number of bytes of a file's start, and of its end, that are looked at: there a list has its first chat, and an archive the names of its files. */
const looked = 1_000_000;

/** Tells which app a file is an export of, by the marks of its kind; undefined if it has none that are known. */
export async function foreignExport(file: Blob): Promise<'ChatGPT' | 'Claude' | undefined> {
	const start = await file.slice(0, looked).text();
	if (start.startsWith('PK\u0003\u0004')) {
		const names = await file.slice(-looked).text();
		if (/conversations-\d+\.json/.test(names) && names.includes('export_manifest.json')) return 'ChatGPT';
		if (!names.includes('conversations.json')) return undefined;
		if (names.includes('chat.html')) return 'ChatGPT';
		return names.includes('users.json') ? 'Claude' : undefined;
	}
	if (!/^\s*\[\s*\{/.test(start)) return undefined;
	// A quote within a text has a backslash before it, so these are names of fields.
	if (/[{,]\s*"mapping"\s*:\s*\{/.test(start)) return 'ChatGPT';
	return /[{,]\s*"chat_messages"\s*:\s*\[/.test(start) ? 'Claude' : undefined;
}
