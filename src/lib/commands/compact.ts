import { strategyNames } from '../conversation/boundary';
import { strategyLines } from '../conversation/strategy-lines';
import type { Command } from './command';
import { sessionHere } from './here';

/** [A10, Z6] */
export const compactCommand: Command = {
	name: 'compact',
	usage: '/compact [strategy]',
	summary: 'Replace older messages with a summary for the model; you check it first',
	needs: 'changeable-chat',
	async run(argument, context) {
		const { id: sessionId } = await sessionHere(context);
		if (argument === '') return { kind: 'compact', sessionId };
		const strategy = strategyNames.find((name) => name === argument.toLowerCase());
		if (strategy) return { kind: 'compact', sessionId, strategy };
		return { kind: 'refused', text: `There is no strategy “${argument}”. There are ${strategyNames.slice(0, -1).join(', ')} and ${strategyNames.at(-1)}.` };
	},
	complete: (argument) =>
		Promise.resolve(
			strategyNames
				.filter((name) => name.startsWith(argument.toLowerCase()))
				.map((name) => ({ value: name, label: name, detail: strategyLines[name] }))
		)
};

/** [A10, S7] */
export const summarizeCommand: Command = {
	name: 'summarize',
	usage: '/summarize',
	summary: 'Let the model write that summary: /compact summary',
	alone: 'Let the model summarize…',
	needs: 'changeable-chat',
	async run(_argument, context) {
		const { id: sessionId } = await sessionHere(context);
		return { kind: 'compact', sessionId, strategy: 'summary' };
	}
};
