import type { Outgoing } from '../engine/turns/outgoing-messages';
import { newId } from '../shared/id';
import { editAnswer } from '../storage/edit-answer';
import { Messages } from '../storage/messages';
import { redact } from '../storage/redact';
import { Trees } from '../storage/trees';
import { clock, db } from './environment';
import { writers } from './writers';

const trees = new Trees(db);

/** The tree of a session: its nodes, to be read, and commands, each of which throws an AppError where another tab has the session open. */
export const branches = {
	/** To be read; what changes a tree is below. */
	trees: trees as Pick<Trees, 'get' | 'tipThrough'>,
	moveHead: (sessionId: string, messageId: string) => writers.asWriter(sessionId, (fence) => trees.moveHead(sessionId, messageId, fence)),
	stepTo: (sessionId: string, messageId: string) => writers.asWriter(sessionId, (fence) => trees.stepTo(sessionId, messageId, fence)),
	label: (sessionId: string, messageId: string, label: string) =>
		writers.asWriter(sessionId, (fence) => trees.label(sessionId, messageId, label, fence)),
	setMain: (sessionId: string, tipId: string | null) => writers.asWriter(sessionId, (fence) => trees.setMain(sessionId, tipId, fence)),
	/** Resolves with the id of what `trash.restore` brings back. */
	removeBranch: (sessionId: string, messageId: string) =>
		writers.asWriter(sessionId, (fence) => trees.removeBranch(sessionId, messageId, clock(), fence)),
	/** As `editAnswer` of storage/; resolves with the id of the new version. */
	editAnswer: (sessionId: string, answerId: string, { id = newId(), text, unsent }: Outgoing) =>
		writers.asWriter(sessionId, (fence) => editAnswer(db, sessionId, answerId, { id, text, createdAt: clock(), ...(unsent ? { unsent } : {}) }, fence)),
	redact: (sessionId: string, messageId: string) =>
		writers.asWriter(sessionId, async (fence) => {
			// The fence is this session's.
			await new Messages(db).require(sessionId, messageId);
			return redact(db, messageId, clock(), fence);
		}),

	/** The message that a node such as `n3`, a label or an id names, to go on from [Z9]. */
	findNode: async (sessionId: string, text: string) => (await import('../storage/outline')).resolveNode(db, sessionId, text),
	/** The tree as nodes, to be drawn or printed. Loaded beforehand, so that a live query can follow `read`. */
	openOutline: async () => {
		const { outline } = await import('../storage/outline');
		return { read: (sessionId: string, opened?: [from: number, to: number][]) => outline(db, sessionId, opened) };
	}
};
