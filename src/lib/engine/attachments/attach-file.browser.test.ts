import { zipSync } from 'fflate';
import { describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../../tests/fixtures/database';
import { Attachments } from '../../storage/attachments';
import type { Attachment } from '../../storage/tables/attachments';
import { attachFile } from './attach-file';

/** A place to keep attachments, and how to attach there. */
function place() {
	const db = openDatabase();
	const attach = (file: File) => attachFile(file, { attachments: new Attachments(db), clock: () => 1000 });
	return { db, attach };
}

async function picture(width: number, height: number, type = 'image/png'): Promise<Blob> {
	const canvas = new OffscreenCanvas(width, height);
	const context = canvas.getContext('2d')!;
	context.fillStyle = 'rgb(200, 0, 0)';
	context.fillRect(0, 0, width / 2, height);
	context.fillStyle = 'rgb(0, 0, 200)';
	context.fillRect(width / 2, 0, width / 2, height);
	return canvas.convertToBlob({ type });
}

/** The same JPEG, said to lie on its side: EXIF orientation 6. */
async function onItsSide(jpeg: Blob): Promise<Blob> {
	const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
	const exif = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff];
	const segment = new Uint8Array([0xff, 0xe1, 0, exif.length + 2, ...exif]);
	return new Blob([jpeg.slice(0, 2), segment, jpeg.slice(2)], { type: 'image/jpeg' });
}

/** The same PNG, said to have 22,000 × 22,000 pixels. */
function saidToBeVast(png: Blob): Blob {
	const size = new Uint8Array([0, 0, 0x55, 0xf0, 0, 0, 0x55, 0xf0]);
	return new Blob([png.slice(0, 16), size, png.slice(24)]);
}

async function sizeOf(blob: Blob): Promise<[number, number]> {
	const { width, height } = await createImageBitmap(blob);
	return [width, height];
}

/** Two frames of one pixel, the first red, the second blue. */
const movingGif = new Uint8Array([
	...[0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0xff, 0, 0, 0, 0, 0xff],
	...[0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0],
	...[0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0, 0x3b]
]);

async function pixelOf(blob: Blob): Promise<number[]> {
	const context = new OffscreenCanvas(1, 1).getContext('2d')!;
	context.drawImage(await createImageBitmap(blob), 0, 0);
	return Array.from(context.getImageData(0, 0, 1, 1).data);
}

