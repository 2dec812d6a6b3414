import { Archive } from './archive';
import { archiveFormats } from './archive-formats';
import { Refused } from './document';
import { serveReader } from './serve-reader';

serveReader((bytes) => {
	const archive = new Archive(bytes);
	const format = archiveFormats.find((format) => format.recognises(archive));
	if (!format) throw new Refused('unknown');
	return { mediaType: format.mediaType, ...format.open(archive) };
});
