import { flushSync, mount, unmount } from 'svelte';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../shared/app-error';
import Problem from './Problem.svelte';

function draw(failure: AppError): Element {
	const mounted = mount(Problem, { target: document.body, props: { failure } });
	onTestFinished(() => unmount(mounted));
	flushSync();
	return document.querySelector('.problem')!;
}

test('a failure that was expected is its sentence', () => {
	const drawn = draw(new AppError('disk-full', 'The disk is full.'));
	expect(drawn.textContent.trim()).toBe('The disk is full.');
	expect(drawn.getAttribute('role')).toBe('alert');
});

test('the details of a bug can be copied: the error, where it came from, and the browser', async () => {
	const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
	onTestFinished(() => written.mockRestore());
	const drawn = draw(new AppError('bug', 'Something went wrong.', { cause: new TypeError('x is not a function') }));
	expect(drawn.textContent).not.toContain('not a function');
	drawn.querySelector('button')!.click();
	await expect.poll(() => written.mock.calls.length).toBe(1);
	expect(written.mock.calls[0]![0]).toMatch(/^TypeError: x is not a function\n[^]*Problem\.svelte\.browser\.test[^]*Mozilla/);
});
