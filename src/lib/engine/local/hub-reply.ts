import * as v from 'valibot';
import { plainName } from '../../shared/file-name';
import { shorten } from '../../shared/shorten';
import { quantizationOf } from './model-name';

/** A repository of models, as a search lists it. `needsAccount` means that its files are given to no one unknown. */
export interface FoundRepository {
	id: string;
	downloads: number;
	license?: string;
	needsAccount: boolean;
}

/** A model in one file. `path` is its place in the repository, `name` what is shown of it; sizes are in bytes, the hash is lower-case hex. */
export interface HubFile {
	path: string;
	name: string;
	bytes: number;
	sha256: string;
	quantization?: string;
}

/** A repository with its models. `commit` names this state of its files, and `contextLength` is in tokens. */
export interface HubRepository extends FoundRepository {
	commit: string;
	contextLength?: number;
	/** By size, the smallest first. */
	files: HubFile[];
	/** Models in several files, which the engine can't have from here. */
	split: { name: string; parts: number; bytes: number }[];
	/** Number of models that are left out, since there are more than are listed. */
	left: number;
}

/** The most repositories and models that are listed. */
export const maxRepositories = 20;
export const maxFiles = 60;
/** The most entries of a repository that are looked at. */
const maxEntries = 10_000;
const maxTags = 1000;
const maxNameLength = 120;

/** Tells whether a text is the id of a repository: an owner and a name. */
export function isRepositoryId(text: string): boolean {
	return /^[\w-][\w.-]{0,95}\/[\w-][\w.-]{0,95}$/.test(text) && !text.includes('..');
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

// Without functions of Valibot that nothing else uses: they would come with the first load.
const repository = v.object({
	id: v.pipe(v.string(), v.check(isRepositoryId)),
	downloads: v.exactOptional(v.unknown()),
	tags: v.exactOptional(v.unknown()),
	/** False, or how access is granted. */
	gated: v.exactOptional(v.unknown())
});

const details = v.object({
	sha: v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/)),
	siblings: v.array(v.unknown()),
	gguf: v.exactOptional(v.unknown())
});

const header = v.object({ context_length: v.pipe(count, v.minValue(1)) });

const entry = v.object({
	rfilename: v.pipe(v.string(), v.check(isPath)),
	lfs: v.object({
		size: v.pipe(count, v.minValue(1), v.maxValue(2 ** 50)),
		sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
	})
});

/** Tells whether each part of a path names something in the folder before it, as an address would have it too. */
function isPath(path: string): boolean {
	return /^[^\p{Cc}\p{Cs}\\]{1,1000}$/u.test(path) && path.split('/').every((part) => !['', '.', '..'].includes(part));
}

/** Reads the answer to a search. What in it is none of a repository is left out; undefined where it is no answer at all. */
export function readFound(reply: unknown): FoundRepository[] | undefined {
	if (!Array.isArray(reply)) return undefined;
	const read = reply.slice(0, maxRepositories).map((item) => v.safeParse(repository, item));
	const found = read.filter(({ success }) => success).map(({ output }) => described(output as v.InferOutput<typeof repository>));
	return eachOnce(found, ({ id }) => id);
}

/** Reads the description of a repository, which was asked for by its id. Undefined where it is none. */
export function readRepositoryReply(reply: unknown, id: string): HubRepository | undefined {
	const about = v.safeParse(repository, reply);
	const more = v.safeParse(details, reply);
	if (!about.success || !more.success || about.output.id !== id) return undefined;
	const { sha, siblings, gguf } = more.output;
	const files: HubFile[] = [];
	const split = new Map<string, { name: string; parts: number; bytes: number }>();
	for (const sibling of siblings.slice(0, maxEntries)) {
		const read = v.safeParse(entry, sibling);
		if (!read.success || !isModel(read.output.rfilename)) continue;
		const { rfilename: path, lfs } = read.output;
		const base = baseName(path);
		const part = partOf(base);
		if (!part) {
			const quantization = quantizationOf(base);
			files.push({ path, name: shown(base), bytes: lfs.size, sha256: lfs.sha256, ...(quantization ? { quantization: shown(quantization) } : {}) });
			continue;
		}
		const whole = split.get(part.of) ?? { name: shown(part.of), parts: part.parts, bytes: 0 };
		split.set(part.of, { ...whole, bytes: whole.bytes + lfs.size });
	}
	const models = eachOnce(files, ({ path }) => path).sort((a, b) => a.bytes - b.bytes || (a.name < b.name ? -1 : 1));
	return {
		...described(about.output),
		commit: sha,
		...(v.is(header, gguf) ? { contextLength: gguf.context_length } : {}),
		files: models.slice(0, maxFiles),
		split: eachOnce([...split.values()], ({ name }) => name).slice(0, maxFiles),
		left: Math.max(0, models.length - maxFiles) + Math.max(0, split.size - maxFiles)
	};
}

/** Leaves out what is there once more: a list of the page has each under its name. */
function eachOnce<T>(all: T[], nameOf: (one: T) => string): T[] {
	const seen = new Set<string>();
	return all.filter((one) => !seen.has(nameOf(one)) && seen.add(nameOf(one)));
}

/** Tells whether a file is a model that answers: neither the eyes or ears of one, nor what it was quantized by. */
function isModel(path: string): boolean {
	return /\.gguf$/i.test(path) && !/mmproj|imatrix/i.test(baseName(path));
}

function baseName(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1).replace(/\.gguf$/i, '');
}

/** The model that a file is a part of, as in `Large-Q4_K_M-00001-of-00003`, and its number of parts. */
function partOf(name: string): { of: string; parts: number } | undefined {
	const [, of, parts] = /^(.+)-\d{5}-of-(\d{5})$/.exec(name) ?? [];
	return of === undefined ? undefined : { of, parts: Number(parts) };
}

function described({ id, downloads, tags, gated }: v.InferOutput<typeof repository>): FoundRepository {
	const license = (Array.isArray(tags) ? tags.slice(0, maxTags) : [])
		.map((tag) => (typeof tag === 'string' ? /^license:([\w.+-]{1,60})$/.exec(tag)?.[1] : undefined))
		.find(Boolean);
	return { id, downloads: v.is(count, downloads) ? downloads : 0, ...(license ? { license } : {}), needsAccount: Boolean(gated) };
}

function shown(name: string): string {
	return shorten(plainName(name), maxNameLength) || 'model';
}
