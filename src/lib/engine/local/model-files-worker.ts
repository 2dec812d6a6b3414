import { runModelJob, type ModelJob, type ModelJobEvent } from './model-job';
import { openSink } from './open-sink';

// By hand, since the worker types exclude those of the DOM that the rest of the app is checked with.
const scope = globalThis as unknown as {
	onmessage: (event: MessageEvent<ModelJob | 'abort'>) => void;
	postMessage: (event: ModelJobEvent) => void;
};
const abort = new AbortController();

scope.onmessage = ({ data }) => {
	if (data === 'abort') abort.abort();
	else void run(data).then(scope.postMessage, fail);
};

/** Returns the last event. The files are closed before it is posted, since the other side then renames them. */
async function run(job: ModelJob): Promise<ModelJobEvent> {
	const root = await navigator.storage.getDirectory();
	const folder = await root.getDirectoryHandle('models', { create: true });
	const part = await openSink(folder, `${job.id}.part`);
	const note = await openSink(folder, `${job.id}.json`);
	try {
		return await runModelJob(job, { part, note }, abort.signal, scope.postMessage);
	} finally {
		part.close();
		note.close();
	}
}

function fail(error: unknown): void {
	scope.postMessage({ type: 'failed', code: 'bug', message: String(error), retryable: false });
}
