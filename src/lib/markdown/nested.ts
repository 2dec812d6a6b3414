import type { StateBlock, Token } from 'markdown-it';

/** The most blocks of this kind within each other; what begins one more stays text. */
const maxNested = 5;

/** Tells whether a block that holds others may begin at this line: at the left edge of the text, or of such a block. */
export function mayHoldBlocks(state: StateBlock, line: number): boolean {
	const indent = state.sCount[line]!;
	return state.level === 0 && indent >= 0 && indent < 4 && depthOf(state) < maxNested;
}

/** Parses `source` as the blocks within the one that was opened last. */
export function pushNested(state: StateBlock, source: string): void {
	const { env } = state;
	const { lastMathMarks } = env;
	const depth = depthOf(state);
	const tokens: Token[] = [];
	// Those are places in another text.
	env.lastMathMarks = undefined;
	env.depth = depth + 1;
	state.md.block.parse(source, state.md, env, tokens);
	env.depth = depth;
	env.lastMathMarks = lastMathMarks;
	for (const token of tokens) {
		token.level += state.level;
		state.tokens.push(token);
	}
}

/** Returns a line without its indent. */
export function lineAt({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
	return src.slice(bMarks[line]! + tShift[line]!, eMarks[line]);
}

function depthOf({ env }: StateBlock): number {
	return (env.depth as number | undefined) ?? 0;
}
