/** Bytes that are written one after the other, in as much room as they take. */
export class ByteWriter {
	/** The bytes written so far, up to `length`; replaced by a bigger array as they grow. */
	bytes = new Uint8Array(4096);
	length = 0;

	/** Makes sure that so many more bytes can be written to `bytes` from `length` on. */
	reserve(count: number): void {
		if (this.length + count <= this.bytes.length) return;
		const bytes = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
		bytes.set(this.bytes.subarray(0, this.length));
		this.bytes = bytes;
	}

	/** Writes a whole number from 0 to 2³² - 1, seven bits a byte, the lowest first; all bytes but the last have their high bit. */
	varint(value: number): void {
		this.reserve(5);
		let rest = value;
		while (rest > 127) {
			this.bytes[this.length++] = (rest & 127) | 128;
			rest >>>= 7;
		}
		this.bytes[this.length++] = rest;
	}

	/** Writes the bytes from `from` to before `to` of others. */
	append(bytes: Uint8Array, from: number, to: number): void {
		this.reserve(to - from);
		for (let index = from; index < to; index++) this.bytes[this.length++] = bytes[index]!;
	}

	/** Returns the bytes written, in a buffer of just that size: storing an array stores the whole buffer that it is part of. */
	copy(): Uint8Array {
		return this.bytes.slice(0, this.length);
	}
}
