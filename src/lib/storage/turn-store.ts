import { filesOf, textOf, type Message } from '../conversation/message';
import type { Status } from '../conversation/session';
import { titleFrom } from '../conversation/title';
import { Answers, type UnfinishedAnswer } from './answers';
import type { NewMessage, SessionChanges } from './append';
import { append } from './append';
import { Attachments, type Attachment } from './attachments';
import { readContext, type ContextRows } from './context-rows';
import type { Database } from './database';
import { requireFence } from './fence';
import { Messages } from './messages';
import { explainStorageFailure } from './storage-failure';

/**
 * What a turn reads and writes, of a session whose fence the turn's tab knows. Failures that a person can meet are
 * AppErrors (`explainStorageFailure`), and so is being behind the fence.
 */
export class TurnStore {
	constructor(
		private readonly db: Database,
		private readonly fence?: number
	) {}

	/** The rows that decide what the model is sent; undefined where there is no such session. */
	context(sessionId: string): Promise<ContextRows | undefined> {
		return explained(readContext(this.db, sessionId));
	}

	/** The files of these messages, by attachment id; one that is not there any more is absent. */
	files(messages: Pick<Message, 'parts'>[]): Promise<Map<string, Attachment>> {
		const ids = messages.flatMap((message) => filesOf(message).map(({ attachmentId }) => attachmentId));
		return ids.length === 0 ? Promise.resolve(new Map()) : explained(new Attachments(this.db).getMany([...new Set(ids)]));
	}

	journal(sessionId: string, answer: UnfinishedAnswer): Promise<void> {
		return explained(new Answers(this.db).set(sessionId, answer, this.fence));
	}

	/**
	 * The answer becomes history, its draft goes, the session says how the turn ended, and is given a title by its first
	 * answer [S2]: one transaction.
	 */
	async answer(sessionId: string, parentId: string, message: NewMessage, status: Status, stopReason: string): Promise<Message> {
		const changes = {
			status,
			stopReason,
			...(message.model ? { model: message.model } : {}),
			...(await this.titleBy(sessionId, parentId))
		};
		const rows = await explained(
			append(this.db, { session: sessionId, parentId, messages: [message], changes, settlesAnswer: true, ...this.fenced() })
		);
		return rows[0]!;
	}

	/** The turn ended without a message, or begins anew; from `headId` on if one is given. An unfinished answer may go. */
	end(
		sessionId: string,
		status: Status,
		stopReason: string,
		{ headId, dropsAnswer = false }: { headId?: string; dropsAnswer?: boolean } = {}
	): Promise<void> {
		const { sessions, trees, answers } = this.db;
		return explained(
			this.db.transaction('rw', sessions, trees, answers, async () => {
				const tree = await trees.get(sessionId);
				requireFence(tree, this.fence);
				await sessions.update(sessionId, { status, stopReason });
				if (tree && headId !== undefined) await trees.put({ ...tree, headId });
				if (dropsAnswer) await new Answers(this.db).remove(sessionId);
			})
		);
	}

	private fenced(): { fence?: number } {
		return this.fence === undefined ? {} : { fence: this.fence };
	}

	private async titleBy(sessionId: string, parentId: string): Promise<Pick<SessionChanges, 'title'>> {
		const session = await explained(this.db.sessions.get(sessionId));
		if (!session || session.title !== '' || session.titledBy === 'person') return {};
		const question = await explained(new Messages(this.db).get(parentId));
		return { title: titleFrom(question ? textOf(question) : '') };
	}
}

async function explained<T>(work: PromiseLike<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		throw explainStorageFailure(error);
	}
}
