import type { UnfinishedAnswer } from '../conversation/growing-answer';
import type { Message } from '../conversation/message';
import { countRemoved, removeBranch } from '../conversation/removal';
import { chainTo, newestTipThrough, type Place, type Tree } from '../conversation/tree';
import { AppError } from '../shared/app-error';
import { Answers } from './answers';
import { branchOf, isRemoved } from './branch-of';
import type { Database } from './database';
import { fencingTokenOf, requireFence, unfenced, type Fence, type FencingToken } from './fence';
import { undoMilliseconds } from './undo';

/** The tree rows: where the user is, and what they said of the branches. All writes throw an AppError behind a fence. */
export class Trees {
	constructor(private readonly db: Database) {}

	get(sessionId: string): Promise<Tree | undefined> {
		return this.db.trees.get(sessionId);
	}

	/** Reads what a write of the session must know. To be called by who has its lock. */
	async fencingToken(sessionId: string): Promise<FencingToken> {
		return fencingTokenOf(await this.get(sessionId));
	}

	/** Makes `messageId` the last message of the active path; what is said next follows it. */
	moveHead(sessionId: string, messageId: string, fence: Fence): Promise<void> {
		return this.change(sessionId, fence, async (tree) => ({ ...tree, headId: (await this.node(tree, messageId)).id }));
	}

	/** Goes on from `messageId`, down the newest branch that runs through it: how one steps to a sibling [Z9]. */
	stepTo(sessionId: string, messageId: string, fence: Fence): Promise<void> {
		return this.change(sessionId, fence, async (tree) => ({ ...tree, headId: await this.tipBelow(tree, messageId) }));
	}

	/** Returns the tip that `stepTo` leads to. */
	tipThrough(sessionId: string, messageId: string): Promise<string> {
		return this.db.transaction('r', this.db.trees, this.db.messages, async () =>
			this.tipBelow(await this.require(sessionId, unfenced), messageId)
		);
	}

	/** Names a message [Z9]; '' takes the name away. */
	label(sessionId: string, messageId: string, label: string, fence: Fence): Promise<void> {
		return this.change(sessionId, fence, async (tree) => {
			const { [messageId]: _, ...others } = tree.labels;
			await this.node(tree, messageId);
			return { ...tree, labels: label ? { ...others, [messageId]: label } : others };
		});
	}

	/** Marks the branch that ends in `tipId` as the main branch; null marks none. */
	setMain(sessionId: string, tipId: string | null, fence: Fence): Promise<void> {
		return this.change(sessionId, fence, async (tree) => {
			if (tipId === null || tree.tips.some(({ id }) => id === tipId)) return { ...tree, mainTip: tipId };
			throw new AppError('branch-absent', `No branch of this chat ends in ${tipId}.`);
		});
	}

	/** Raises the fence: no tab that knows an older one can write from now on. Returns the new one. To be called by who has the lock. */
	raiseFence(sessionId: string): Promise<FencingToken> {
		return this.db.transaction('rw', this.db.trees, async () => {
			const tree = await this.db.trees.get(sessionId);
			if (!tree) return fencingTokenOf(undefined);
			const raised = { ...tree, fence: tree.fence + 1 };
			await this.db.trees.put(raised);
			return fencingTokenOf(raised);
		});
	}

	/**
	 * Deletes a message and all that follows it. Returns the trash item that brings it back; the rows go when that is
	 * purged. An unfinished answer to one of these messages goes with them. Throws an AppError for the root, or the first
	 * message, without which nothing would be left.
	 */
	removeBranch(sessionId: string, messageId: string, now: number, fence: Fence): Promise<string> {
		const { trees, messages, sessions, answers, trash } = this.db;
		return this.db.transaction('rw', trees, messages, sessions, answers, trash, async () => {
			const tree = await this.require(sessionId, fence);
			const node = await this.node(tree, messageId);
			if (node.depth === 0) throw new AppError('branch-root', 'This is where the chat begins. Delete the chat instead.');
			const { forkId } = await branchOf(this.db, tree, node);
			const { tree: after, removal } = removeBranch(tree, node, forkId, await this.isOnPath(tree, node, forkId));
			const [session, row] = await Promise.all([sessions.get(sessionId), answers.get(sessionId)]);
			const unfinished = new Answers(this.db);
			const goesToo = row && (await unfinished.canBePlaced(tree, row)) && !(await unfinished.canBePlaced(after, row));
			const { sessionId: _, ...answer } = row ?? {};
			await Promise.all([
				trees.put(after),
				session && sessions.put({ ...session, messageCount: session.messageCount - countRemoved(removal) }),
				goesToo && answers.delete(sessionId),
				trash.put({
					id: messageId,
					kind: 'branch',
					sessionId,
					at: now,
					purgeAt: now + undoMilliseconds,
					removal,
					...(goesToo ? { answer: answer as UnfinishedAnswer } : {})
				})
			]);
			return messageId;
		});
	}

	private async tipBelow(tree: Tree, messageId: string): Promise<string> {
		const node = await this.node(tree, messageId);
		const { forkId } = await branchOf(this.db, tree, node);
		return newestTipThrough(tree, forkId, node.depth)!.id;
	}

	/** Tells whether the node, of the branch `forkId`, is on the path to the head. */
	private async isOnPath(tree: Tree, node: Place, forkId: string | null): Promise<boolean> {
		const head = await this.node(tree, tree.headId);
		const chain = chainTo(tree, (await branchOf(this.db, tree, head)).forkId, head.depth);
		return chain.some(({ tip, from, to }) => tip.forkId === forkId && from <= node.depth && node.depth <= to);
	}

	private change(sessionId: string, fence: Fence, edit: (tree: Tree) => Promise<Tree>): Promise<void> {
		return this.db.transaction('rw', this.db.trees, this.db.messages, async () => {
			await this.db.trees.put(await edit(await this.require(sessionId, fence)));
		});
	}

	private async require(sessionId: string, fence: Fence): Promise<Tree> {
		const tree = await this.db.trees.get(sessionId);
		requireFence(tree, fence);
		if (!tree) throw new AppError('session-absent', `There is no chat ${sessionId} in this browser.`);
		return tree;
	}

	private async node(tree: Tree, id: string): Promise<Message> {
		const node = await this.db.messages.where('id').equals(id).first();
		if (node?.sessionId === tree.sessionId && !(await isRemoved(this.db, tree, node))) return node;
		throw new AppError('message-absent', `There is no message ${id} in this chat.`);
	}
}
