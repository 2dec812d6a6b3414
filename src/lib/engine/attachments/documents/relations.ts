import { pathFrom, type Archive } from './archive';
import { readXml } from './xml';

/** A reference from a file of an Office document to another. */
interface Relation {
	id: string;
	/** The last word of its type's address, such as `slide`. */
	type: string;
	path: string;
}

/** Returns the id of the reference that an element has, beside an `id` of its own. */
export function relationIdOf(attributes: Record<string, string>): string | undefined {
	return Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1];
}

/** Returns what a file of an Office document refers to within the archive. */
export function relationsOf(archive: Archive, file: string): Relation[] {
	const relations: Relation[] = [];
	const slash = file.lastIndexOf('/') + 1;
	readXml(archive.text(`${file.slice(0, slash)}_rels/${file.slice(slash)}.rels`), {
		open(name, { Id: id, Type: type = '', Target: target = '', TargetMode: mode }) {
			if (name === 'Relationship' && id && mode !== 'External') relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), path: pathFrom(file, target) });
		}
	});
	return relations;
}
