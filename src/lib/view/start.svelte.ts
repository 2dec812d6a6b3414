import { app } from '../app';
import { scripting } from '../scripting';
import type { AppError } from '../shared/app-error';
import { inBackground } from '../storage/storage-failure';
import { failureOf } from './attempt';
import { whenIdle } from './when-idle';

let refusal = $state.raw<AppError | undefined>();
let copied = $state.raw<number | undefined>();

/** While one of these stands, no screen has anything to show. */
const closed = ['newer-database', 'older-tab', 'snapshot-failed', 'other-tabs'];

/** Reason why nothing can be stored here, if so. */
export const store = {
	get refusal() {
		return refusal;
	},
	/** Progress of the copy before an update, from 0 to 1, while one is made. */
	get copied() {
		return copied;
	},
	/** True if what is stored can't be read either. */
	get closed() {
		return refusal !== undefined && closed.includes(refusal.code);
	}
};

/** Starts the page, once, when it opens: it writes nothing, unless something deleted waits to be removed [A1]. */
export function start(): void {
	window.snug = scripting;
	void openStore();
	whenIdle(() => void inBackground(async () => (await import('./update.svelte')).followSystem()));
}

async function openStore(): Promise<void> {
	try {
		await app.stored.open(
			(obstacle) => (refusal = obstacle),
			(share) => (copied = share)
		);
		prepareSearch();
		if (await app.stored.isUnused()) {
			if (app.stored.wasEmptied()) (await import('./maintenance')).sayEmptied();
			return;
		}
		app.stored.markUsed();
		whenIdle(() => void inBackground(maintain));
	} catch (error) {
		refusal = failureOf(error);
	}
}

async function maintain(): Promise<void> {
	await (await import('./purge')).purge();
	await (await import('./maintenance')).lookAfterStorage();
}

/** Prepares what is not needed yet, some seconds after the page was opened. */
export function prepare(work: () => Promise<unknown>): void {
	setTimeout(() => whenIdle(() => void inBackground(work)), 5000);
}

/** Starts what keeps the search index in step, if there is anything to find: the first search then has it ready. */
function prepareSearch(): void {
	const start = async () => {
		if (await app.sessions.newest()) (await app.openSearch()).start();
	};
	prepare(start);
}
