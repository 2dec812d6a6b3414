import { expect, test, vi } from 'vitest';
import { inOrder, parseOnly, runSteps, summarize, type Step } from './steps.mjs';

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

test('inOrder writes the first that has not ended through, and holds the others', () => {
	const written: string[] = [];
	const [first, second, third] = inOrder(3, (text) => written.push(String(text)));
	second!.print('b1');
	first!.print('a1');
	third!.print('c1');
	expect(written).toEqual(['a1']);
	second!.end();
	first!.print('a2');
	expect(written).toEqual(['a1', 'a2']);
	first!.end();
	expect(written).toEqual(['a1', 'a2', 'b1', 'c1']);
	third!.print('c2');
	third!.end();
	expect(written.at(-1)).toBe('c2');
});

test('runSteps runs the first steps, then the lanes side by side; what they print is not mixed, and the count comes last', async () => {
	const written: string[] = [];
	const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
	const log = vi.spyOn(console, 'log').mockImplementation((text: string) => void written.push(`${text}\n`));
	let release = () => undefined as void;
	const others = new Promise<void>((resolve) => (release = resolve));
	const step = (name: string, code = 0): [string, Step] => [name, async ({ print }) => (print?.(`${name}\n`), code)];
	const slow: [string, Step] = ['slow', async ({ print }) => {
		print?.('begins\n');
		await others;
		print?.('ends\n');
		return 0;
	}];
	const last: [string, Step] = ['last', async ({ print }) => {
		print?.('last\n');
		release();
		return 0;
	}];
	await runSteps([step('first')], [slow, step('bad', 1)], [step('beside'), last]);
	expect(process.exitCode).toBe(1);
	process.exitCode = undefined;
	write.mockRestore();
	log.mockRestore();
	const lines = written.join('').trim().split('\n').filter(Boolean);
	expect(lines.slice(0, 10)).toEqual(['── first', '── slow', 'begins', 'ends', '── bad', 'bad', '── beside', 'beside', '── last', 'last']);
	expect(lines.slice(10, 12)).toEqual(['── the end of bad', 'bad']);
	expect(lines.at(-1)).toBe('4 passed, 1 failed');
});
