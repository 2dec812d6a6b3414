import { app } from '../app';
import { forgetParsed } from './parsed-texts';

/** Removes for good what was deleted and can't be brought back any more, also from what this page remembers. */
export async function purge(): Promise<void> {
	await (await app.openConversations()).purge();
	forgetParsed();
}
