import type { UnfinishedAnswer } from '../conversation/growing-answer';
import type { TrashItem } from './tables/trash';

/** The unfinished answers that went with something: those of a branch, a second model's too. */
export function unfinishedIn(item: TrashItem): UnfinishedAnswer[] {
	return item.kind === 'branch' ? [item.answer, item.secondAnswer].filter((answer) => answer !== undefined) : [];
}
