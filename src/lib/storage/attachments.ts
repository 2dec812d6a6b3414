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

	/** Keeps what the user attaches. One whose content is there already takes its place, with its own text and thumbnail: those of a file that was restored are as that file says. */
	async put(attachment: Attachment): Promise<void> {
		const { attachments, deletions } = this.db;
		await this.db.transaction('rw', attachments, deletions, async () => {
			await attachments.put(attachment);
			await deletions.delete(attachment.id);
		});
	}

	/** Keeps the file of a result, unless its content is there already, as the user may have attached it; then its time starts over, so that it is not swept. Part of the running transaction. */
	async keep(attachment: Attachment): Promise<void> {
		const known = await this.db.attachments.get(attachment.id);
		await this.put(known ? { ...known, createdAt: attachment.createdAt } : attachment);
	}
}

/** Sums the sizes of the files of these messages, in bytes. Part of the running transaction. */
export async function fileBytesOf(db: Store, messages: Pick<Message, 'parts'>[]): Promise<number> {
	const ids = messages.flatMap((message) => filesOf(message).map(({ attachmentId }) => attachmentId));
	if (ids.length === 0) return 0;
	const found = await new Attachments(db).getMany([...new Set(ids)]);
	return ids.reduce((sum, id) => sum + (found.get(id)?.bytes ?? 0), 0);
}
