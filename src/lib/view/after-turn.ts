import type { Tree } from '../conversation/tree';
import type { RunningTurn } from './turns.svelte';

/** Things read of a chat, as far as they decide what becomes of its turn. */
interface Read {
	messages: readonly { id: string }[];
	tree: Pick<Tree, 'tips' | 'removed'> | undefined;
	/** True if that is the path to where the session is, up to its end. */
	isWhole: boolean;
	/** True if both answers stand side by side in the place of the first. */
	isPaired: boolean;
}

/** Outcome of a turn: it stays, it is over, only its first answer is left of it, or it is over and the chat goes on from the second. */
export type AfterTurn = 'stays' | 'over' | 'first-alone' | 'on-from-second';

/** Returns what becomes of a turn by what is read of its chat: two answers stay side by side until the user goes on with one of them, or deletes one. */
export function afterTurn(turn: Pick<RunningTurn, 'busy' | 'phase' | 'stored' | 'messageId' | 'parentId' | 'beside'>, { messages, tree, isWhole, isPaired }: Read): AfterTurn {
	const { beside, messageId, parentId, phase } = turn;
	const isHere = (id: string | undefined) => id !== undefined && messages.some((message) => message.id === id);
	const isTip = (id: string | undefined) => tree?.tips.some((tip) => tip.id === id) === true;
	const isDeleted = (id: string | undefined) => id !== undefined && tree?.removed.includes(id) === true;
	if (turn.busy) return 'stays';
	if (!beside) return phase === 'done' && (!turn.stored || isHere(messageId)) ? 'over' : 'stays';
	if (isDeleted(beside.messageId)) return 'first-alone';
	const end = isWhole ? messages.at(-1)?.id : undefined;
	if (end !== undefined && end === parentId) {
		if (isDeleted(messageId)) return isTip(beside.messageId) ? 'on-from-second' : 'over';
		if (isTip(messageId)) return 'over';
	} else if (end !== undefined && end !== messageId && phase === 'done') return 'over';
	return !isPaired && isHere(beside.messageId) ? 'first-alone' : 'stays';
}
