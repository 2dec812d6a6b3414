import type { Clock } from './clock';
import { systemClock } from './clock';

/**
 * Makes UUIDv7 strings (RFC 9562 §5.7) that sort by time of creation: 48 bits of milliseconds, then a 42-bit counter
 * (§6.2 method 1, seeded at random each millisecond with its top bit clear), then 32 random bits. Within one maker the
 * ids strictly increase, also in one millisecond and when the clock steps back.
 */
export function createIdMaker(clock: Clock = systemClock, random = randomBytes): () => string {
	let time = -1;
	let counter = 0;

	return () => {
		const now = clock();
		if (now > time) {
			time = now;
			counter = seed(random);
		} else if (++counter >= 2 ** 42) {
			time++;
			counter = seed(random);
		}
		const bytes = new Uint8Array(16);
		const view = new DataView(bytes.buffer);
		view.setUint32(0, Math.floor(time / 2 ** 16));
		view.setUint16(4, time % 2 ** 16);
		view.setUint16(6, 0x7000 | Math.floor(counter / 2 ** 30));
		view.setUint32(8, 0x80000000 | (counter % 2 ** 30));
		bytes.set(random(4), 12);
		return format(bytes);
	};
}

export const newId = createIdMaker();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Tells whether `text` is a UUID in the form that this app writes: lower case, with hyphens. */
export function isId(text: string): boolean {
	return uuid.test(text);
}

function seed(random: (length: number) => Uint8Array): number {
	const bytes = random(6);
	return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) + (bytes[4]! & 0xff) * 2 ** 32 + (bytes[5]! & 1) * 2 ** 40;
}

function randomBytes(length: number): Uint8Array {
	return crypto.getRandomValues(new Uint8Array(length));
}

function format(bytes: Uint8Array): string {
	const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
