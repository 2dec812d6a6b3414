import { browserModel, type Availability } from '../engine/providers/browser-model';
import { AppError } from '../shared/app-error';

/** The model that the browser itself has. */
export const ownModel = {
	availability: (): Promise<Availability> => browserModel()?.availability() ?? Promise.resolve('unavailable'),
	/**
	 * Has the browser fetch it, which it does only in answer to the user's click; `onprogress` is told the share that is there, from 0 to 1. Throws an AppError
	 * (`model-not-fetched`) where that fails, or the signal's reason.
	 */
	fetch: async (onprogress: (share: number) => void, signal: AbortSignal): Promise<void> => {
		try {
			const session = await browserModel()!.create({
				signal,
				monitor: (monitor) => monitor.addEventListener('downloadprogress', (event) => onprogress((event as ProgressEvent).loaded))
			});
			session.destroy();
		} catch (error) {
			signal.throwIfAborted();
			throw new AppError('model-not-fetched', 'The browser could not fetch its model. It needs a network without limits on data, and much free space on the disk.', { retryable: true, cause: error });
		}
	}
};
