import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { app } from '../../app';
import type { ModelProfile } from '../../engine/turns/model-profile';
import { ContextScopes } from '../../view/context-settings.svelte';
import ContextSettingsForm from './ContextSettingsForm.svelte';

let mounted: Record<string, unknown> | undefined;

afterEach(async () => {
	if (mounted) await unmount(mounted);
	mounted = undefined;
	document.body.replaceChildren();
	await app.settings.unset('context');
});

const model: ModelProfile = { key: 'on-device/tiny', name: 'tiny', window: 2048, windowFrom: 'file', canSummarise: false };

async function draw() {
	const scopes = new ContextScopes();
	mounted = mount(ContextSettingsForm, { target: document.body, props: { scopes, scope: 'everywhere', model } });
	await vi.waitFor(() => expect(field('Newest messages sent')).toBeDefined());
}

const labelled = <E extends HTMLElement>(name: string) =>
	[...document.querySelectorAll('label')].find((label) => label.textContent.trim() === name)?.control as E | undefined;
const field = (name: string) => labelled<HTMLInputElement>(name)!;
const button = (name: string) => [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === name)!;
const stored = () => app.settings.get('context');
const describedBy = (input: HTMLElement) =>
	(input.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent.trim() ?? 'MISSING');

function enter(input: HTMLInputElement | HTMLSelectElement, value: string) {
	input.value = value;
	input.dispatchEvent(new Event('change', { bubbles: true }));
	flushSync();
}

describe('ContextSettingsForm', () => {
	it('[A9, A11, S4, S5] shows what holds where nothing is decided', async () => {
		await draw();
		const shown = [...document.querySelectorAll<HTMLInputElement>('input[type="number"]')].map((input) => [
			input.labels![0]!.textContent,
			input.placeholder,
			input.value
		]);
		expect(shown).toEqual([
			['Newest messages sent', '200', ''],
			['Context size of tiny', '2048', ''],
			['Kept free for the answer', '4096', ''],
			['Newest messages always sent', '6', ''],
			['When the window is', '80', ''],
			['Messages since the last compaction', 'Off', ''],
			['Or text since the last compaction', 'Off', ''],
			['Messages since the last compaction', 'Off', ''],
			['Or tokens since the last compaction', 'Off', '']
		]);
		expect(labelled<HTMLSelectElement>('Strategy')!.selectedOptions[0]!.text).toBe('Automatic (Keep code, shorten the rest)');
		expect(field('Compact automatically').checked).toBe(true);
		expect(describedBy(field('Context size of tiny')).join(' ')).toContain('from the model’s file');
		expect(button('Reset').disabled).toBe(true);
	});

	it('[A9, A11] stores each change at once, and an emptied field as nothing', async () => {
		await draw();
		enter(field('Newest messages sent'), '40');
		enter(field('Context size of tiny'), '1024');
		enter(field('When the window is'), '60');
		enter(labelled<HTMLSelectElement>('Strategy')!, 'simple');
		field('Compact automatically').click();
		await vi.waitFor(async () =>
			expect(await stored()).toEqual({
				contextMessages: 40,
				contextWindows: { 'on-device/tiny': 1024 },
				compactAtShare: 0.6,
				strategy: 'simple',
				autoCompact: false
			})
		);
		enter(field('Newest messages sent'), '');
		field('Compact automatically').click();
		await vi.waitFor(async () =>
			expect(await stored()).toEqual({ contextWindows: { 'on-device/tiny': 1024 }, compactAtShare: 0.6, strategy: 'simple' })
		);
	});

	it('[S4] says beside the field why a number is not stored, and leaves it there', async () => {
		await draw();
		const input = field('Newest messages always sent');
		enter(input, '0');
		expect(document.querySelector('[role="alert"]')?.textContent).toBe(`Write a whole number from 1 to ${(1000).toLocaleString()}.`);
		expect(describedBy(input)).toContain(`Write a whole number from 1 to ${(1000).toLocaleString()}.`);
		expect(input.getAttribute('aria-invalid')).toBe('true');
		expect(input.value).toBe('0');
		enter(input, '3');
		await vi.waitFor(async () => expect(await stored()).toEqual({ minRecent: 3 }));
		expect(document.querySelector('[role="alert"]')).toBeNull();
	});

	it('[A9] resets what was decided, and brings it back', async () => {
		await app.settings.set('context', { contextMessages: 40, strategy: 'summary' });
		await draw();
		await vi.waitFor(() => expect(field('Newest messages sent').value).toBe('40'));
		button('Reset').click();
		await vi.waitFor(() => expect(field('Newest messages sent').value).toBe(''));
		await vi.waitFor(() => expect(button('Undo')).toBeDefined());
		button('Undo').click();
		await vi.waitFor(async () => expect(await stored()).toEqual({ contextMessages: 40, strategy: 'summary' }));
		await vi.waitFor(() => expect(field('Newest messages sent').value).toBe('40'));
	});
});
