import { expect, test } from 'vitest';
import { inputFault } from './input-fault';

const schema = {
	type: 'object',
	properties: { name: { type: 'string' }, count: { type: 'integer' }, either: { type: ['string', 'null'] }, any: {}, odd: { type: 'unheard-of' }, broken: null },
	required: ['name', 5],
	additionalProperties: false
};

test('[R1] the input of a call is checked against the top of its schema', () => {
	expect(inputFault({ name: 'a', count: 1, either: null, any: [1], odd: 2, broken: 3 }, schema)).toBeUndefined();
	expect(inputFault({}, schema)).toBe('“name” in the input is missing.');
	expect(inputFault({ name: 1 }, schema)).toBe('“name” in the input is not of the type string.');
	expect(inputFault({ name: 'a', count: 1.5 }, schema)).toBe('“count” in the input is not of the type integer.');
	expect(inputFault({ name: 'a', either: 1 }, schema)).toBe('“either” in the input is not of the type string or null.');
	expect(inputFault({ name: 'a', more: 1 }, schema)).toBe('“more” in the input is not known.');
	for (const input of [null, [], 'a', 1]) expect(inputFault(input, schema)).toBe('The input is not an object.');
});

test('[R1] a schema that says nothing, or nonsense, lets all input through', () => {
	for (const nothing of [{}, { properties: null, required: 'all' }, { properties: [] }]) expect(inputFault({ a: 1 }, nothing)).toBeUndefined();
});
