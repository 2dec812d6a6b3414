import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the one chunk of the build in `folder` that holds these words. */
export function chunkWith(folder: string, words: string): string {
	const chunks = join(folder, '_app/immutable/chunks');
	const [name, ...others] = readdirSync(chunks).filter((name) => name.endsWith('.js') && readFileSync(join(chunks, name), 'utf8').includes(words));
	if (name === undefined || others.length > 0) throw new Error(`These words are not in one chunk: ${words}`);
	return name;
}
