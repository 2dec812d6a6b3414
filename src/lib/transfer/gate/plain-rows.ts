import { maxSummary, type Boundary } from '../../conversation/boundary';
import type { UnfinishedAnswer } from '../../conversation/growing-answer';
import type { FilePart, Message, Part } from '../../conversation/message';
import { homeWorkspace, isWorkspaceName, threadKey, type Session } from '../../conversation/session';
import { plainFileName, plainName } from '../../shared/file-name';
import { withoutPiledMarks } from '../../shared/piled-marks';
import { withoutUnseen } from '../../shared/without-unseen';
import { definitions } from '../../storage/definitions';
import type { TrashItem } from '../../storage/tables/trash';
import { cut, maxCompactions, maxFiles, maxFilesLength, maxIds, maxNameLength, maxSurface } from './limits';

/** The row with those ids only, in the fields that list ids of messages, that messages have, each once: whatever reads it looks for all of them. */
export function namingOnly<R extends object>(messages: ReadonlyMap<string, Message>, table: string, row: R): R {
	const { messageIds = [] } = definitions.get(table)!;
	const lists = messageIds.map((field) => [field, [...new Set((row as Record<string, string[]>)[field])].filter((id) => messages.has(id))]);
	return { ...row, ...Object.fromEntries(lists) };
}

/** The messages that a compaction covers and does not tell, at most one at each depth: a path has no more. */
function coveredOf({ excluded, depth: end }: Pick<Boundary, 'excluded' | 'depth'>, messages: ReadonlyMap<string, Message>): string[] {
	const depths = new Set<number>();
	return excluded.filter((id) => {
		const depth = messages.get(id)?.depth ?? Infinity;
		return depth <= end && !depths.has(depth) && depths.add(depth);
	});
}

export type TimeField = 'createdAt' | 'updatedAt' | 'startedAt' | 'redactedAt' | 'at';

/** The row with none of its times after `now`. */
export function notAfter<R extends Partial<Record<TimeField, number>>>(now: number, row: R): R {
	const late = Object.entries(row).filter(([field, value]) => timeFields.has(field) && (value as number) > now);
	return late.length === 0 ? row : { ...row, ...Object.fromEntries(late.map(([field]) => [field, now])) };
}

const timeFields: ReadonlySet<string> = new Set<TimeField>(['createdAt', 'updatedAt', 'startedAt', 'redactedAt', 'at']);

/** The row with a system prompt of which all can be seen, if it has one: it is sent without having been shown. */
export function plainPrompt<R extends object>(row: R): R {
	return 'systemPrompt' in row && typeof row.systemPrompt === 'string' ? { ...row, systemPrompt: withoutUnseen(row.systemPrompt) } : row;
}

/**
 * The row without what only the user of this browser says: what a model may do unasked, and in a chat also what it may call. A persona keeps its
 * tools, since it counts for nothing until the user puts it into a chat; which persona that was, a chat's next message does not say.
 */
export function withoutPermissions<R extends object>(table: string, row: R): R {
	const { allowedTools: _, ...rest } = row as R & { allowedTools?: unknown };
	if (table !== 'sessionSettings') return rest as unknown as R;
	const { tools: _tools, nextPersona: _persona, ...others } = rest as { tools?: unknown; nextPersona?: unknown };
	return others as unknown as R;
}

/** The parts of a system prompt of which all can be seen. */
export function plainPromptParts(parts: readonly Part[]): Part[] {
	return parts.map((part) => (part.type === 'text' ? { ...part, text: withoutUnseen(part.text) } : part));
}

/** A message with none of its times after `now`, a system prompt of which all can be seen, and a model, files and tools with names that can stand in a line. */
export function plainMessage(now: number, message: Message): Message {
	const model = message.model === undefined ? {} : { model: plainName(message.model) };
	const persona = message.persona === undefined ? {} : { persona: plainName(message.persona) };
	const parts = message.parts.map((part) => plainPart(part.type === 'redacted' ? notAfter(now, part) : part.type === 'file' ? plainFile(part) : part));
	return { ...notAfter(now, message), ...model, ...persona, parts: message.role === 'system' ? plainPromptParts(parts) : parts };
}

