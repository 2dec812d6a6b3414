import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from './app-error';
import { isSeen, namesOf } from './folder-path';

describe('[Z8] namesOf', () => {
	it('takes a path apart', () => {
		expect(namesOf('a')).toEqual(['a']);
		expect(namesOf('src/lib/Ä pear.test.ts')).toEqual(['src', 'lib', 'Ä pear.test.ts']);
		expect(namesOf('.github/...')).toEqual(['.github', '...']);
	});

	it.each(['', '/', '/a', 'a/', 'a//b', '.', '..', 'a/..', '../a', './a', 'a/./b', 'a\\b', '..\\a', 'a\nb', 'a\0', ' a', 'a ', 'a\u202eb', 'a”b', '.g\u200dit/config', '.git./config', '.git::$DATA', '.git', '.GIT/config', 'a/.git/hooks/x', 'git~1/config', '\ud800', 'x'.repeat(256), 'x/'.repeat(32) + 'x', 'abc/'.repeat(300) + 'x'])('refuses %j', (path) => {
		expect(() => namesOf(path)).toThrow(AppError);
	});

	it('gives, of any path, names that stay where they are, or an AppError', () => {
		const part = fc.oneof(fc.constantFrom('.', '..', '', '.git', '\\', '/', 'a', '%2e%2e', ':', '~'), fc.string({ unit: 'binary', maxLength: 5 }));
		fc.assert(
			fc.property(fc.array(part, { maxLength: 8 }).map((parts) => parts.join('/')), (path) => {
				try {
					const names = namesOf(path);
					expect(names.join('/')).toBe(path);
					expect(names.every(isSeen)).toBe(true);
					// As an address would be resolved: nothing of it leads up.
					expect(new URL(names.map(encodeURIComponent).join('/'), 'file:///root/').pathname.startsWith('/root/')).toBe(true);
				} catch (error) {
					expect(error).toBeInstanceOf(AppError);
				}
			}),
			{ numRuns: 500 }
		);
	});
});
