/**
 * A row that did not fit its schema, set aside whole with the reason, so that the rest opens [R6]. `table` and `key` say
 * where it was; `at` when it was found, in epoch milliseconds.
 */
export interface QuarantinedRow {
	id: string;
	table: string;
	key: unknown;
	row: unknown;
	reason: string;
	at: number;
}
