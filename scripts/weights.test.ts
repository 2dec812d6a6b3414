import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Halt } from './halt.mjs';
import { findDefaultWeights, openWeights, weightsFolder } from './weights.mjs';

let folder = '';
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'snug-weights-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('openWeights takes a GGUF file and vouches for no hash', () => {
	const file = join(folder, 'my model.gguf');
	writeFileSync(file, 'GGUF....');
	expect(openWeights(file)).toEqual({ file, name: 'my model.gguf', bytes: 8, sha256: null });
});

test('openWeights says what is wrong with a path', () => {
	const page = join(folder, 'page.gguf');
	writeFileSync(page, '<!doctype html>');
	const empty = join(folder, 'empty.gguf');
	writeFileSync(empty, '');
	for (const [file, sentence] of [
		[join(folder, 'absent.gguf'), /There is no file/],
		[folder, /is not a file/],
		[page, /is not a GGUF model file/],
		[empty, /is not a GGUF model file/]
	] as const) {
		expect(() => openWeights(file)).toThrow(Halt);
		expect(() => openWeights(file)).toThrow(sentence);
	}
});

test('the cache folder follows the system and can be moved', () => {
	expect(weightsFolder({ SNUG_CACHE: '/c', XDG_CACHE_HOME: '/x' })).toBe(join('/c', 'weights'));
	expect(weightsFolder({ XDG_CACHE_HOME: '/x' })).toBe(join('/x', 'snug', 'weights'));
});

test('a file of another size is not the default model', async () => {
	writeFileSync(join(folder, 'SmolLM2-135M-Instruct.Q4_1.gguf'), 'GGUF, but cut off');
	expect(await findDefaultWeights(folder)).toBeNull();
	expect(await findDefaultWeights(join(folder, 'absent'))).toBeNull();
});
