import { nameOfNode } from '../conversation/outline';
import { count } from './columns';
import type { Command } from './command';
import { sessionHere } from './here';
import { nodeCandidates, nodesIn } from './nodes';

/** [Z9] */
export const branchCommand: Command = {
	name: 'branch',
	usage: '/branch <n1, label or id>',
	summary: 'Continue from a node of the tree, such as n1',
	needs: 'changeable-chat',
	async run(argument, context) {
		const { id } = await sessionHere(context);
		if (argument === '') return { kind: 'refused', text: 'Say where: /branch and a node such as n1, a label or a message id. /tree shows them.' };
		const end = await context.findNode(id, argument);
		if (!end) return { kind: 'refused', text: `Nothing in this chat is called “${argument}”. /tree shows its nodes and labels.` };
		const node = (await nodesIn(id, context)).find(({ endId }) => endId === end.id);
		await context.moveHead(id, end.id);
		const place = `${node ? nameOfNode(node) : 'this message'} (${count(end.depth + 1, 'message')})`;
		const text = node?.tip
			? `You are at the end of ${place}. What you send next continues it.`
			: `Branched from ${place}. What you send next starts a branch.`;
		return { kind: 'text', text };
	},
	complete: nodeCandidates
};
