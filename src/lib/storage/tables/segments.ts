import { unchecked, type TableDefinition } from './definition';

/**
 * One part of a frozen segment of the search index, opaque to the store. `head` is read when the segment is opened, blocks
 * of `postings` and `keys` when a query needs them, those of `places` when it has a phrase.
 */
export interface SegmentPart {
	segment: string;
	kind: 'head' | 'postings' | 'places' | 'keys';
	number: number;
	content: unknown;
}

export const segments = {
	schema: unchecked<SegmentPart>(),
	key: ['segment', 'kind', 'number'],
	indexes: { 4: '' },
	scope: 'derived'
} as const satisfies TableDefinition<SegmentPart>;
