import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import Showcase from './Showcase.svelte';

let mounted: Record<string, unknown>;

beforeEach(() => {
	mounted = mount(Showcase, { target: document.body });
	flushSync();
});

afterEach(async () => {
	await unmount(mounted);
	document.body.replaceChildren();
});

const themes = () => [...document.querySelectorAll<HTMLElement>('.theme')];
const labelled = (name: string) => [...document.querySelectorAll('label')].find((label) => label.textContent.trim() === name)!.control as HTMLInputElement;
const button = (name: string) => [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === name)!;
const describedBy = (input: HTMLElement) => input.getAttribute('aria-describedby')!.split(' ').map((id) => document.getElementById(id)!.textContent);

function press(element: HTMLElement, key: string) {
	element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

test('both themes are shown, whichever the system has', () => {
	const [light, dark] = themes().map((theme) => getComputedStyle(theme).backgroundColor);
	expect(light).toBe('rgb(251, 250, 248)');
	expect(dark).toBe('rgb(23, 22, 20)');
});

test('a field is labelled, and described by its hint, its unit and what is wrong', () => {
	expect(describedBy(labelled('Label'))).toEqual(['A line about it.']);
	expect(labelled('Label').hasAttribute('aria-invalid')).toBe(false);
	expect(describedBy(labelled('Beside'))).toEqual(['messages']);
	expect(describedBy(labelled('Wrong'))).toEqual(['This is not a number.']);
	expect(labelled('Wrong').getAttribute('aria-invalid')).toBe('true');
	expect(labelled('Large').hasAttribute('aria-describedby')).toBe(false);
});

test('a checkbox tells what it became', () => {
	const box = labelled('Checkbox');
	expect(box.checked).toBe(true);
	box.click();
	flushSync();
	// Both themes show one state.
	expect([...document.querySelectorAll<HTMLInputElement>('[type="checkbox"]')].map(({ checked }) => checked)).toEqual([false, false]);
});

test('a dialog is named by its title, and its button closes it', async () => {
	button('Dialog').click();
	flushSync();
	const dialog = document.querySelector('dialog')!;
	expect(dialog.matches(':modal')).toBe(true);
	expect(document.getElementById(dialog.getAttribute('aria-labelledby')!)!.textContent).toBe('Title');
	dialog.querySelector<HTMLElement>('[aria-label="Close"]')!.click();
	await vi.waitFor(() => expect(document.querySelector('dialog')).toBeNull());
});

test('the arrow keys move in a menu, and a choice closes it and returns the focus', async () => {
	const opener = button('Menu');
	opener.click();
	flushSync();
	const items = [...document.querySelectorAll<HTMLElement>('[popover] button')];
	expect(document.activeElement).toBe(items[0]);
	press(items[0]!, 'ArrowDown');
	expect(document.activeElement).toBe(items[1]);
	press(items[1]!, 'ArrowDown');
	expect(document.activeElement).toBe(items[0]);
	items[0]!.click();
	await vi.waitFor(() => expect(document.querySelector('[popover]')).toBeNull());
	expect(document.activeElement).toBe(opener);
});
