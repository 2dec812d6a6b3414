import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../conversation/message';
import { rebuildTree } from '../conversation/tree';
import { faultsOf } from '../conversation/tree-faults';
import { repairMessages } from './repair-messages';

const message = (id: string, parentId: string | null, depth: number): Message => ({
	id,
	sessionId: 's',
	parentId,
	depth,
	role: 'user',
	parts: [{ type: 'text', text: id }],
	createdAt: 1
});

describe('repairMessages', () => {
	it('[R6] makes one tree of any messages, and loses none', () => {
		const name = fc.nat({ max: 14 }).map((number) => `m${String(number).padStart(2, '0')}`);
		const rows = fc.uniqueArray(fc.record({ id: name, parentId: fc.option(name), depth: fc.nat({ max: 8 }) }), {
			selector: ({ id }) => id,
			minLength: 1,
			maxLength: 12
		});
		fc.assert(
			fc.property(rows, (rows) => {
				const before = rows.map(({ id, parentId, depth }) => message(id, parentId, depth));
				const after = repairMessages(before, 'missing');
				expect(faultsOf(rebuildTree(after)!, after)).toEqual([]);
				for (const { id, parts } of before) expect(after.find((other) => other.id === id)?.parts).toEqual(parts);
				for (const { id, parts } of after) if (!before.some((other) => other.id === id)) expect(parts[0]!.type).toBe('unreadable');
			}),
			{ numRuns: 500 }
		);
	});

	it('leaves valid messages as they are', () => {
		const valid = [message('a', null, 0), message('b', 'a', 1), message('c', 'a', 1), message('d', 'c', 2)];
		const after = repairMessages(valid, 'missing');
		for (const [index, row] of after.entries()) expect(row).toBe(valid[index]);
		expect(repairMessages([], 'missing')).toEqual([]);
	});

	it('puts one marker in the place of a missing message, below what it most likely followed', () => {
		const after = repairMessages([message('a', null, 0), message('b', 'a', 1), message('d', 'c', 3), message('e', 'c', 3)], 'missing');
		expect(after.find(({ id }) => id === 'c')).toMatchObject({ parentId: 'b', depth: 2, parts: [{ type: 'unreadable', reason: 'missing' }] });
		expect(after).toHaveLength(5);
	});
});
