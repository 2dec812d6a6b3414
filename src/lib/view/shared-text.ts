import { attachmentLimits } from '../conversation/attachment-limits';
import { withoutUnseen } from '../shared/without-unseen';
import { placesOf } from '../tools/places-of';

/** Returns the title, text and address of a form, each once, without what can't be seen in it; of each as much as shows that it is more than can be taken. */
export function sharedText(form: FormData): string {
	const said = (field: string) => {
		const value = form.get(field);
		return typeof value === 'string' ? withoutUnseen(value.slice(0, 2 * attachmentLimits.textBytes)).trim().slice(0, attachmentLimits.textBytes + 1) : '';
	};
	const [title, text, url] = [said('title'), said('text'), said('url')];
	const unlessIn = (line: string) => (placesOf(text, line).length > 0 ? '' : line);
	return [unlessIn(title), text, unlessIn(url)].filter(Boolean).join('\n');
}
