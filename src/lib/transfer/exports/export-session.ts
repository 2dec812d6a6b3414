import type { Message } from '../../conversation/message';
import { AppError } from '../../shared/app-error';
import { createPause } from '../../shared/pause';
import { Answers } from '../../storage/answers';
import { messageOf } from '../../storage/append';
import type { Database } from '../../storage/database';
import { Messages } from '../../storage/messages';
import { Scratchpad } from '../../storage/scratchpad';
import type { ExportedSession } from './format';
import { exportFormats, type ExportId } from './registry';

/** Writes a session as a file [A13]: `session-<id>.<extension>`. Throws AppErrors `export-format` and `session-absent`. */
export async function exportSession(db: Database, id: string, format: ExportId = 'markdown'): Promise<File> {
	const entry = exportFormats.find((known) => known.id === format);
	if (!entry) {
		const known = exportFormats.map((known) => `“${known.id}”`).join(', ');
		throw new AppError('export-format', `There is no export format “${String(format)}”. Use ${known}.`);
	}
	const [{ write, mediaType, extension }, exported] = await Promise.all([entry.load(), readExported(db, id)]);
	// An id from elsewhere may hold what no name of a file may.
	const name = `session-${exported.session.id.replace(/[^\w.-]/g, '_')}.${extension}`;
	const pieces: (string | Uint8Array<ArrayBuffer>)[] = [];
	const pause = createPause();
	for (const piece of write(exported)) {
		pieces.push(piece);
		await pause();
	}
	return new File(pieces, name, { type: mediaType });
}

/** Reads a session with the part that there is of each answer that is not whole, of a second model too, as the message that it will be. */
async function readExported(db: Database, id: string): Promise<ExportedSession> {
	const messages = new Messages(db);
	const [session, head, all, tree, notes, ...answers] = await Promise.all([
		db.sessions.get(id),
		messages.headOf(id),
		messages.all(id),
		db.trees.get(id),
		new Scratchpad(db).list(id),
		new Answers(db).get(id),
		db.secondAnswers.get(id)
	]);
	if (!session || !head) throw new AppError('session-absent', `There is no chat ${id} in this browser.`);
	const parts = answers.flatMap((answer) => {
		const parent = answer && all.find((message) => message.id === answer.parentId);
		const isMessage = answer && all.some((message) => message.id === answer.messageId);
		if (!parent || isMessage) return [];
		return [{ ...messageOf(answer, answer.startedAt), sessionId: id, parentId: parent.id, depth: parent.depth + 1 } satisfies Message];
	});
	const last = parts.find(({ parentId }) => parentId === head.id) ?? head;
	return { session, messages: [...all, ...parts], headId: last.id, labels: new Map(Object.entries(tree?.labels ?? {})), notes };
}
