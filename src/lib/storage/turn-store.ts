import type { Message } from '../conversation/message';
import type { Status } from '../conversation/session';
import type { NewMessage } from './append';
import { append } from './append';
import type { Database } from './database';
import type { UnfinishedAnswer } from './drafts';
import { Drafts } from './drafts';
import { Messages } from './messages';
import { Sessions } from './sessions';
import { explainStorageFailure } from './storage-failure';

/** What a turn reads and writes. Failures that a person can meet are AppErrors (`explainStorageFailure`). */
export class TurnStore {
	constructor(private readonly db: Database) {}

	path(sessionId: string): Promise<Message[]> {
		return explained(new Messages(this.db).path(sessionId));
	}

	journal(sessionId: string, answer: UnfinishedAnswer): Promise<void> {
		return explained(new Drafts(this.db).setAnswer(sessionId, answer));
	}

	/** The answer becomes history, its draft goes, and the session says how the turn ended: one transaction. */
	async answer(sessionId: string, parentId: string, message: NewMessage, status: Status, stopReason: string): Promise<Message> {
		const changes = { status, stopReason, ...(message.model ? { model: message.model } : {}) };
		const rows = await explained(
			append(this.db, { session: sessionId, parentId, messages: [message], changes, settlesAnswer: true })
		);
		return rows[0]!;
	}

	/** The turn ended without a message. */
	end(sessionId: string, status: Status, stopReason: string): Promise<void> {
		return explained(new Sessions(this.db).update(sessionId, { status, stopReason }));
	}
}

async function explained<T>(work: PromiseLike<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		throw explainStorageFailure(error);
	}
}
