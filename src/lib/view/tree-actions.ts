import type { OutlineNode } from '../conversation/outline';
import { branchFrom, goToMessage, labelMessage, lookAt, removeBranch, setMain, stepTo, tipThrough } from './branches';
import type { Conversation } from './conversation.svelte';
import { reportFailure } from './notices.svelte';
import { branchesOf, type ConversationTree } from './tree.svelte';

/** Actions on the nodes of a tree. One that can't be done now is refused in a sentence, and changes nothing. */
export class TreeActions {
	constructor(
		private readonly tree: ConversationTree,
		private readonly conversation: Conversation
	) {}

	/** Shows what was sent at a node: on the path where the user is, or on the newest branch through it. */
	async go(node: OutlineNode, changeable: boolean): Promise<void> {
		if (node.onPath && this.conversation.at === undefined) {
			await goToMessage(this.conversation, node.id);
		} else await this.goToEnd(node.endId, changeable);
	}

	/** Goes to the newest branch through a message. Where it can't be changed, that branch is only looked at. */
	async goToEnd(messageId: string, changeable: boolean): Promise<void> {
		if (!changeable) {
			await lookAt(this.conversation.id, messageId);
			return;
		}
		await stepTo(this.conversation, messageId);
		this.tree.select(undefined);
	}

	async branchFrom(node: OutlineNode): Promise<void> {
		await branchFrom(this.conversation, node.endId);
	}

	/** Names a node: its newest label where it has one, or else its last message. */
	async label(node: OutlineNode, text: string): Promise<void> {
		await labelMessage(this.conversation.id, node.labels.at(-1)?.messageId ?? node.endId, text);
	}

	/** Calls the newest branch through a node the main branch, or no longer. */
	toggleMain(node: OutlineNode): Promise<void> {
		const { id } = this.conversation;
		return reportFailure(async () => setMain(id, node.main ? null : await tipThrough(id, node.endId)));
	}

	async remove(node: OutlineNode): Promise<void> {
		await removeBranch(this.conversation.id, node.id);
	}

	/** The branch through a node, and one to compare it with: where the user is, or else the main or the newest other one; first the one that is numbered first. */
	async comparable(node: OutlineNode): Promise<{ first: string; second: string }> {
		const { id, tree, headId } = this.conversation;
		const chosen = await tipThrough(id, node.endId);
		const branches = branchesOf(this.tree.outline, headId).map((branch) => branch.id);
		const others = branches.filter((branch) => branch !== chosen);
		const other = [headId, tree?.mainTip].find((end) => end != null && others.includes(end)) ?? others.at(-1) ?? chosen;
		const [first, second] = branches.indexOf(other) < branches.indexOf(chosen) ? [other, chosen] : [chosen, other];
		return { first, second };
	}
}
