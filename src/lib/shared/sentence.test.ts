import { expect, test, vi } from 'vitest';
import { AppError } from './app-error';
import { sentenceOf } from './sentence';

test('an AppError says its own sentence', () => {
	expect(sentenceOf(new AppError('disk-full', 'The disk is full.'))).toBe('The disk is full.');
});

test.each([
	'Failed to fetch dynamically imported module: http://127.0.0.1/_app/a.js',
	'error loading dynamically imported module: http://127.0.0.1/_app/a.js',
	'Importing a module script failed.',
	'Unable to preload CSS for /_app/a.css'
])('%s is a part that could not be loaded', (message) => {
	expect(sentenceOf(new TypeError(message))).toBe('A part of Snug could not be loaded. Check the connection, then reload the page.');
});

test('a bug is reported once and not shown', () => {
	const report = vi.fn();
	vi.stubGlobal('reportError', report);
	const bug = new TypeError('Failed to fetch');
	expect(sentenceOf(bug)).not.toContain('fetch');
	sentenceOf(bug);
	expect(report.mock.calls).toEqual([[bug]]);
	vi.unstubAllGlobals();
});
