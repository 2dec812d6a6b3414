import type { Message } from '../conversation/message';
import { afterTurn } from './after-turn';
import { leaveSecond, stepTo } from './branches';
import type { Conversation } from './conversation.svelte';
import { settle, type RunningTurn } from './turns.svelte';

/** The messages of a conversation with the turn of its session, as far as that belongs to what is shown of it. */
export class ShownTurn {
	/** The turn's last answer, whose calls may be running. */
	private step = $state.raw<{ turn: RunningTurn; id: string }>();

	readonly last = $derived.by(() => this.conversation().messages.at(-1));
	private readonly unfinished = $derived.by(() => {
		const { unfinished } = this.conversation();
		return unfinished?.parentId === this.last?.id ? unfinished : undefined;
	});
	readonly stepId = $derived.by(() => {
		const running = this.running();
		return running?.messageId ?? (this.step?.turn === running ? this.step?.id : undefined);
	});
	/** True if that is the end, with the results of its calls. */
	private readonly endsInTurn = $derived.by(() => this.stepId !== undefined && this.conversation().messages.findLast(({ role }) => role !== 'tool')?.id === this.stepId);

	/**
	 * Tells whether the turn answers once more what is answered above: what is there stays until the answer has its first word, with
	 * which the session moves to it.
	 */
	readonly isAnother = $derived.by(() => {
		const [conversation, running] = [this.conversation(), this.running()];
		if (!running || this.endsInTurn || running.parentId === this.last?.id || conversation.at !== undefined) return false;
		// One that could not be written down has not moved the session either.
		const isWritten = conversation.unfinished?.messageId === running.messageId;
		return (running.live || !running.begun || !isWritten) && conversation.messages.some(({ id }) => id === running.parentId);
	});

	/** The answer that another is asked for: what becomes of that stands below it. */
	readonly again = $derived.by(() => (this.isAnother ? this.conversation().messages.find(({ parentId }) => parentId === this.running()?.parentId)?.id : undefined));

	/** The turn, if it answers the message that is the last one here, or is another try: the user may have stepped to another branch. */
	readonly turn = $derived.by(() => {
		const [conversation, running] = [this.conversation(), this.running()];
		if (!running || !conversation.reachesEnd) return undefined;
		// What is looked at up to its question has no answer.
		const isLeftOut = conversation.at !== undefined && running.stored && !running.busy;
		return this.isAnother || this.endsInTurn || (running.parentId === this.last?.id && !isLeftOut) ? running : undefined;
	});

	/** The answer that is not a row yet: a running turn's, or what was journalled of one that ended badly or elsewhere. */
	readonly growing = $derived.by((): Message | undefined => {
		const { id, messages } = this.conversation();
		const { last, turn } = this;
		const answer = turn?.begun && !this.isAnother ? turn.answer : this.unfinished;
		if (!answer || answer.parts.length === 0 || !last || messages.some((message) => message.id === answer.messageId)) return undefined;
		return { id: answer.messageId, sessionId: id, parentId: last.id, depth: last.depth + 1, role: 'assistant', parts: answer.parts, createdAt: 0 };
	});
	readonly shown = $derived.by(() => (this.growing ? [...this.conversation().messages, this.growing] : this.conversation().messages));
	/** True while a turn goes on at the end of what is shown, in this tab or in another. */
	readonly isAnswering = $derived.by(() => {
		if (this.running()) return this.turn?.live === true && !this.isAnother;
		const { session, cutOff } = this.conversation();
		return session?.status === 'running' && !cutOff;
	});
	readonly isWhole = $derived.by(() => this.conversation().at === undefined && this.conversation().reachesEnd);

	/** The answer beside which there is that of a second model. */
	readonly paired = $derived.by(() => {
		const { turn } = this;
		return turn?.beside && this.shown.some(({ id }) => id === turn.messageId) ? turn.messageId : undefined;
	});
	/** True where the first of two answers is as it will be: whole, or at calls that wait for the user. */
	readonly isFirstRead = $derived.by(() => {
		const { turn } = this;
		return turn?.phase === 'done' && turn.beside && !turn.busy && (this.paired !== undefined || this.last?.id === turn.parentId);
	});

	/** `running` returns the turn of the session in this tab. */
	constructor(
		private readonly conversation: () => Conversation,
		private readonly running: () => RunningTurn | undefined
	) {}

	/** For an effect before what is drawn: remembers the answer that the turn has by now, which it does not know while it waits for the next. */
	noteStep(): void {
		const turn = this.running();
		if (turn?.messageId !== undefined) this.step = { turn, id: turn.messageId };
	}

	/** For an effect: does what becomes of the turn once its answer has been read. */
	follow(): void {
		const [conversation, running] = [this.conversation(), this.running()];
		if (!running) return;
		const second = running.beside?.messageId;
		const after = afterTurn(running, { messages: conversation.messages, tree: conversation.tree, isWhole: this.isWhole, isPaired: this.paired !== undefined });
		if (after === 'first-alone') leaveSecond(conversation.id, running);
		else if (after !== 'stays') settle(conversation.id);
		if (after === 'on-from-second') void stepTo(conversation, second!);
	}
}
