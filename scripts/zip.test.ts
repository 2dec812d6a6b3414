import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extractEntry } from './zip.mjs';

interface Member {
	name: string;
	content: Uint8Array;
	deflated: boolean;
	localExtra: Uint8Array;
	entryComment: string;
}

/** A zip file by the book, with the things that readers trip over: extra fields, comments, a comment with a signature. */
function writeZip(members: Member[], comment: Uint8Array): Buffer {
	const locals: Buffer[] = [];
	const entries: Buffer[] = [];
	let offset = 0;
	for (const { name, content, deflated, localExtra, entryComment } of members) {
		const packed = deflated ? deflateRawSync(content) : Buffer.from(content);
		const nameBytes = Buffer.from(name);
		const commentBytes = Buffer.from(entryComment);
		const local = Buffer.alloc(30);
		local.writeUInt32LE(0x04034b50, 0);
		local.writeUInt16LE(deflated ? 8 : 0, 8);
		local.writeUInt16LE(nameBytes.length, 26);
		local.writeUInt16LE(localExtra.length, 28);
		locals.push(local, nameBytes, Buffer.from(localExtra), packed);
		const entry = Buffer.alloc(46);
		entry.writeUInt32LE(0x02014b50, 0);
		entry.writeUInt16LE(deflated ? 8 : 0, 10);
		entry.writeUInt32LE(packed.length, 20);
		entry.writeUInt32LE(content.length, 24);
		entry.writeUInt16LE(nameBytes.length, 28);
		entry.writeUInt16LE(commentBytes.length, 32);
		entry.writeUInt32LE(offset, 42);
		entries.push(entry, nameBytes, commentBytes);
		offset += 30 + nameBytes.length + localExtra.length + packed.length;
	}
	const directory = Buffer.concat(entries);
	const end = Buffer.alloc(22);
	end.writeUInt32LE(0x06054b50, 0);
	end.writeUInt16LE(members.length, 8);
	end.writeUInt16LE(members.length, 10);
	end.writeUInt32LE(directory.length, 12);
	end.writeUInt32LE(offset, 16);
	end.writeUInt16LE(comment.length, 20);
	return Buffer.concat([...locals, directory, end, comment]);
}

let folder = '';
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'snug-zip-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
async function extract(zip: Uint8Array, name: string) {
	const zipFile = join(folder, `${++count}.zip`);
	const target = join(folder, `${count}.out`);
	writeFileSync(zipFile, zip);
	const measured = await extractEntry(zipFile, name, target);
	return { ...measured, content: readFileSync(target) };
}

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
const members = fc.uniqueArray(
	fc.record({
		name: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
		content: fc.oneof(bytes(300), fc.string({ maxLength: 9000 }).map((text) => Buffer.from(text))),
		deflated: fc.boolean(),
		localExtra: bytes(30),
		entryComment: fc.string({ maxLength: 10 })
	}),
	{ minLength: 1, maxLength: 5, selector: (member) => member.name }
);
const comments = fc.oneof(bytes(40), fc.constant(Buffer.from('PK\x05\x06 is how the end record begins, see?')));

describe('extractEntry', () => {
	test('gives back any file of any archive, with its size and hash', async () => {
		await fc.assert(
			fc.asyncProperty(members, comments, async (list, comment) => {
				const zip = writeZip(list, comment);
				for (const member of list) {
					const { content, bytes, sha256 } = await extract(zip, member.name);
					expect(content.equals(member.content)).toBe(true);
					expect(bytes).toBe(member.content.length);
					expect(sha256).toBe(createHash('sha256').update(member.content).digest('hex'));
				}
			}),
			{ numRuns: 60 }
		);
	});

	const python = spawnSync('python3', ['--version']).status === 0;
	test.skipIf(!python)('reads what Python writes, as wheels are written', async () => {
		const file = join(folder, 'python.zip');
		const script = [
			'import sys, zipfile',
			'with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:',
			'    z.writestr("a/deflated.txt", "snug " * 100000)',
			'    z.writestr("b/stored.bin", bytes(range(256)), zipfile.ZIP_STORED)',
			'    z.writestr("empty", "")'
		].join('\n');
		execFileSync('python3', ['-c', script, file]);
		const zip = readFileSync(file);
		expect((await extract(zip, 'a/deflated.txt')).content.toString()).toBe('snug '.repeat(100_000));
		expect([...(await extract(zip, 'b/stored.bin')).content]).toEqual([...Array(256).keys()]);
		expect((await extract(zip, 'empty')).bytes).toBe(0);
	});

	const sample = { name: 'a', content: Buffer.from('hello'), deflated: true, localExtra: Buffer.of(), entryComment: '' };

	test('says what is wrong with an archive', async () => {
		const zip = writeZip([sample], Buffer.of());
		await expect(extract(zip, 'b')).rejects.toThrow('the zip file has no entry b');
		await expect(extract(zip.subarray(0, -1), 'a')).rejects.toThrow('not a zip file, or it was cut off');
		await expect(extract(Buffer.from('<html>'), 'a')).rejects.toThrow('not a zip file');
		await expect(extract(Buffer.of(), 'a')).rejects.toThrow('not a zip file');
		await expect(extract(zip.subarray(5), 'a')).rejects.toThrow();
	});

	test('a size that does not fit is an error', async () => {
		const zip = writeZip([sample], Buffer.of());
		const directory = zip.indexOf(Buffer.from('PK\x01\x02'));
		zip.writeUInt32LE(4, directory + 24);
		await expect(extract(zip, 'a')).rejects.toThrow('unpacked to 5 bytes, not 4');
	});

	test('never writes over a file', async () => {
		const zipFile = join(folder, 'over.zip');
		writeFileSync(zipFile, writeZip([sample], Buffer.of()));
		const target = join(folder, 'over.out');
		writeFileSync(target, 'mine');
		await expect(extractEntry(zipFile, 'a', target)).rejects.toThrow('EEXIST');
		expect(readFileSync(target, 'utf8')).toBe('mine');
	});
});
