import type { Block } from './blocks';

/** Successive blocks that are drawn in one element. The key is that of the first. */
export interface BlockRun {
	key: number;
	blocks: readonly Block[];
}

/** Number of blocks from which on a run may end: about two screens of them. */
const minBlocks = 16;

/** The elements that have no margin above them, so that a run which begins with one can be laid out apart from the one before. */
const canBegin = /^<(?:p|figure|div class="table")[ >]/;

/**
 * Parts blocks into runs, so that what a browser does for each child of a long answer in every frame it does for each run. A run keeps its place
 * while blocks are added; those of `before` that have the same blocks are returned as they are.
 */
export function inRuns(blocks: readonly Block[], before: readonly BlockRun[]): BlockRun[] {
	const runs: BlockRun[] = [];
	let start = 0;
	for (let end = 1; end <= blocks.length; end++) {
		if (end < blocks.length && (end - start < minBlocks || !canBegin.test(blocks[end]!.html))) continue;
		runs.push(keptOr(before[runs.length], blocks.slice(start, end)));
		start = end;
	}
	return runs;
}

function keptOr(before: BlockRun | undefined, blocks: readonly Block[]): BlockRun {
	const isSame = before?.blocks.length === blocks.length && before.blocks.every((block, at) => block === blocks[at]);
	return isSame ? before : { key: blocks[0]!.key, blocks };
}
