import { AppError } from '../shared/app-error';
import { Database } from './database';
import { putCopy, type SessionCopy } from './session-copy';
import { toStorageError } from './storage-failure';

/** Undefined when all is stored; of a failure that was expected, its code and sentence. */
export type KeepReply = undefined | { code: string | undefined; message: string };

const reply = (answer: KeepReply) => postMessage(answer);

onmessage = ({ data }: MessageEvent<SessionCopy>) => {
	putCopy(new Database(), data).then(
		() => reply(undefined),
		(error: unknown) => {
			const failure = toStorageError(error);
			reply({ code: failure instanceof AppError ? failure.code : undefined, message: failure instanceof Error ? failure.message : String(failure) });
		}
	);
};
