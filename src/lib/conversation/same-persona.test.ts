import { describe, expect, it } from 'vitest';
import { isSetBy, sendsSame } from './same-persona';

const source = { kind: 'server', providerId: 'p', model: 'm' };
const poet = { systemPrompt: 'Rhyme.', parameters: { seed: 7 }, source, tools: ['a', 'b'] };

describe('personas', () => {
	it('[E3] send the same whatever the order of their values, and the spaces around a prompt', () => {
		expect(sendsSame(poet, { tools: ['b', 'a'], source: { model: 'm', providerId: 'p', kind: 'server' }, parameters: { seed: 7 }, systemPrompt: ' Rhyme.\n' })).toBe(true);
		const others = [{ systemPrompt: 'Rhyme' }, { parameters: { seed: 8 } }, { parameters: {} }, { source: { ...source, model: 'n' } }, { source: undefined }, { tools: ['a'] }, { tools: undefined }];
		for (const other of others) expect(sendsSame(poet, { ...poet, ...other }), JSON.stringify(other)).toBe(false);
	});

	it('[E3] set what a chat has where that has all of theirs, with any model and tools where they leave these open', () => {
		expect(isSetBy(poet, { systemPrompt: 'Rhyme.', parameters: { seed: 7 } })).toBe(true);
		expect(isSetBy(poet, { systemPrompt: 'Rhyme.' })).toBe(false);
		expect(isSetBy({ systemPrompt: 'Rhyme.', source }, { systemPrompt: 'Rhyme.', tools: [] })).toBe(false);
		expect(isSetBy({ systemPrompt: 'Rhyme.', tools: [] }, { systemPrompt: 'Rhyme.', source })).toBe(false);
	});
});
