import { addressOf } from '../shared/server-address';
import { definitions } from './definitions';
import type { SecretsRule } from './tables/definition';
import { protocolForm } from './tables/providers';

/**
 * A row as it may be copied, shown, quarantined or given away. Of a server's, whatever version wrote it and however broken it is,
 * that is its name, address and protocol; other fields may be its key, which versions before 5 kept there.
 */
export function withoutSecrets(table: string, row: unknown): unknown {
	const rule = definitions.get(table)?.secrets;
	return rule ? withoutThem[rule](row) : row;
}

const withoutThem: Record<SecretsRule, (row: unknown) => unknown> = {
	never: () => undefined,
	server: (row) => (typeof row === 'object' && row !== null ? serverOnly(row as Record<string, unknown>) : undefined),
	nested: (row) => (typeof row === 'object' && row !== null && 'table' in row ? quarantined(row) : row)
};

function quarantined(row: { table: unknown; row?: unknown }): unknown {
	const from = String(row.table);
	const clean = { ...row, row: withoutSecrets(from, row.row) };
	// Such a sentence quotes what it found.
	return definitions.get(from)?.secrets ? { ...clean, reason: 'This row of a server did not fit.' } : clean;
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
