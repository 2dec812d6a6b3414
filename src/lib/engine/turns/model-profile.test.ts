import { describe, expect, it } from 'vitest';
import type { AnswerSource } from '../providers/answer-source';
import { assumedWindow, modelKey, profileOf } from './model-profile';

function atServer(model: string): AnswerSource {
	return { kind: 'server', provider: { id: 'p', name: 'P', baseUrl: 'http://localhost/v1', createdAt: 0 }, model };
}

const weights: AnswerSource = { kind: 'default-weights', weights: { name: 'Small', url: 'u', bytes: 1, sha256: 's' } };

describe('the window of a model', () => {
	it('is what its maker publishes, also behind a router’s prefix', () => {
		expect(profileOf(atServer('gpt-4o-mini'), {})).toMatchObject({ window: 128_000, windowFrom: 'name' });
		expect(profileOf(atServer('openai/gpt-4.1'), {})).toMatchObject({ window: 1_047_576, windowFrom: 'name' });
		expect(profileOf(atServer('gpt-4'), {})).toMatchObject({ window: 8192 });
		expect(profileOf(atServer('o3-mini'), {})).toMatchObject({ window: 200_000 });
	});

	it('is assumed where nothing is known, until the server has named it', () => {
		expect(profileOf(atServer('my-own'), {})).toMatchObject({ window: assumedWindow, windowFrom: 'assumed' });
		expect(profileOf(atServer('my-own'), { learnt: 4096 })).toMatchObject({ window: 4096, windowFrom: 'server' });
	});

	it('[A11] is what the person said, but on this device never more than the engine runs with', () => {
		const said = { 'p/my-own': 10_000, 'on-device/Small': 10_000 };
		expect(profileOf(atServer('my-own'), { said, learnt: 4096 })).toMatchObject({ window: 10_000, windowFrom: 'person' });
		expect(profileOf(weights, { said, running: 2048 })).toMatchObject({ window: 2048, windowFrom: 'person' });
		expect(profileOf(weights, { running: 2048 })).toMatchObject({ window: 2048, windowFrom: 'engine' });
	});

	it('is kept apart by model and server', () => {
		expect(modelKey(atServer('a'))).toBe('p/a');
		expect(modelKey(weights)).toBe('on-device/Small');
		expect(modelKey({ kind: 'none' })).toBe('');
	});
});
