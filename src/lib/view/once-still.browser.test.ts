import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onceStill } from './once-still';

let button: HTMLButtonElement;
let stop: () => void;
let heard: number;

beforeEach(async () => {
	button = document.createElement('button');
	button.textContent = 'Allow once';
	document.body.append(button);
	// As in a window that is in front.
	vi.spyOn(document, 'hasFocus').mockReturnValue(true);
	heard = 0;
	stop = onceStill(button);
	button.addEventListener('click', () => heard++);
	await vi.waitFor(() => expect(button.hasAttribute('aria-disabled')).toBe(false));
});

afterEach(() => {
	stop();
	button.remove();
	vi.restoreAllMocks();
});

const press = (on: EventTarget) => on.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
/** Tells of the end of a press, as a screen reader in Firefox does without one. */
const click = (detail: number) => button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }));

describe('[Z8] onceStill', () => {
	it('hears a press, a key, and a screen reader whose click is told like that of a mouse', () => {
		press(button);
		click(1);
		expect(heard).toBe(1);
		click(0);
		expect(heard).toBe(2);
		click(1);
		expect(heard).toBe(3);
	});

	it('hears no click of a press that began elsewhere', () => {
		press(document.body);
		click(1);
		expect(heard).toBe(0);
	});

	it('[P10] hears a screen reader also after a press that came to no click, as where something was scrolled by a finger', async () => {
		press(document.body);
		await vi.waitFor(() => expect(button.hasAttribute('aria-disabled')).toBe(false));
		document.body.dispatchEvent(new PointerEvent('pointercancel', { bubbles: true }));
		click(1);
		expect(heard).toBe(1);
	});

	it('hears nothing for a while after it has appeared', () => {
		stop();
		stop = onceStill(button);
		click(1);
		click(0);
		press(button);
		click(1);
		expect(heard).toBe(0);
	});
});
