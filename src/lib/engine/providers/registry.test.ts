import { expect, it } from 'vitest';
import { openRegistry } from '../../../../tests/fixtures/providers';
import { protocolForm } from '../../storage/providers';
import { atServer } from './answer-source';
import { providerEntries } from './registry';

it('makes a protocol that this version does not know a failure with a sentence, whatever its name', async () => {
	const registry = openRegistry();
	for (const protocol of ['telepathy', 'constructor', '']) {
		const source = atServer({ id: 'p', name: 'Box', baseUrl: 'http://localhost:1/v1', createdAt: 0, protocol }, 'm');
		const refused = { name: 'AppError', code: 'provider-unknown', message: expect.stringMatching(/^Box \(localhost:1\) speaks .*\.$/) as string };
		await expect(registry.of(source)).rejects.toMatchObject(refused);
		await expect(registry.open(source, new AbortController().signal)).rejects.toMatchObject(refused);
	}
});

it('has each provider once, by an id that a row may hold, and makes it once', async () => {
	const ids = providerEntries.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	for (const id of ids) expect(id).toMatch(protocolForm);
	const registry = openRegistry();
	for (const [id, provider] of await registry.all()) expect(await registry.get(id)).toBe(provider);
});
