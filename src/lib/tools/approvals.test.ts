import { describe, expect, it } from 'vitest';
import { digestOf, permissionFor, permissionsOf, verdictOf } from './approvals';

const write = { name: 'write', asks: 'permission' } as const;
const here = { allowed: [], digest: 'd' };

describe('[Z8] verdictOf', () => {
	it('lets what asks nothing run', () => {
		expect(verdictOf({ name: 'look' }, undefined, here)).toBe('run');
	});

	it('asks unless the user has said what is to be done with this very call', () => {
		expect(verdictOf(write, undefined, here)).toBe('ask');
		expect(verdictOf(write, { decided: 'allowed', seen: 'd' }, here)).toBe('run');
		expect(verdictOf(write, { decided: 'allowed', seen: 'e' }, here)).toBe('ask');
		expect(verdictOf(write, { decided: 'allowed' }, here)).toBe('ask');
		expect(verdictOf(write, { decided: 'denied' }, here)).toBe('denied');
	});

	it('asks again about what had begun, whatever is allowed', () => {
		expect(verdictOf(write, { begun: true, seen: 'd' }, { ...here, allowed: ['write'] })).toBe('ask-again');
	});

	it('lets what is allowed once for all run, and nothing by a name that is like it', () => {
		expect(verdictOf(write, undefined, { ...here, allowed: ['write'] })).toBe('run');
		expect(verdictOf(write, { decided: 'denied' }, { ...here, allowed: ['write'] })).toBe('denied');
		expect(verdictOf(write, undefined, { ...here, allowed: ['writ', 'Write'] })).toBe('ask');
		expect(verdictOf({ name: 'ask', asks: 'answer' }, undefined, { ...here, allowed: ['ask'] })).toBe('ask');
	});
});

describe('[Z8] a permission', () => {
	it('of a scope covers that scope alone', () => {
		const allowed = [permissionFor('write', 'a.example')];
		expect(verdictOf(write, undefined, { ...here, allowed, scope: 'a.example' })).toBe('run');
		for (const scope of ['b.example', 'a.example:8080', '', undefined]) expect(verdictOf(write, undefined, { ...here, allowed, scope })).toBe('ask');
		expect(verdictOf(write, undefined, { ...here, allowed: ['write'], scope: 'a.example' })).toBe('ask');
	});

	it('is found by its tool, and by no other', () => {
		const given = ['write', permissionFor('write', 'a.example'), permissionFor('writer', 'b.example')];
		expect(permissionsOf('write', given)).toEqual([
			{ permission: 'write', scope: undefined },
			{ permission: 'write a.example', scope: 'a.example' }
		]);
		expect(permissionsOf('writ', given)).toEqual([]);
	});
});

describe('digestOf', () => {
	const call = { type: 'tool-call', toolCallId: 'a', toolName: 'write', input: { text: 'x' } } as const;

	it('tells calls apart by tool, input and what they will do', async () => {
		const digests = await Promise.all([
			digestOf(call, { sentence: 'Write' }),
			digestOf({ ...call, input: { text: 'y' } }, { sentence: 'Write' }),
			digestOf({ ...call, toolName: 'edit' }, { sentence: 'Write' }),
			digestOf(call, { sentence: 'Write', change: { before: '', after: 'x' } }),
			digestOf({ ...call, toolCallId: 'b' }, { sentence: 'Write' })
		]);
		expect(new Set(digests).size).toBe(4);
		expect(digests[4]).toBe(digests[0]);
	});
});
