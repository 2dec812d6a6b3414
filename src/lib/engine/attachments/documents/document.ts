import type { Extract } from '../../../storage/tables/attachments';

/** A page, a sheet or another part of a document, below its title where it has one. */
export interface DocumentPart {
	title?: string;
	text: string;
}

/** A document that a reader has opened. Its parts are read when they are asked for, in their order. */
export interface OpenDocument {
	mediaType: string;
	/** The name of a part, where there may be several. */
	unit?: NonNullable<Extract['unit']>;
	/** Number of parts. */
	count: number;
	parts: Iterable<DocumentPart> | AsyncIterable<DocumentPart>;
}

/** Reasons why a document gives no text: `unknown` is a file of another kind, which no reader reads. */
export type Refusal = 'damaged' | 'encrypted' | 'too-large' | 'unknown';

/** Ends the reading of a document. */
export class Refused extends Error {
	constructor(readonly reason: Refusal) {
		super(reason);
	}
}
