import { summaryTag } from '../../conversation/boundary';

const quoted = summaryTag.toLowerCase();

/** The text, as long as before, without the tag of summaries: one that a message quotes must not pass for a real one [Z6]. */
export function withoutTag(text: string): string {
	return text.replaceAll(summaryTag, quoted);
}
