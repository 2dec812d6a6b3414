import type { Conversation } from '$lib/view/conversation.svelte';
import type { Writing } from '$lib/view/writing.svelte';

declare global {
	namespace App {
		interface PageData {
			/** What reads and writes a session; the page of a session brings it. */
			session?: { Conversation: typeof Conversation; Writing: typeof Writing };
		}
	}
}
