import { openCallsOf } from '../../conversation/open-calls';
import type { Unsent } from '../../conversation/unsent';
import type { ContextRows } from '../../storage/context-rows';

/** Request for the rest of an answer that a turn goes on with. It is in no message, and counted as the last one of the prompt. */
const goOn: Unsent = { text: 'Continue your last answer exactly where it stopped. Repeat nothing of it.', attachments: [] };

/** Returns what is asked after the path: where that ends in an answer, its rest; else nothing, since its last message asks. An answer that called tools goes on with what came of that. */
export function askedAfter({ path }: ContextRows): Unsent | undefined {
	return path.at(-1)?.role === 'assistant' && openCallsOf(path).length === 0 ? goOn : undefined;
}
