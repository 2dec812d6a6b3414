// A reader for one entry of a zip file: enough for wheels, which are plain archives. Format: PKWARE APPNOTE 4.3.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endSize = 22;
const entrySize = 46;
const localSize = 30;

/**
 * Unpacks one entry to a new file, as a stream. The checksum inside the archive is not looked at: callers compare the
 * sha256 that comes back, which says more.
 * @param {string} zipFile
 * @param {string} name the entry's full name
 * @param {string} target must not exist
 * @returns {Promise<{ bytes: number, sha256: string }>} of what was written
 * @throws {Error} when the file is no zip, has no such entry, or packs it in a way this reader does not know
 */
export async function extractEntry(zipFile, name, target) {
	const zip = await open(zipFile);
	try {
		const entry = await findEntry(zip, name);
		const start = await findData(zip, entry);
		const hash = createHash('sha256');
		let bytes = 0;
		const measure = new Transform({
			transform(chunk, _encoding, done) {
				hash.update(chunk);
				bytes += chunk.length;
				done(null, chunk);
			}
		});
		// A read stream cannot have an empty range.
		const packed =
			entry.packedBytes === 0
				? new PassThrough().end()
				: zip.createReadStream({ start, end: start + entry.packedBytes - 1, autoClose: false });
		const unpack = entry.method === 8 ? createInflateRaw() : new PassThrough();
		await pipeline(packed, unpack, measure, createWriteStream(target, { flags: 'wx' }));
		if (bytes !== entry.bytes) throw new Error(`${name} unpacked to ${bytes} bytes, not ${entry.bytes}`);
		return { bytes, sha256: hash.digest('hex') };
	} finally {
		await zip.close();
	}
}

/**
 * @param {import('node:fs/promises').FileHandle} zip
 * @param {string} name
 * @returns {Promise<{ method: number, packedBytes: number, bytes: number, offset: number }>}
 */
async function findEntry(zip, name) {
	const directory = await readDirectory(zip);
	for (let at = 0; at + entrySize <= directory.length; ) {
		if (directory.readUInt32LE(at) !== entrySignature) throw new Error('the zip directory is damaged');
		const nameEnd = at + entrySize + directory.readUInt16LE(at + 28);
		if (directory.toString('utf8', at + entrySize, nameEnd) === name) {
			const flags = directory.readUInt16LE(at + 8);
			const method = directory.readUInt16LE(at + 10);
			if (flags & 1) throw new Error(`${name} is encrypted`);
			if (method !== 0 && method !== 8) throw new Error(`${name} is packed by method ${method}, which is not known`);
			const packedBytes = directory.readUInt32LE(at + 20);
			const bytes = directory.readUInt32LE(at + 24);
			const offset = directory.readUInt32LE(at + 42);
			if ([packedBytes, bytes, offset].includes(0xffffffff)) throw new Error(`${name} is larger than 4 GB`);
			return { method, packedBytes, bytes, offset };
		}
		at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
	}
	throw new Error(`the zip file has no entry ${name}`);
}

/** @param {import('node:fs/promises').FileHandle} zip */
async function readDirectory(zip) {
	const { size } = await zip.stat();
	// The end record is followed by a comment of at most 65535 bytes, which may hold anything, the signature too.
	const tail = await readAt(zip, Math.max(0, size - endSize - 0xffff), Math.min(size, endSize + 0xffff));
	for (let at = tail.length - endSize; at >= 0; at--) {
		if (tail.readUInt32LE(at) !== endSignature) continue;
		if (at + endSize + tail.readUInt16LE(at + 20) !== tail.length) continue;
		return readAt(zip, tail.readUInt32LE(at + 16), tail.readUInt32LE(at + 12));
	}
	throw new Error('it is not a zip file, or it was cut off');
}

/**
 * Where an entry's data begins: its local header repeats the name and has extra fields of its own.
 * @param {import('node:fs/promises').FileHandle} zip
 * @param {{ offset: number }} entry
 */
async function findData(zip, entry) {
	const header = await readAt(zip, entry.offset, localSize);
	if (header.readUInt32LE(0) !== localSignature) throw new Error('the zip file is damaged');
	return entry.offset + localSize + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/**
 * @param {import('node:fs/promises').FileHandle} zip
 * @param {number} position
 * @param {number} length
 */
async function readAt(zip, position, length) {
	const buffer = Buffer.alloc(length);
	const { bytesRead } = await zip.read(buffer, 0, length, position);
	if (bytesRead !== length) throw new Error('the zip file was cut off');
	return buffer;
}
