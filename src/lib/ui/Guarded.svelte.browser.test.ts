import { createRawSnippet, flushSync, mount, unmount } from 'svelte';
import { expect, onTestFinished, test, vi } from 'vitest';
import Guarded from './Guarded.svelte';

function draw(what: string, render: () => string): void {
	const mounted = mount(Guarded, { target: document.body, props: { what, children: createRawSnippet(() => ({ render })) } });
	onTestFinished(() => unmount(mounted));
}

test('[P8] [R6] what can not be drawn costs itself only, and is reported once', () => {
	const reported = vi.spyOn(console, 'error').mockImplementation(() => undefined);
	onTestFinished(() => reported.mockRestore());
	const fail = () => {
		throw new TypeError('Not a text.');
	};
	draw('This row', () => '<p>before</p>');
	draw('This row', fail);
	draw('The list', fail);
	draw('This row', () => '<p>after</p>');
	flushSync();
	const lines = [...document.querySelectorAll('p')].map((line) => line.textContent);
	expect(lines).toEqual(['before', 'This row can’t be shown. Check every row.', 'The list can’t be shown. Check every row.', 'after']);
	expect(reported).toHaveBeenCalledTimes(1);
});
