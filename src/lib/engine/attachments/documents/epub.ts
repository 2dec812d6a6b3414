import { pathFrom, type Archive } from './archive';
import type { ArchiveFormat } from './archive-format';
import { Refused, type DocumentPart } from './document';
import { htmlText } from './html-text';
import { readXml } from './xml';

const mediaType = 'application/epub+zip';

/** EPUB: the files of the book in its reading order, as chapters. */
export const epub: ArchiveFormat = {
	mediaType,
	recognises: (archive) => archive.names.has('META-INF/container.xml') && archive.text('mimetype').trim() === mediaType,
	open(archive) {
		const chapters = chaptersOf(archive);
		const locked = lockedFiles(archive);
		if (chapters.some((path) => locked.has(path))) throw new Refused('encrypted');
		return { unit: 'chapter', count: chapters.length, parts: partsOf(archive, chapters) };
	}
};

function chaptersOf(archive: Archive): string[] {
	let book = '';
	readXml(archive.text('META-INF/container.xml'), { open: (name, { 'full-path': path = '' }) => void (name === 'rootfile' && (book ||= path)) });
	const paths = new Map<string, string>();
	const order: string[] = [];
	readXml(archive.text(book), {
		open(name, { id, href, idref }) {
			if (name === 'item' && id && href) paths.set(id, pathFrom(book, href));
			else if (name === 'itemref' && idref) order.push(idref);
		}
	});
	return order.flatMap((id) => paths.get(id) ?? []);
}

/** The names of files that only a reader with a key can open; fonts may be among them. */
function lockedFiles(archive: Archive): Set<string> {
	const locked = new Set<string>();
	readXml(archive.text('META-INF/encryption.xml'), { open: (name, { URI: path }) => void (name === 'CipherReference' && path && locked.add(pathFrom('', path))) });
	return locked;
}

function* partsOf(archive: Archive, chapters: string[]): Generator<DocumentPart> {
	for (const [index, path] of chapters.entries()) yield { title: `Chapter ${index + 1}`, text: htmlText(archive.text(path)) };
}
