import { excerptOf } from '../conversation/excerpt';
import type { UnfinishedAnswer } from '../conversation/growing-answer';
import { wordsOfMarkdown } from '../conversation/markdown-words';
import { textOf } from '../conversation/message';
import type { AppError } from '../shared/app-error';

/** The most of an answer that is announced, in characters: the rest is read in the conversation. */
const maxAnnouncement = 2000;

/** Returns what screen readers are told of a turn that has ended: its answer, or why there is none. */
export function announcementOf(name: string, { answer, failure }: { answer: UnfinishedAnswer | undefined; failure: AppError | undefined }): string {
	const text = answer && wordsOfMarkdown(textOf(answer).slice(0, 2 * maxAnnouncement));
	return failure?.message ?? (text ? `${name}: ${excerptOf(text, maxAnnouncement)}` : '');
}
