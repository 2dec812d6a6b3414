import { notices, notify } from './notices.svelte';

/** Offers something in a notice, and resolves when that has gone: with true where it was taken, with false where it was dismissed. */
export function isTaken(text: string, label: string): Promise<boolean> {
	return new Promise((resolve) => {
		notify({ text, action: { label, run: () => resolve(true) } });
		const shown = notices.at(-1)!;
		const stop = $effect.root(() => {
			$effect(() => {
				if (notices.includes(shown)) return;
				resolve(false);
				queueMicrotask(() => stop());
			});
		});
	});
}
