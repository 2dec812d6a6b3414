// A GGUF that the real engine runs, small enough for every test.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tinyGguf } from '../fixtures/tiny-gguf.mjs';

let file: string | undefined;

/** The path of the tiny model's file, written once a worker. */
export function tinyModelFile(): string {
	if (file) return file;
	file = join(mkdtempSync(join(tmpdir(), 'snug-')), 'Tiny.gguf');
	// A short window ends every answer, also one that runs in circles.
	writeFileSync(file, tinyGguf({ contextLength: 256 }));
	return file;
}
