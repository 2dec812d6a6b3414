import { Conversation } from '$lib/view/conversation.svelte';
import { textOfSession } from '$lib/view/session-text.svelte';
import { Writing } from '$lib/view/writing.svelte';

// Not known when the app is built: hosts answer it with the shell.
export const prerender = false;

// One object, so that the screen stays what it is when another session is opened.
const session = { Conversation, Writing, textOfSession };

/** Brings what only a session needs: a new chat is drawn without it. */
export const load = () => ({ session });
