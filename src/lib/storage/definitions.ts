import { tables } from './tables';
import type { TableDefinition } from './tables/definition';

/** Each table as it is defined, by a name that may come from elsewhere. */
export const definitions: ReadonlyMap<string, TableDefinition> = new Map(Object.entries(tables));

/** Returns the names of the tables that are as wanted. */
export function tablesWhere(wanted: (definition: TableDefinition) => boolean): string[] {
	return [...definitions].flatMap(([name, definition]) => (wanted(definition) ? [name] : []));
}

/** Tells whether copies of rows have a table: not one that is made from others, nor one with keys. Those of other versions are copied. */
export function isCopied(table: string): boolean {
	const definition = definitions.get(table);
	return definition?.scope !== 'derived' && definition?.secrets !== 'never';
}
