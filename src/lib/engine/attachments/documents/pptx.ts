import type { Archive } from './archive';
import type { ArchiveFormat } from './archive-format';
import type { DocumentPart } from './document';
import { relationIdOf, relationsOf } from './relations';
import { TextBuilder } from './text-builder';
import { readXml } from './xml';

const presentation = 'ppt/presentation.xml';

/** PowerPoint: the text of each slide, in the order in which they are shown, with the speaker's notes below. */
export const pptx: ArchiveFormat = {
	mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
	recognises: ({ names }) => names.has(presentation),
	open(archive) {
		const slides = slidesOf(archive);
		return { unit: 'slide', count: slides.length, parts: partsOf(archive, slides) };
	}
};

function slidesOf(archive: Archive): string[] {
	const paths = new Map(relationsOf(archive, presentation).map(({ id, path }) => [id, path]));
	const ids: string[] = [];
	readXml(archive.text(presentation), { open: (name, attributes) => void (name === 'sldId' && ids.push(relationIdOf(attributes) ?? '')) });
	return ids.flatMap((id) => paths.get(id) ?? []);
}

function* partsOf(archive: Archive, slides: string[]): Generator<DocumentPart> {
	for (const [index, slide] of slides.entries()) {
		const notes = relationsOf(archive, slide).find(({ type }) => type === 'notesSlide');
		const spoken = notes ? textOf(archive.text(notes.path), 'body') : '';
		yield { title: `Slide ${index + 1}`, text: textOf(archive.text(slide)) + (spoken.trim() && `\nNotes: ${spoken}`) };
	}
}

/** Returns the text of all shapes, or only of those that are placeholders of one type. */
function textOf(xml: string, only?: string): string {
	const text = new TextBuilder();
	let placeholder = '';
	const counts = () => only === undefined || placeholder === only;
	readXml(xml, {
		open(name, { type = '' }) {
			if (name === 'sp') placeholder = '';
			else if (name === 'ph') placeholder = type;
			else if (name === 'br' && counts()) text.break();
			else if (name === 'tc') text.openCell();
		},
		text: (data, inside) => inside === 't' && counts() && text.add(data),
		close(name) {
			if (name === 'p' && counts()) text.break();
			else if (name === 'tc') text.closeCell();
			else if (name === 'tr') text.line();
		}
	});
	return text.toString();
}
