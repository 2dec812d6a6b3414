import { AppError } from '../shared/app-error';
import { undoMilliseconds } from '../storage/undo';
import { failureOf } from './attempt';

/** A quiet line at the top of the page, with at most one thing to do about it. */
export interface Notice {
	text: string;
	action?: { label: string; run: () => void | Promise<void> };
	/** Time that it stays, in milliseconds; until it is dismissed if absent. */
	milliseconds?: number;
	/** Name of what it tells the state of, where it goes once that is another. */
	about?: string;
}

/** The notices that show now, oldest first. */
export const notices = $state<Notice[]>([]);

/** Dialogs that are open, the topmost last: what shows notices below them can't be reached. */
export const dialogs = $state<{ open: string[] }>({ open: [] });

/** Shows a notice, unless one that says the same stays anyway or in the place of one that goes, and returns what takes it away. */
export function notify(notice: Notice): () => void {
	if (notice.about !== undefined) outdate(notice.about);
	const same = notice.action ? -1 : notices.findIndex(({ text, action }) => text === notice.text && !action);
	if (same >= 0 && notices[same]!.milliseconds === undefined && notice.milliseconds !== undefined) return () => undefined;
	if (same >= 0) notices.splice(same, 1);
	notices.push(notice);
	const shown = notices.at(-1)!;
	const timer = notice.milliseconds === undefined ? undefined : setTimeout(dismiss, notice.milliseconds);
	function dismiss() {
		clearTimeout(timer);
		const index = notices.indexOf(shown);
		if (index >= 0) notices.splice(index, 1);
	}
	return dismiss;
}

/** Takes away what was said about something that is another now. */
export function outdate(about: string): void {
	for (const notice of notices.filter((one) => one.about === about)) void dismissNotice(notice);
}

/** Says what was done, and offers it back for a while; once more where that is refused, which is said, unless it came too late or something has changed since. */
export function offerBack(text: string, undo: () => Promise<unknown>, { label = 'Undo', ...about }: { label?: string } & Pick<Notice, 'about'> = {}): void {
	const run = () =>
		reportFailure(async () => {
			try {
				await undo();
			} catch (error) {
				if (!(error instanceof AppError && /-(late|changed)$/.test(error.code))) offerBack(text, undo, { label, ...about });
				throw error;
			}
		});
	notify({ text, action: { label, run }, milliseconds: undoMilliseconds, ...about });
}

/** Takes a notice away, after doing what it offers if `act`. */
export async function dismissNotice(notice: Notice, { act = false } = {}): Promise<void> {
	const index = notices.indexOf(notice);
	if (index >= 0) notices.splice(index, 1);
	if (act) await notice.action?.run();
}

/**
 * Does what the user asked for. What can't be done now, since another tab has the session open or the store refuses,
 * is said; nothing is lost by it.
 */
export async function reportFailure(work: () => Promise<unknown>): Promise<void> {
	await tryOrReport(work);
}

/** Does as `reportFailure`, and returns whether it could be done. */
export async function tryOrReport(work: () => Promise<unknown>): Promise<boolean> {
	try {
		await work();
		return true;
	} catch (error) {
		const failure = failureOf(error);
		if (failure.code === 'bug') notify({ text: failure.message, action: { label: 'Copy details', run: () => copyAndSay(failure) } });
		else notify({ text: failure.message, milliseconds: 8000 });
		return false;
	}
}

async function copyAndSay(bug: AppError): Promise<void> {
	const { copyDetails } = await import('./bug-details');
	notify({ text: `${await copyDetails(bug)}.`, milliseconds: 4000 });
}
