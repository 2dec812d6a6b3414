import { describe, expect, it } from 'vitest';
import { profileOf } from './model-profile';
import { atServer, onThisDevice } from '../providers/answer-source';

const server = atServer({ id: 'p', name: 'P', baseUrl: 'http://localhost/v1', createdAt: 0 }, 'my-own');
const weights = onThisDevice({ weights: { name: 'Small', url: 'u', bytes: 1, sha256: 's' } });

describe('the window of a model', () => {
	it('is what its provider states', () => {
		expect(profileOf(server, { stated: { tokens: 8192, from: 'name' } })).toMatchObject({ window: 8192, windowFrom: 'name' });
	});

	it('is Infinity where nothing is known, until the server has named it', () => {
		expect(profileOf(server, {})).toMatchObject({ window: Infinity, windowFrom: 'unknown' });
		expect(profileOf(server, {}, { learnt: 4096 })).toMatchObject({ window: 4096, windowFrom: 'server' });
		expect(profileOf(undefined, {})).toEqual({ key: '', name: '', window: Infinity, windowFrom: 'unknown', canSummarise: false });
	});

	it('[A11] is what the user said, but on this device never more than the engine runs with', () => {
		const said = { 'p/my-own': 10_000, 'on-device/Small': 10_000 };
		expect(profileOf(server, {}, { said, learnt: 4096 })).toMatchObject({ window: 10_000, windowFrom: 'user' });
		expect(profileOf(weights, { running: 2048 }, { said })).toMatchObject({ window: 2048, windowFrom: 'user' });
		expect(profileOf(weights, { running: 2048 })).toMatchObject({ window: 2048, windowFrom: 'engine' });
	});
});
