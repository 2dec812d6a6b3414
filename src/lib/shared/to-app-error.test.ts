import { expect, test, vi } from 'vitest';
import { AppError } from './app-error';
import { toAppError } from './to-app-error';

test('an AppError stays as it is', () => {
	const failure = new AppError('disk-full', 'The disk is full.');
	expect(toAppError(failure)).toBe(failure);
});

test.each([
	'Failed to fetch dynamically imported module: http://127.0.0.1/_app/a.js',
	'error loading dynamically imported module: http://127.0.0.1/_app/a.js',
	'Importing a module script failed.',
	'Unable to preload CSS for /_app/a.css'
])('%s is a part that could not be loaded', (message) => {
	expect(toAppError(new TypeError(message))).toMatchObject({
		code: 'part-not-loaded',
		message: 'A part of Snug could not be loaded. Check the connection and reload.'
	});
});

test('a bug is reported once and not shown', () => {
	const report = vi.fn();
	vi.stubGlobal('reportError', report);
	const bug = new TypeError('Failed to fetch');
	const failure = toAppError(bug);
	expect(failure).toMatchObject({ code: 'bug', cause: bug });
	expect(failure.message).not.toContain('fetch');
	toAppError(bug);
	expect(report.mock.calls).toEqual([[bug]]);
	vi.unstubAllGlobals();
});
