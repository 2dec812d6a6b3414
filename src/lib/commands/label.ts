import { labelTooLong, maxLabel } from '../conversation/label';
import { nameOfNode } from '../conversation/outline';
import type { Command, CommandContext, Outcome } from './command';
import { sessionHere } from './here';
import { namedNode, nodesIn } from './nodes';

const nodeName = /^n\d+(\.\d+)?$/i;

/** [Z9] */
export const labelCommand: Command = {
	name: 'label',
	usage: '/label [n1] [text]',
	summary: 'Label this place, or another node; without a text, remove its label',
	alone: 'Remove the label here',
	needs: 'changeable-chat',
	fits: ({ labelled }, alone) => !alone || labelled,
	async run(argument, context) {
		const { id } = await sessionHere(context);
		const written = argument.replace(/\s+/g, ' ');
		const nodes = await nodesIn(id, context);
		const [first = '', ...rest] = written.split(' ');
		const named = nodeName.test(first) ? namedNode(nodes, first) : undefined;
		if (nodeName.test(first) && !named) return { kind: 'refused', text: `There is no node ${first}. /tree shows them all.` };
		const text = named ? rest.join(' ') : written;
		if (text.length > maxLabel) return { kind: 'refused', text: labelTooLong };
		if (nodeName.test(text)) return { kind: 'refused', text: `“${text}” is the number of a node. Choose another label.` };

		const messageId = named?.endId ?? (await context.head(id));
		if (messageId === undefined) return { kind: 'refused', text: 'There is nothing to label here yet.' };
		const node = named ?? nodes.find(({ current }) => current);
		return text === '' ? unlabel(id, node?.labels ?? [], context) : label(id, messageId, text, node && nameOfNode(node), context);
	}
};

async function label(sessionId: string, messageId: string, text: string, node: string | undefined, context: CommandContext): Promise<Outcome> {
	await context.label(sessionId, messageId, text);
	return { kind: 'done', text: `${node ?? 'This place'} is labelled “${text}”.` };
}

async function unlabel(sessionId: string, labels: { messageId: string; text: string }[], context: CommandContext): Promise<Outcome> {
	if (labels.length === 0) return { kind: 'refused', text: 'There is no label to remove here.' };
	for (const { messageId } of labels) await context.label(sessionId, messageId, '');
	return {
		kind: 'done',
		text: `Label ${labels.map(({ text }) => `“${text}”`).join(', ')} removed.`,
		undo: async () => {
			for (const { messageId, text } of labels) await context.label(sessionId, messageId, text);
		}
	};
}
