import { base } from '$app/paths';
import { app } from '../app';
import { keepSession } from '../app/keep-session';
import { AppError } from '../shared/app-error';
import { writeUnwritten } from './unwritten';

/** Makes an ordinary chat of a temporary one, and goes to it. */
export async function keepTemporary(id: string): Promise<void> {
	if (!(await writeUnwritten())) throw new AppError('not-kept', 'What you typed could not be read, so nothing was kept. Try again.', { retryable: true });
	await keepSession(id);
	// Where there is no other chat in this page, it is left without a question.
	if ((await app.sessions.count({})) === 1) document.documentElement.dataset.temporary = 'kept';
	location.replace(`${base}/s/${id}`);
}
