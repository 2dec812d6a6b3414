import { chainTo } from './paths';
import type { Place, Tip, Tree } from './tree';

/** The end of a path: a message, and the branch that it is on. Each tip is one. */
export type PathEnd = Pick<Tip, 'id' | 'depth' | 'forkId'>;

/**
 * The fork of two paths of one tree: they share the messages from the root down to `depth`. `a` and `b` are
 * the first messages after that, as far as the tree row knows them: null where that path goes on along the branch that
 * it shares, or ends.
 */
export interface Fork {
	depth: number;
	a: string | null;
	b: string | null;
}

/** Finds the fork of the paths to two ends by the tree row alone. Undefined where the row knows no such path. */
export function forkOf(tree: Tree, a: PathEnd, b: PathEnd): Fork | undefined {
	const ways = [chainTo(tree, a.forkId, a.depth), chainTo(tree, b.forkId, b.depth)] as const;
	const depth = Math.max(
		...ways[0].flatMap((own) => ways[1].filter(({ tip }) => tip.forkId === own.tip.forkId).map(({ to }) => Math.min(own.to, to)))
	);
	if (depth < 0) return undefined;
	const [first, second] = ways.map((way) => way.find(({ from }) => from === depth + 1)?.tip.forkId ?? null);
	return { depth, a: first!, b: second! };
}

/** A message on the way to `tip` as the end of a path. Throws where it is beyond the tip. */
export function endAbove(tree: Tree, tip: Tip, { id, depth }: Place): PathEnd {
	const part = chainTo(tree, tip.forkId, tip.depth).find(({ from, to }) => from <= depth && depth <= to);
	if (!part) throw new Error(`not on the way to ${tip.id}: ${id}`);
	return { id, depth, forkId: part.tip.forkId };
}
