import { addressOf } from '../shared/server-address';
import { protocolForm } from './providers';

/**
 * The API key of a server, under the server's id. No list of what leaves the browser has this table: it is in no backup, export,
 * snapshot, raw data or quarantine, and it has no schema, so that no broken row of it is ever copied.
 */
export interface Secret {
	id: string;
	apiKey: string;
}

/** The tables that no file may hold. */
export const secretTables: readonly string[] = ['secrets'];

/**
 * A row as it may be copied, shown, set aside or given away. Of a server's, whatever version wrote it and however broken it is,
 * that is its name, address and protocol; other fields may be its key, which versions before 5 kept there.
 */
export function withoutSecrets(table: string, row: unknown): unknown {
	if (secretTables.includes(table)) return undefined;
	if (typeof row !== 'object' || row === null) return table === 'providers' ? undefined : row;
	if (table === 'providers') return serverOnly(row as Record<string, unknown>);
	if (table !== 'quarantine' || !('table' in row)) return row;
	const { table: from, row: kept } = row as { table: unknown; row?: unknown };
	const clean = { ...row, row: withoutSecrets(String(from), kept) };
	// Such a sentence quotes what it found.
	return from === 'providers' || secretTables.includes(String(from)) ? { ...clean, reason: 'This row of a server did not fit.' } : clean;
}

function serverOnly({ id, name, baseUrl, protocol, createdAt }: Record<string, unknown>): unknown {
	return {
		...(typeof id === 'string' ? { id } : {}),
		...(typeof name === 'string' ? { name } : {}),
		...(typeof baseUrl === 'string' ? { baseUrl: addressOf(baseUrl) } : {}),
		...(typeof protocol === 'string' && protocolForm.test(protocol) ? { protocol } : {}),
		...(typeof createdAt === 'number' ? { createdAt } : {})
	};
}