export function plainAnswer<A extends UnfinishedAnswer>(answer: A): A {
	return { ...answer, model: plainName(answer.model), parts: answer.parts.map(plainPart) };
}

/** A part without its signature, which its provider alone can make. */
export function plainPart<P extends Part>(part: P): P {
	if ('signature' in part) {
		const { signature: _, ...unsigned } = part;
		return plainPart(unsigned as P);
	}
	return part.type === 'tool-call' || part.type === 'tool-result' ? { ...part, toolName: plainName(part.toolName) } : part;
}

export function plainFile(part: FilePart): FilePart {
	return { ...part, name: plainFileName(part.name) };
}

/** The newest compactions, as many as there can be, also of the ids that they leave out together: ids are in the order of time. */
export function newestOf(boundaries: Boundary[]): Boundary[] {
	let room = maxIds;
	const newest = boundaries.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, maxCompactions);
	return newest.filter(({ excluded }) => (room -= excluded.length) >= 0).reverse();
}

/** A compaction that is not of after `now`, with a summary of which all can be seen, and no more unverified values than a summary has room for: each is a piece of it. */
export function plainBoundary(now: number, boundary: Boundary, messages: ReadonlyMap<string, Message>): Boundary {
	let room = maxSummary;
	// Snug says its note as its own.
	const { note: _, ...kept } = notAfter(now, boundary);
	return { ...kept, excluded: coveredOf(kept, messages), summary: withoutPiledMarks(withoutUnseen(kept.summary)), unverified: boundary.unverified.filter(({ length }) => (room -= length + 1) >= 0) };
}

export function trashUntil(now: number, item: TrashItem, messages: ReadonlyMap<string, Message>): TrashItem {
	const own = notAfter(now, item);
	if (own.kind === 'session') return { ...own, session: plainSession(now, own.session) };
	if (own.kind === 'branch') {
		const { answer, secondAnswer } = own;
		const plain = (unfinished: UnfinishedAnswer) => plainAnswer(notAfter(now, unfinished));
		return { ...own, ...(answer && { answer: plain(answer) }), ...(secondAnswer && { secondAnswer: plain(secondAnswer) }) };
	}
	const { message, boundaries } = own;
	return {
		...own,
		message: plainMessage(now, message),
		...(boundaries ? { boundaries: newestOf(boundaries).map((boundary) => plainBoundary(now, boundary, messages)) } : {})
	};
}

/**
 * A session's row that is not of after `now`, with names that can be shown, and a key that is its own: another's would make it the thread of
 * that workspace.
 */
export function plainSession(now: number, { stopCode: _, ...session }: Session): Session {
	const workspace = isWorkspaceName(session.workspace) ? session.workspace : homeWorkspace;
	const isOther = session.key.length > maxNameLength || (/^web:[^:]*$/.test(session.key) && session.key !== threadKey(workspace));
	return {
		...notAfter(now, session),
		workspace,
		key: isOther ? `${threadKey(workspace)}:${session.createdAt}` : session.key,
		title: cut(session.title),
		preview: cut(session.preview),
		surface: cut(plainName(session.surface), maxSurface),
		provider: cut(plainName(session.provider)),
		model: cut(plainName(session.model)),
		filesTouched: firstFiles(session.filesTouched),
		// Snug says it as its own.
		stopReason: '',
		...(session.persona === undefined ? {} : { persona: cut(plainName(session.persona)) }),
		...(session.extra?.alias === undefined ? {} : { extra: { ...session.extra, alias: cut(session.extra.alias) } })
	};
}

/** The first files that were touched, each once: every list of chats reads all of them. */
function firstFiles(names: string[]): string[] {
	let room = maxFilesLength;
	return [...new Set(names)].slice(0, maxFiles).filter(({ length }) => (room -= length + 1) >= 0);
}
