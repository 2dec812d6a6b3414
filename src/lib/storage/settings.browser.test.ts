import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../tests/fixtures/database';
import { defaultSystemPrompt, Settings } from './settings';

describe('Settings', () => {
	it('is unset until it is set, and again after', async () => {
		const settings = new Settings(openDatabase());
		expect(await settings.get('source')).toBeUndefined();
		await settings.set('source', { kind: 'server', providerId: 'p', model: 'm' });
		await settings.set('source', { kind: 'on-device', modelId: 'm' });
		expect(await settings.get('source')).toEqual({ kind: 'on-device', modelId: 'm' });
		await settings.unset('source');
		expect(await settings.get('source')).toBeUndefined();
	});

	it('[Z2] has a system prompt by default, or the one that was set, an empty one too', async () => {
		const settings = new Settings(openDatabase());
		expect(await settings.systemPrompt()).toBe(defaultSystemPrompt);
		await settings.set('systemPrompt', 'Answer in rhyme.');
		expect(await settings.systemPrompt()).toBe('Answer in rhyme.');
		await settings.set('systemPrompt', '');
		expect(await settings.systemPrompt()).toBe('');
		await settings.set('systemPrompt', ' Be brief.\n');
		expect(await settings.systemPrompt()).toBe('Be brief.');
		await settings.unset('systemPrompt');
		expect(await settings.systemPrompt()).toBe(defaultSystemPrompt);
	});

	it('[Z2] stores a system prompt as it is typed, and none that is the default', async () => {
		const settings = new Settings(openDatabase());
		expect(await settings.changePrompt((typed) => `${typed} `)).toBe(`${defaultSystemPrompt} `);
		expect(await settings.promptAsTyped()).toBe(`${defaultSystemPrompt} `);
		expect(await settings.changePrompt((typed) => typed.trim())).toBe(defaultSystemPrompt);
		expect(await settings.get('systemPrompt')).toBeUndefined();
		expect(await Promise.all(['a', 'b'].map((letter) => settings.changePrompt((typed) => typed + letter)))).toEqual([
			`${defaultSystemPrompt}a`,
			`${defaultSystemPrompt}ab`
		]);
	});
});
