import { unchecked, type TableDefinition } from './definition';

/**
 * One part of a segment of the search index, opaque to the store. `head` is read when the segment is opened, blocks
 * of `postings` and `keys` when a query needs them, those of `positions` when it has a phrase.
 */
export interface SegmentPart {
	segment: string;
	kind: 'head' | 'postings' | 'positions' | 'keys';
	number: number;
	content: unknown;
}

export const segments = {
	schema: unchecked<SegmentPart>(),
	key: ['segment', 'kind', 'number'],
	indexes: { 4: '' },
	scope: 'derived'
} as const satisfies TableDefinition<SegmentPart>;
