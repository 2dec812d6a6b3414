import { filesOf, type Message } from '../conversation/message';
import type { Store } from './tables';
import type { Attachment } from './tables/attachments';

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
}

/** Sums the sizes of the files of these messages, in bytes. Part of the running transaction. */
export async function fileBytesOf(db: Store, messages: Pick<Message, 'parts'>[]): Promise<number> {
	const ids = messages.flatMap((message) => filesOf(message).map(({ attachmentId }) => attachmentId));
	if (ids.length === 0) return 0;
	const found = await new Attachments(db).getMany([...new Set(ids)]);
	return ids.reduce((sum, id) => sum + (found.get(id)?.bytes ?? 0), 0);
}
