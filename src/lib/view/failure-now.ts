import { createSubscriber } from 'svelte/reactivity';
import { on } from 'svelte/events';
import { AppError } from '../shared/app-error';

/** Has what reads it read again when the network comes or goes. */
const followNetwork = createSubscriber((update) => {
	const ends = ['online', 'offline'].map((name) => on(window, name, update));
	return () => ends.forEach((end) => end());
});

/** Returns the sentence of a failure as it is now: one that had no network says that it has none only while that is so. */
export function sentenceNow(code: string | undefined, sentence: string): string {
	if (code !== 'offline') return sentence;
	followNetwork();
	return navigator.onLine ? 'You were offline. You are connected again.' : sentence;
}

/** Returns a failure with its sentence as it is now. */
export function failureNow(failure: AppError): AppError {
	const sentence = sentenceNow(failure.code, failure.message);
	return sentence === failure.message ? failure : new AppError(failure.code, sentence, { retryable: failure.retryable });
}
