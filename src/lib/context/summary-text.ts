import { summaryTag } from '../conversation/boundary';
import { withoutUnseen } from '../shared/without-unseen';

/** Returns the text that a model is sent for a summary, in the system message: with its tag, and without what can't be seen, which may be of anybody's messages. */
export function summaryText(summary: string): string {
	return `${summaryTag}\n${withoutUnseen(summary)}`;
}
