import type { Conversation } from '$lib/view/conversation.svelte';
import type { textOfSession } from '$lib/view/session-text.svelte';
import type { Writing } from '$lib/view/writing.svelte';

declare global {
	namespace App {
		interface PageData {
			/** Means to read and write a session; the page of a session brings them. */
			session?: { Conversation: typeof Conversation; Writing: typeof Writing; textOfSession: typeof textOfSession };
		}
	}
}
