import { expect, test } from 'vitest';
import { fill, variablesOf } from './uri-template';

test('[R1] a template of an address has what fills it in its order; what can be left out is told', async () => {
	expect(await variablesOf('a://{b}/{+c}{?d,e*}')).toEqual([
		{ name: 'b', required: true },
		{ name: 'c', required: true },
		{ name: 'd', required: false },
		{ name: 'e', required: false }
	]);
	expect(await fill('a://{b}/{?d,e}', { b: 'x/y', d: 'ü' })).toBe('a://x%2Fy/?d=%C3%BC');
});

test.each(['a://b', 'a://{b', 'a://{}', `a://{${'x'.repeat(70)}}`, 'a://{b\u202e}', 'a://{b"}', `a://{${'x'.repeat(3000)}`, `a://${Array.from({ length: 21 }, (_, at) => `{v${at}}`).join('')}`])(
	'[R1] a template that is none, can’t be typed or has too much is left out: %s',
	async (template) => expect(await variablesOf(template)).toBeUndefined()
);
