import { unzipSync } from 'fflate';
import { Refused } from './document';

/**
 * The most that is unpacked of an archive: of one file, and of all that are read, in bytes; and the most names that it has, and that are looked at, all of
 * them for each file that is read.
 */
export const archiveLimits = { file: 50_000_000, all: 150_000_000, names: 20_000, looks: 20_000_000 };

/** The files of a ZIP archive, by their names. One that unpacks to more than it says is cut off there. */
export class Archive {
	readonly names: ReadonlySet<string>;
	private unpacked = 0;
	private looks = 0;

	/** Throws Refused where it is no archive. */
	constructor(
		private readonly bytes: Uint8Array<ArrayBuffer>,
		private readonly limits = archiveLimits
	) {
		const names = new Set<string>();
		this.unzip((name) => {
			if (names.size === limits.names) throw new Refused('too-large');
			names.add(name);
			return false;
		});
		this.names = names;
	}

	/** Returns a file as text, empty where there is none of that name. Throws Refused beyond the limits. */
	text(name: string): string {
		if (!this.names.has(name)) return '';
		this.looks += this.names.size;
		if (this.looks > this.limits.looks) throw new Refused('too-large');
		const { [name]: bytes } = this.unzip((other, size) => {
			if (other !== name) return false;
			this.unpacked += size;
			if (size > this.limits.file || this.unpacked > this.limits.all) throw new Refused('too-large');
			return true;
		});
		return decoderOf(bytes!).decode(bytes);
	}

	private unzip(takes: (name: string, size: number) => boolean): Record<string, Uint8Array> {
		try {
			return unzipSync(this.bytes, { filter: ({ name, originalSize }) => takes(name, originalSize) });
		} catch (error) {
			throw error instanceof Refused ? error : new Refused('damaged');
		}
	}
}

/** XML is in UTF-8 unless its first bytes say otherwise. */
function decoderOf([first, second]: Uint8Array): TextDecoder {
	if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
	return new TextDecoder(first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8');
}

/** Returns the name in the archive that a reference in one of its files leads to; '' where it leads nowhere. */
export function pathFrom(file: string, reference: string): string {
	const [relative, base] = [reference.replaceAll('\\', '/'), `file:///${file.split('/').map(encodeURIComponent).join('/')}`];
	if (!URL.canParse(relative, base)) return '';
	const { pathname } = new URL(relative, base);
	try {
		return decodeURIComponent(pathname.slice(1));
	} catch {
		return pathname.slice(1);
	}
}
