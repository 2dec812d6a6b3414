import type { Archive } from './archive';
import type { OpenDocument } from './document';

/** A kind of document that is an archive of XML. */
export interface ArchiveFormat {
	mediaType: string;
	recognises(archive: Archive): boolean;
	/** Throws Refused where the document can't be read. */
	open(archive: Archive): Omit<OpenDocument, 'mediaType'>;
}
