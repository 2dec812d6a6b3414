import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inRuns } from './block-runs';
import type { Block } from './blocks';

const blocks = fc
	.array(fc.constantFrom('<p>a</p>', '<h2>a</h2>', '<ul></ul>', '<figure class="code">a</figure>', '<div class="table"></div>', '<pre></pre>'), { maxLength: 120 })
	.map((all) => all.map((html, key): Block => ({ key, html })));

test('[P3] runs have all blocks, in their order, and each but the first begins with an element without a margin above it', () => {
	fc.assert(
		fc.property(blocks, (all) => {
			const runs = inRuns(all, []);
			expect(runs.flatMap((run) => run.blocks)).toEqual(all);
			for (const { key, blocks } of runs) expect(key).toBe(blocks[0]!.key);
			for (const { blocks } of runs.slice(1)) expect(blocks[0]!.html).toMatch(/^<(p|figure|div)/);
			for (const { blocks } of runs.slice(0, -1)) expect(blocks.length).toBeGreaterThanOrEqual(16);
		})
	);
});

test('[P3] a run that is followed by another one stays as it is while blocks are added, and is a new one where a block is replaced', () => {
	fc.assert(
		fc.property(blocks, fc.nat(), (all, cut) => {
			const before = inRuns(all.slice(0, cut % (all.length + 1)), []);
			const after = inRuns(all, before);
			for (const [at, run] of before.slice(0, -1).entries()) expect(after[at]).toBe(run);
			const changed = all.map((block, at) => (at === 3 ? { ...block } : block));
			const again = inRuns(changed, after);
			for (const [at, run] of again.entries()) expect(run === after[at]).toBe(!run.blocks.some(({ key }) => key === 3));
		})
	);
});
