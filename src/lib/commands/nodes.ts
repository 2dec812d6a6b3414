import { isCalled, nameOfNode, nodesOf, type OutlineNode } from '../conversation/outline';
import { shorten } from '../shared/shorten';
import { count } from './columns';
import type { Candidate, CommandContext } from './command';

/** All nodes of a session, in the order in which they are printed; none where it has no tree. */
export async function nodesIn(sessionId: string, context: CommandContext): Promise<OutlineNode[]> {
	const outline = await context.outline(sessionId);
	return outline ? nodesOf(outline) : [];
}

/** The nodes that an argument may become, by label where they have one; the newest first. */
export async function nodeCandidates(argument: string, context: CommandContext): Promise<Candidate[]> {
	const { sessionId } = context.place;
	if (sessionId === undefined) return [];
	const wanted = argument.toLowerCase();
	const nodes = (await nodesIn(sessionId, context)).sort((a, b) => (a.id < b.id ? 1 : -1));
	return nodes.flatMap((node) => {
		const values = [...node.labels.map(({ text }) => text), nameOfNode(node)];
		const value = values.find((value) => value.toLowerCase().startsWith(wanted)) ?? values.find((value) => value.toLowerCase().includes(wanted));
		return value === undefined ? [] : [{ value, label: labelOf(values), detail: `${node.text} (${count(node.messages, 'message')})` }];
	});
}

/** The names of a node as one that has room in a list: of many labels the first. */
function labelOf(values: string[]): string {
	return shorten([...values.slice(0, 3), ...values.slice(3).slice(-1)].join(' · '), 200);
}

/** The node that `text` is the name of, or a label, in any case. */
export function namedNode(nodes: OutlineNode[], text: string): OutlineNode | undefined {
	const wanted = text.toLowerCase();
	return nodes.find((node) => isCalled(node, wanted)) ?? nodes.find(({ labels }) => labels.some((label) => label.text.toLowerCase() === wanted));
}
