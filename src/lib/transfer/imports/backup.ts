import { sessionOf } from '../backup/format';
import { isBackup, readBackup, tooLarge } from '../backup/read';
import type { ImportFormat, Unit } from './format';

/** A backup of Snug's own [P2]. It comes whole or not at all: what shows that it is cut off or was changed stands at its end. */
export const backup: ImportFormat = { recognises: isBackup, units: unitsOf };

/** The largest session, in bytes without files: it is in memory as a whole. */
const maxSessionSize = 1_000_000_000;

async function* unitsOf(file: Blob, signal?: AbortSignal): AsyncGenerator<Unit> {
	let session: (Unit & { kind: 'session' }) | undefined;
	let bytes = 0;
	for await (const reading of readBackup(file, signal)) {
		if ('header' in reading) {
			const { createdAt, counts } = reading.header;
			yield { kind: 'about', createdAt, rows: Object.values(counts).reduce((sum, count) => sum + count, 0) };
			continue;
		}
		const id = sessionOf(reading.table, reading.row);
		if (id !== undefined && id !== session?.id) {
			if (session) yield session;
			session = { kind: 'session', id, rows: [] };
			bytes = 0;
		}
		// An attachment stands with the first session that uses it.
		const isOfSession = id !== undefined || reading.table === 'attachments';
		if (!session || !isOfSession) {
			yield { kind: 'shared', rows: [reading] };
			continue;
		}
		session.rows.push(reading);
		if (reading.table !== 'attachments') bytes += reading.bytes;
		if (bytes > maxSessionSize) throw tooLarge('A chat in it is larger than any that Snug keeps');
	}
	if (session) yield session;
}
