import * as v from 'valibot';
import { excerptOf } from '../conversation/excerpt';
import { definitions } from './definitions';
import { tables, type CheckedTable, type Rows } from './tables';

/** Tells whether the rows of a table are checked: a row is what its schema says, and may have fields that it does not name, as one of a later version. */
export function isChecked(table: string): table is CheckedTable {
	return definitions.get(table)?.schema !== undefined;
}

/** Says what is wrong with a row of that table, as a sentence, or undefined. */
export function faultOf(table: CheckedTable, row: unknown): string | undefined {
	const { issues } = v.safeParse(schemaOf(table), row, { abortEarly: true });
	if (!issues) return undefined;
	const { type, message, expected, received } = issues[0];
	if (type === 'check') return message;
	const path = v.getDotPath(issues[0]);
	const what = path === null ? 'The row' : `Its field “${path}”`;
	// A key may stand there.
	if (definitions.get(table)!.secrets) return `${what} is not what belongs there.`;
	if (path !== null && received === 'undefined') return `The field “${path}” is missing.`;
	return `${what} is ${wordOf(received)}, where ${wordOf(expected ?? 'something else')} belongs.`;
}

const words: Record<string, string> = { string: 'text', Array: 'a list', Object: 'an object', number: 'a number', boolean: 'true or false' };

/** Translates a name of the schema library for people; a long value is cut. */
function wordOf(name: string): string {
	return words[name] ?? excerptOf(name, 60);
}

/** Returns a row with the fields only that its schema names, at any depth; undefined if it has a fault. */
export function knownFields<T extends CheckedTable>(table: T, row: unknown): Rows[T] | undefined {
	const { success, output } = v.safeParse(schemaOf(table), row, { abortEarly: true });
	return success ? (output as Rows[T]) : undefined;
}

/** The fields of a row that can be read, whatever the others are. */
export function readable<T extends 'sessions' | 'messages' | 'trees' | 'positions'>(table: T, row: unknown): Partial<Rows[T]> {
	if (typeof row !== 'object' || row === null) return {};
	const fields = Object.entries(tables[table].schema.entries as Record<string, v.GenericSchema>).flatMap(([field, schema]) => {
		const value = (row as Record<string, unknown>)[field];
		return field in row && v.is(schema, value) ? [[field, value]] : [];
	});
	return Object.fromEntries(fields) as Partial<Rows[T]>;
}

function schemaOf(table: CheckedTable): v.GenericSchema {
	return definitions.get(table)!.schema!;
}
