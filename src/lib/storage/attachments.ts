import { filesOf, type Message } from '../conversation/message';
import type { Store } from './tables';
import type { Attachment } from './tables/attachments';

/** Time after which an attachment in a composer counts as left behind, in milliseconds. */
const grace = 86_400_000;

export class Attachments {
	constructor(private readonly db: Store) {}

	get(id: string): Promise<Attachment | undefined> {
		return this.db.attachments.get(id);
	}

	/** Those that are there, by id. */
	async getMany(ids: string[]): Promise<Map<string, Attachment>> {
		const found = (await this.db.attachments.bulkGet(ids)).filter((attachment) => attachment !== undefined);
		return new Map(found.map((attachment) => [attachment.id, attachment]));
	}

	/** Keeps an attachment, unless its content is there already; then its time starts over, so that it is not swept. */
	async put(attachment: Attachment): Promise<void> {
		const { attachments, deletions } = this.db;
		await this.db.transaction('rw', attachments, deletions, async () => {
			const known = await attachments.get(attachment.id);
			await attachments.put(known ? { ...known, createdAt: attachment.createdAt } : attachment);
			if (!known) await deletions.delete(attachment.id);
		});
	}

	/**
	 * Removes what no message, no draft and nothing in the trash uses, what no tab has in a new chat (`held`), and what has not been
	 * attached within a day, since a tab that is closed may come back. Returns how many are gone.
	 */
	async sweep(now: number, held: string[] = []): Promise<number> {
		const { attachments, attachmentUses, drafts, trash, deletions } = this.db;
		return this.db.transaction('rw', [attachments, attachmentUses, drafts, trash, deletions], async () => {
			const kept = new Set(held);
			await attachmentUses.orderBy(':id').eachPrimaryKey(([id]) => void kept.add(id));
			for (const { attachments } of await drafts.toArray()) for (const { attachmentId } of attachments ?? []) kept.add(attachmentId);
			for (const item of await trash.toArray()) {
				if (item.kind !== 'redaction') continue;
				for (const part of item.message.parts) if (part.type === 'file') kept.add(part.attachmentId);
			}
			const gone = (await attachments.toCollection().primaryKeys()).filter((id) => !kept.has(id));
			const old = (await attachments.bulkGet(gone)).filter((row) => row && row.createdAt < now - grace).map((row) => row!.id);
			await attachments.bulkDelete(old);
			await deletions.bulkPut(old.map((id) => ({ kind: 'attachment', id, at: now })));
			return old.length;
		});
	}
}

/** Sums the sizes of the files of these messages, in bytes. Part of the running transaction. */
export async function fileBytesOf(db: Store, messages: Pick<Message, 'parts'>[]): Promise<number> {
	const ids = messages.flatMap((message) => filesOf(message).map(({ attachmentId }) => attachmentId));
	if (ids.length === 0) return 0;
	const found = await new Attachments(db).getMany([...new Set(ids)]);
	return ids.reduce((sum, id) => sum + (found.get(id)?.bytes ?? 0), 0);
}
