import type { UnfinishedAnswer } from '../conversation/growing-answer';
import type { Message } from '../conversation/message';
import { countRemoved, removeBranch } from '../conversation/removal';
import { labelTooLong, maxLabel } from '../conversation/label';
import { chainTo, newestTipThrough } from '../conversation/paths';
import type { Place, Tree } from '../conversation/tree';
import { AppError } from '../shared/app-error';
import { Answers } from './answers';
import { branchOf, headOf, isRemoved } from './branch-of';
import type { Database } from './database';
import { fencingTokenOf, requireFence, type Fence, type FencingToken } from './fence';
import { isPlaced } from './lead-on';
import { placedPosition, readFencingToken, requirePosition } from './positions';
import type { AnswerRow } from './tables/answers';
import type { Position } from './tables/positions';
import { undoMilliseconds } from './undo';

/** The tree rows, what the user said of the branches, and the positions, where they are in them. All writes throw an AppError behind a fence. */
export class Trees {
	constructor(private readonly db: Database) {}

	get(sessionId: string): Promise<Tree | undefined> {
		return this.db.trees.get(sessionId);
	}

	/** As `readFencingToken`. */
	fencingToken(sessionId: string): Promise<FencingToken> {
		return readFencingToken(this.db, sessionId);
	}

	/** Makes `messageId` the last message of the active path; what is said next follows it. */
	moveHead(sessionId: string, messageId: string, fence: Fence): Promise<void> {
		return this.moveTo(sessionId, fence, async (tree) => (await this.node(tree, messageId)).id);
	}

	/** Goes on from `messageId`, down the newest branch that runs through it: how one steps to a sibling [Z9]. */
	stepTo(sessionId: string, messageId: string, fence: Fence): Promise<void> {
		return this.moveTo(sessionId, fence, (tree) => this.tipBelow(tree, messageId));
	}

	/** Returns the tip that `stepTo` leads to. */
	tipThrough(sessionId: string, messageId: string): Promise<string> {
		return this.db.transaction('r', this.db.trees, this.db.messages, async () => this.tipBelow(await this.require(sessionId), messageId));
	}

	/** Names a message [Z9]; '' takes the name away. */
	label(sessionId: string, messageId: string, label: string, fence: Fence): Promise<void> {
		return this.change(sessionId, fence, async (tree) => {
			if (label.length > maxLabel) throw new AppError('label-too-long', labelTooLong);
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
		const { trees, positions, messages } = this.db;
		return this.db.transaction('rw', positions, trees, messages, async () => {
			const position = await requirePosition(this.db, sessionId);
			if (!position) return fencingTokenOf(undefined);
			const raised = { ...position, fence: position.fence + 1 };
			await positions.put(raised);
			return fencingTokenOf(raised);
		});
	}

	/**
	 * Deletes a message and all that follows it. Returns the trash item that brings it back; the rows go when that is
	 * purged. An unfinished answer to one of these messages goes with them. Throws an AppError for the root, or the first
	 * message, without which nothing would be left, and where the chat is deleted.
	 */
	removeBranch(sessionId: string, messageId: string, now: number, fence: Fence): Promise<string> {
		const { trees, positions, messages, sessions, answers, secondAnswers, trash } = this.db;
		return this.db.transaction('rw', [trees, positions, messages, sessions, answers, secondAnswers, trash], async () => {
			const [tree, known] = await Promise.all([this.require(sessionId), requireFence(this.db, sessionId, fence)]);
			const position = known ?? placedPosition(tree);
			const node = await this.node(tree, messageId);
			if (node.depth === 0) throw new AppError('branch-root', 'This is where the chat begins. Delete the chat instead.');
			const { forkId } = await branchOf(this.db, tree, node);
			const { tree: after, removal } = removeBranch(tree, node, forkId, await this.headBelow(tree, position, node, forkId));
			const [session, row, secondRow] = await Promise.all([sessions.get(sessionId), answers.get(sessionId), secondAnswers.get(sessionId)]);
			if (!session) throw new AppError('session-absent', 'This chat was deleted, so nothing was deleted in it. Restore it, then try again.');
			const unfinished = new Answers(this.db);
			const ifItGoes = async (row: AnswerRow | undefined): Promise<UnfinishedAnswer | undefined> => {
				if (!row || !(await unfinished.canBePlaced(tree, row)) || (await unfinished.canBePlaced(after, row))) return undefined;
				const { sessionId: _, ...answer } = row;
				return answer;
			};
			const [answer, secondAnswer] = await Promise.all([ifItGoes(row), ifItGoes(secondRow)]);
			await Promise.all([
				trees.put(after),
				removal.headId === null ? undefined : positions.put({ ...position, headId: removal.parentId }),
				sessions.put({ ...session, messageCount: session.messageCount - countRemoved(removal) }),
				answer && answers.delete(sessionId),
				secondAnswer && secondAnswers.delete(sessionId),
				trash.put({
					id: messageId,
					kind: 'branch',
					sessionId,
					at: now,
					purgeAt: now + undoMilliseconds,
					removal,
					...(answer && { answer }),
					...(secondAnswer && { secondAnswer })
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

	/** Returns the head, where the node, of the branch `forkId`, is on the path to it, or else null. */
	private async headBelow(tree: Tree, position: Position, node: Place, forkId: string | null): Promise<string | null> {
		const head = await headOf(this.db, tree, position);
		const chain = chainTo(tree, (await branchOf(this.db, tree, head)).forkId, head.depth);
		const isOnPath = chain.some(({ tip, from, to }) => tip.forkId === forkId && from <= node.depth && node.depth <= to);
		return isOnPath ? head.id : null;
	}

	private change(sessionId: string, fence: Fence, edit: (tree: Tree) => Promise<Tree>): Promise<void> {
		const { trees, positions, messages } = this.db;
		return this.db.transaction('rw', trees, positions, messages, async () => {
			const [tree] = await Promise.all([this.require(sessionId), requireFence(this.db, sessionId, fence)]);
			await trees.put(await edit(tree));
		});
	}

	private moveTo(sessionId: string, fence: Fence, headIn: (tree: Tree) => Promise<string>): Promise<void> {
		const { trees, positions, messages, secondAnswers } = this.db;
		return this.db.transaction('rw', trees, positions, messages, secondAnswers, async () => {
			const [tree, position, second] = await Promise.all([this.require(sessionId), requireFence(this.db, sessionId, fence), secondAnswers.get(sessionId)]);
			await positions.put({ ...(position ?? placedPosition(tree)), headId: await headIn(tree) });
			if (second && isPlaced(second)) await secondAnswers.delete(sessionId);
		});
	}

	private async require(sessionId: string): Promise<Tree> {
		const tree = await this.db.trees.get(sessionId);
		if (!tree) throw new AppError('session-absent', `There is no chat ${sessionId} in this browser.`);
		return tree;
	}

	private async node(tree: Tree, id: string): Promise<Message> {
		const node = await this.db.messages.where('id').equals(id).first();
		if (node?.sessionId === tree.sessionId && !(await isRemoved(this.db, tree, node))) return node;
		throw new AppError('message-absent', `There is no message ${id} in this chat.`);
	}
}
