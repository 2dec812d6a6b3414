import { expect, it } from 'vitest';
import { openDatabase } from '../../../tests/fixtures/database';
import { Models } from './models';
import type { LocalModel } from './tables/models';

it('keeps models, oldest first, one row an id', async () => {
	const models = new Models(openDatabase());
	const model = (id: string, createdAt: number): LocalModel => ({
		id,
		name: id,
		bytes: 1,
		sha256: id,
		architecture: 'llama',
		contextLength: 2048,
		hasChatTemplate: true,
		createdAt
	});
	// By id they come the other way round.
	await models.put(model('a', 2));
	await models.put(model('b', 1));
	await models.put({ ...model('a', 2), name: 'renamed' });
	expect(await models.list()).toEqual([model('b', 1), { ...model('a', 2), name: 'renamed' }]);
	expect(await models.get('b')).toEqual(model('b', 1));
	await models.remove('b');
	await models.remove('b');
	expect(await models.get('b')).toBeUndefined();
});
