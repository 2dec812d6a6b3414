import { dev } from '$app/environment';
import { app } from '../app';
import { scripting } from '../scripting';
import { AppError } from '../shared/app-error';
import { explainStorageFailure } from '../storage/storage-failure';
import { followUpdates } from './update.svelte';

/** What the page does once, when it opens: it writes nothing, unless something deleted waits to be removed [A1]. */
export function start(): void {
	window.snug = scripting;
	// A store that refuses says so where the sessions are listed.
	void app.purge().catch((error: unknown) => {
		if (!(explainStorageFailure(error) instanceof AppError)) throw error;
	});
	if (!dev) void followUpdates();
}
