import type { Command } from './command';

/** [S7] */
export const tokensCommand: Command = {
	name: 'tokens',
	usage: '/tokens',
	summary: 'Show how many tokens each answer took, or hide that again',
	alone: 'Show or hide token counts',
	async run(_argument, context) {
		const shown = await context.showsTokens();
		await context.showTokens(!shown);
		return {
			kind: 'done',
			text: shown ? 'Answers no longer show their tokens.' : 'Every answer shows its tokens, as reported by the model.',
			undo: () => context.showTokens(shown)
		};
	}
};