describe('attachFile', () => {
	it('[S11] keeps an image as it is, under the hash of its content, with a thumbnail of 320 pixels at most', async () => {
		const { db, attach } = place();
		const content = await picture(1000, 500);
		const part = await attach(new File([content], 'photo.jpg'));
		const bytes = await content.arrayBuffer();
		const hash = Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) => byte.toString(16).padStart(2, '0'));
		expect(part).toEqual({ type: 'file', attachmentId: hash.join(''), mediaType: 'image/png', name: 'photo.jpg' });
		const row = (await db.attachments.get(part.attachmentId))!;
		expect(row).toMatchObject({ mediaType: 'image/png', bytes: content.size, createdAt: 1000 });
		expect(await row.content.arrayBuffer()).toEqual(bytes);
		expect(row.thumbnail!.type).toBe('image/webp');
		expect(await sizeOf(row.thumbnail!)).toEqual([320, 160]);
	});

	it.each(['image/png', 'image/jpeg', 'image/webp'])('[S11] knows %s by its content', async (type) => {
		const { attach } = place();
		expect(await attach(new File([await picture(8, 8, type)], 'notes.txt'))).toMatchObject({ mediaType: type });
	});

	it('[S11] a small image’s thumbnail is as small; a moving one’s is its first frame', async () => {
		const { db, attach } = place();
		const part = await attach(new File([movingGif], 'moving.gif'));
		const { thumbnail } = (await db.attachments.get(part.attachmentId))!;
		expect(await sizeOf(thumbnail!)).toEqual([1, 1]);
		const [red, , blue] = await pixelOf(thumbnail!);
		expect(red).toBeGreaterThan(200);
		expect(blue).toBeLessThan(50);
	});

	it('[S11] a photo that lies on its side has an upright thumbnail', async () => {
		const { db, attach } = place();
		const part = await attach(new File([await onItsSide(await picture(640, 320, 'image/jpeg'))], 'photo.jpg'));
		expect(await sizeOf((await db.attachments.get(part.attachmentId))!.thumbnail!)).toEqual([160, 320]);
	});

	it.each(['main.rs', 'data.csv', 'README', 'photo.png'])('[S11] keeps text as text, whatever its name: %s', async (name) => {
		const { db, attach } = place();
		const part = await attach(new File(['größer\n你好'], name, { type: 'image/png' }));
		expect(part).toMatchObject({ mediaType: 'text/plain', name });
		const row = (await db.attachments.get(part.attachmentId))!;
		expect(await row.content.text()).toBe('größer\n你好');
		expect(row.thumbnail).toBeUndefined();
	});

	it('[S11] keeps the same content once, under each name', async () => {
		const { db, attach } = place();
		const [a, b] = [await attach(new File(['same'], 'a.txt')), await attach(new File(['same'], 'b.txt'))];
		expect([a.name, b.name]).toEqual(['a.txt', 'b.txt']);
		expect(a.attachmentId).toBe(b.attachmentId);
		expect(await db.attachments.count()).toBe(1);
	});

	it('[S11] a text of exactly the limit fits, also where a character lies across the part that is looked at first', async () => {
		const { attach } = place();
		const text = `${'x'.repeat(65_535)}${'é'.repeat(1000)}`;
		const whole = text + 'x'.repeat(1_000_000 - new TextEncoder().encode(text).length);
		expect(await attach(new File([whole], 'long.txt'))).toMatchObject({ mediaType: 'text/plain' });
	});

	it.each<[string, () => File | Promise<File>, string]>([
		['an empty file', () => new File([], 'a.txt'), 'attachment-empty'],
		['an archive', () => new File([zipSync({ 'a.txt': new Uint8Array(3) }) as BlobPart], 'a.zip'), 'attachment-unsupported'],
		['a damaged archive', () => new File([new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])], 'a.docx'), 'attachment-broken'],
		['a document above the limit', () => new File(['%PDF-', new Uint8Array(50_000_000)], 'a.pdf'), 'attachment-large'],
		['text in another encoding', () => new File([new Uint8Array([0x67, 0x72, 0xf6])], 'a.txt'), 'attachment-unsupported'],
		['text that is cut off', () => new File([new Uint8Array([0x67, 0xc3])], 'a.txt'), 'attachment-unsupported'],
		['binary after much text', () => new File(['x'.repeat(100_000), new Uint8Array([0])], 'a.txt'), 'attachment-unsupported'],
		['a large binary', () => new File([new Uint8Array(2_000_000)], 'a.bin'), 'attachment-unsupported'],
		['a text above the limit', () => new File(['x'.repeat(1_000_001)], 'a.txt'), 'attachment-large'],
		[
			'an image above the limit',
			async () => new File([await picture(8, 8), new Uint8Array(20_000_000)], 'a.png'),
			'attachment-large'
		],
		['a damaged image', async () => new File([(await picture(80, 80)).slice(0, 40)], 'a.png'), 'attachment-broken']
	])('[S11] refuses %s by a sentence that names it, and keeps nothing', async (_, file, code) => {
		const { db, attach } = place();
		const refused = await file();
		await expect(attach(refused)).rejects.toMatchObject({ code, message: expect.stringContaining(`“${refused.name}”`) });
		expect(await db.attachments.count()).toBe(0);
	});

	it('[S11] an image of more than 64 megapixels is refused before it is decoded', async () => {
		const { db, attach } = place();
		const decode = vi.spyOn(globalThis, 'createImageBitmap');
		const message = '“vast.png” is too large (22,000 × 22,000 pixels). Images can have up to 64 megapixels.';
		await expect(attach(new File([saidToBeVast(await picture(8, 8))], 'vast.png'))).rejects.toMatchObject({ code: 'attachment-large', message });
		expect(decode).not.toHaveBeenCalled();
		expect(await db.attachments.count()).toBe(0);
		decode.mockRestore();
	});

	it('[S11] a file that can’t be read is refused by name', async () => {
		const { attach } = place();
		const gone = new File(['x'], 'gone.txt');
		gone.slice = () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) });
		await expect(attach(gone)).rejects.toMatchObject({ code: 'attachment-unreadable', message: expect.stringContaining('“gone.txt”') });
	});

	it('[S11] a full disk is said as everywhere', async () => {
		const full = { put: (_: Attachment) => Promise.reject(new DOMException('full', 'QuotaExceededError')) };
		const attaching = attachFile(new File(['x'], 'a.txt'), { attachments: full, clock: () => 0 });
		await expect(attaching).rejects.toMatchObject({ code: 'disk-full' });
	});

	it('[S11] a name stays on one line', async () => {
		const { attach } = place();
		expect(await attach(new File(['x'], ' a\nb\u202egpj.txt'))).toMatchObject({ name: 'a b gpj.txt' });
		expect(await attach(new File(['x'], '\n'))).toMatchObject({ name: 'file' });
	});
});
