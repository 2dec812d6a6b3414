import { createSubscriber } from 'svelte/reactivity';
import { on } from 'svelte/events';

/** The message that is read aloud, or is about to be; there is at most one. */
export const aloud = $state<{ messageId: string | undefined }>({ messageId: undefined });

const speech = globalThis.speechSynthesis as SpeechSynthesis | undefined;

const followVoices = createSubscriber((update) => on(speech!, 'voiceschanged', update));

/** Returns the voices that the browser has, none where it can't speak. It finds them some time after it was first asked. */
export function voices(): SpeechSynthesisVoice[] {
	if (!speech) return [];
	followVoices();
	return speech.getVoices();
}
