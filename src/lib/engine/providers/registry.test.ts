import { expect, it } from 'vitest';
import { openRegistry } from '../../../../tests/fixtures/providers';
import { atServer } from './answer-source';

it('makes a protocol that this version does not know a failure with a sentence, whatever its name', async () => {
	const registry = openRegistry();
	for (const protocol of ['telepathy', 'constructor', '']) {
		const source = atServer({ id: 'p', name: 'Box', baseUrl: 'http://localhost:1/v1', createdAt: 0, protocol }, 'm');
		const refused = { name: 'AppError', code: 'provider-unknown', message: expect.stringMatching(/^Box \(localhost:1\) speaks .*\.$/) as string };
		await expect(registry.of(source)).rejects.toMatchObject(refused);
		await expect(registry.open(source, new AbortController().signal)).rejects.toMatchObject(refused);
	}
});

it('knows each of its providers by the id that it gives itself', async () => {
	const registry = openRegistry();
	const all = await registry.all();
	for (const provider of all) expect(await registry.get(provider.id)).toBe(provider);
	expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});
