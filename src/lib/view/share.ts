import { conversations } from '../app/conversations';
import { reportFailure } from './notices.svelte';

/** Tells whether the browser has a share sheet. */
export const canShare = (): boolean => 'share' in navigator;

/** Offers a text to other apps. */
export function shareText(text: string): Promise<void> {
	return reportFailure(() => share({ text }));
}

/** Offers a session as Markdown to other apps: as a file where they take one, as text elsewhere. */
export function shareSession(sessionId: string): Promise<void> {
	return reportFailure(async () => {
		const file = await conversations.exportSession(sessionId, 'markdown');
		// Browsers take few types of files, and plain text is one of them.
		const files = [new File([file], file.name.replace(/\.md$/, '.txt'), { type: 'text/plain' })];
		await share(navigator.canShare?.({ files }) ? { files } : { text: await file.text() });
	});
}

async function share(data: ShareData): Promise<void> {
	try {
		await navigator.share(data);
	} catch (error) {
		// Whoever closes the sheet has changed their mind.
		if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
	}
}
