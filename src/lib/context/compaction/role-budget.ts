import type { Message } from '../../conversation/message';
import { shortenStart } from '../../shared/shorten';
import { maxKept, Newest } from './newest';
import { speakerOf } from './said';
import type { CompactionStrategy } from './strategy';
import { withoutTag } from './tag';
import { contentOf } from './transcript';

/** The roles with their shares of a summary [Z6]: what one does not need goes to the others, in this order. */
const shares = [
	{ role: 'assistant', share: 0.55 },
	{ role: 'user', share: 0.3 },
	{ role: 'tool', share: 0.15 }
] as const;

type SharingRole = (typeof shares)[number]['role'];

/** A message. Its size has the empty line after it. */
interface Entry {
	/** Index of the message, from 0. */
	message: number;
	label: string;
	content: string;
	size: number;
}

const separator = '\n\n';

/** Of a message that does not fit, so much must remain that it is worth its line. */
const minRestLength = 40;

/** Keeps what was said last by each role, whole, within the role's share; the oldest of it may have lost its start [Z6]. */
export function roleBudget(): CompactionStrategy {
	const newest: Record<SharingRole, Newest<Entry>> = { assistant: new Newest(), user: new Newest(), tool: new Newest() };
	let count = 0;

	return {
		add(message) {
			const entry = entryOf(message, count++);
			if (entry && message.role !== 'system') newest[message.role].push(entry);
		},

		text(maxCharacters) {
			const roles = shares.map(({ role, share }) => ({ entries: newest[role].list(), room: Math.floor(maxCharacters * share) }));
			shareOut(roles);
			const kept = roles.flatMap(({ entries, room }) => newestOf(entries, room));
			const texts = kept.sort((a, b) => a.message - b.message).map(({ label, content }) => label + content);
			return withoutTag(texts.join(separator));
		}
	};
}

/** Undefined where the message says nothing. */
function entryOf(message: Message, number: number): Entry | undefined {
	const content = shortenStart(contentOf(message, maxKept / 2), maxKept / 2);
	const label = `${speakerOf(message)}: `;
	return content === '' ? undefined : { message: number, label, content, size: label.length + content.length + separator.length };
}

/** Gives the room that a role does not need to the first of those that do. */
function shareOut(roles: { entries: Entry[]; room: number }[]): void {
	let spare = 0;
	const wanted = roles.map(({ entries }) => entries.reduce((sum, { size }) => sum + size, 0));
	for (const [index, role] of roles.entries()) {
		const left = Math.max(0, role.room - wanted[index]!);
		role.room -= left;
		spare += left;
	}
	for (const [index, role] of roles.entries()) {
		const more = Math.min(spare, Math.max(0, wanted[index]! - role.room));
		role.room += more;
		spare -= more;
	}
}

/** The newest entries within `room`, the oldest of them without its start if it does not fit whole. */
function newestOf(entries: Entry[], room: number): Entry[] {
	let from = entries.length;
	let left = room;
	while (from > 0 && entries[from - 1]!.size <= left) left -= entries[--from]!.size;
	const kept = entries.slice(from);
	const next = entries[from - 1];
	const rest = next && left - next.label.length - separator.length;
	if (rest === undefined || rest <= minRestLength) return kept;
	return [{ ...next!, content: shortenStart(next!.content, rest) }, ...kept];
}
