import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../tests/fixtures/database';
import { DefaultPrompt, defaultSystemPrompt } from './default-prompt';
import { Settings } from './settings';

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

	it('[P3] changes a value as it is by then, so that two changes at once are both kept', async () => {
		const settings = new Settings(openDatabase());
		await Promise.all([settings.change('parameters', (before) => ({ ...before, seed: 7 })), settings.change('parameters', (before) => ({ ...before, topP: 1 }))]);
		expect(await settings.get('parameters')).toEqual({ seed: 7, topP: 1 });
		await settings.change('parameters', () => undefined);
		expect(await settings.get('parameters')).toBeUndefined();
	});

	it('[Z2] has a system prompt by default, or the one that was set, an empty one too', async () => {
		const db = openDatabase();
		const [settings, prompt] = [new Settings(db), new DefaultPrompt(db)];
		expect(await prompt.text()).toBe(defaultSystemPrompt);
		await settings.set('systemPrompt', 'Answer in rhyme.');
		expect(await prompt.text()).toBe('Answer in rhyme.');
		await settings.set('systemPrompt', '');
		expect(await prompt.text()).toBe('');
		await settings.set('systemPrompt', ' Be brief.\n');
		expect(await prompt.text()).toBe('Be brief.');
		await settings.unset('systemPrompt');
		expect(await prompt.text()).toBe(defaultSystemPrompt);
	});

	it('[Z2] stores a system prompt as it is typed, and none that is the default', async () => {
		const db = openDatabase();
		const [settings, prompt] = [new Settings(db), new DefaultPrompt(db)];
		expect(await prompt.change((typed) => `${typed} `)).toBe(`${defaultSystemPrompt} `);
		expect(await prompt.asTyped()).toBe(`${defaultSystemPrompt} `);
		expect(await prompt.change((typed) => typed.trim())).toBe(defaultSystemPrompt);
		expect(await settings.get('systemPrompt')).toBeUndefined();
		expect(await Promise.all(['a', 'b'].map((letter) => prompt.change((typed) => typed + letter)))).toEqual([
			`${defaultSystemPrompt}a`,
			`${defaultSystemPrompt}ab`
		]);
	});
});
