import { askedCalls, readCalls, type AskedCall, type CallsToDecide, type KnownOfCalls } from '../app/approvals';
import { tools } from '../app/tools';
import type { ToolCall } from '../conversation/open-calls';
import type { AppError } from '../shared/app-error';
import type { CallState, Decision } from '../storage/tables/checkpoints';
import { permissionFor } from '../tools/approvals';
import { Live } from './live.svelte';
import { keepInTab, nameInSession } from './tab-text';
import { openTurns } from './turns.svelte';

/** The reach of a permission: this call, all calls of its tool, or of the scope that it names, in this chat, or in any chat. */
export type Reach = 'once' | 'chat' | 'always';

/** The calls of an answer about which the user is to be asked. */
export class Approvals {
	private readonly live: Live<KnownOfCalls, CallsToDecide>;

	constructor(
		private readonly sessionId: string,
		private readonly answerId: string,
		private readonly calls: () => readonly ToolCall[]
	) {
		this.live = new Live(
			() => readCalls(sessionId, answerId),
			(known) => askedCalls(sessionId, calls(), known)
		);
	}

	/** Undefined while loading; none where that failed, so that the turn can be resumed. */
	get asked(): readonly AskedCall[] | undefined {
		return this.live.failure ? [] : this.live.current?.asked;
	}

	/** Decisions about others while these are asked about, by the ids of the calls. */
	get decided(): ReadonlyMap<string, Decision> | undefined {
		return this.live.current?.decided;
	}

	/** The reason why it can't be told about which calls the user is to be asked. */
	get failure(): AppError | undefined {
		return this.live.failure;
	}

	/** Allows a call as it was shown; the model is given `word` where it asks for an answer. Resolves with true where the turn can go on. */
	async allow({ call, preview, seen }: AskedCall, reach: Reach, word?: string): Promise<boolean> {
		await this.decide(call, { decided: 'allowed', seen, ...(word === undefined ? {} : { word }) });
		if (reach !== 'once') await tools.allow(permissionFor(call.toolName, preview.scope), true, reach === 'chat' ? this.sessionId : undefined);
		return this.isReady();
	}

	/** Decides against a call; `word` says to the model why. Resolves as `allow` does. */
	async deny({ call }: AskedCall, word?: string): Promise<boolean> {
		await this.decide(call, { decided: 'denied', ...(word ? { word } : {}) });
		return this.isReady();
	}

	/** Names what the tab keeps of the words to the model until there is a decision. */
	wordOf({ call }: Pick<AskedCall, 'call'>): string {
		return `${nameInSession(this.sessionId, 'word')}:${this.answerId}:${call.toolCallId}`;
	}

	private async decide(call: ToolCall, decision: Pick<CallState, 'decided' | 'seen' | 'word'>): Promise<void> {
		await (await openTurns()).decide(this.sessionId, { answerId: this.answerId, toolCallId: call.toolCallId, ...decision });
		keepInTab(this.wordOf({ call }), undefined);
	}

	private async isReady(): Promise<boolean> {
		const { sessionId, answerId, calls } = this;
		return (await askedCalls(sessionId, calls(), await readCalls(sessionId, answerId))).asked.length === 0;
	}
}
