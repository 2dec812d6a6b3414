import { expect, test } from 'vitest';
import { parseOnly, summarize } from './steps.mjs';

test('parseOnly keeps the order of the steps and refuses unknown names', () => {
	const known = ['lint', 'unit', 'e2e'];
	expect(parseOnly(undefined, known)).toEqual(known);
	expect(parseOnly('e2e, lint', known)).toEqual(['lint', 'e2e']);
	expect(() => parseOnly('unti', known)).toThrow('There is no step "unti"; the steps are lint, unit, e2e.');
});

test('summarize ends with the count', () => {
	const lines = summarize([
		{ name: 'lint', passed: true, seconds: 3.21 },
		{ name: 'unit', passed: false, seconds: 12 }
	]).split('\n');
	expect(lines).toEqual(['lint  passed     3.2 s', 'unit  FAILED    12.0 s', '1 passed, 1 failed']);
});
