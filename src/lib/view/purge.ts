import { app } from '../app';
import { forgetLeftOf, sessionsLeft } from '../storage/left-of-sessions';
import { forgetParsed } from './parsed-texts';

/** Removes for good what was deleted and can't be brought back any more, also from what this page remembers. */
export async function purge(): Promise<void> {
	const conversations = await app.openConversations();
	await conversations.purge();
	forgetParsed();
	for (const id of sessionsLeft()) if (await conversations.drafts.isGone(id)) forgetLeftOf(id);
}
