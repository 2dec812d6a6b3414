/** Letters of scripts that are written without spaces between words. */
const unspaced = /[\p{Script=Hani}\p{Script=Hira}\p{Script=Kana}\p{Script=Thai}\p{Script=Laoo}\p{Script=Khmr}\p{Script=Mymr}]/u;

/** Returns words with the spaces that part them from what stands before and after the place where they are inserted. */
export function spaced(before: string, words: string, after: string): string {
	const text = words.trim();
	if (text === '') return '';
	const joins = (left: string, right: string) => left === '' || right === '' || unspaced.test(left + right) || /[\s([{“‘«—]/u.test(left) || /[\s\p{Po}\p{Pe}\p{Pf}]/u.test(right);
	const first = (one: string) => [...one.slice(0, 2)][0] ?? '';
	const last = (one: string) => [...one.slice(-2)].at(-1) ?? '';
	return `${joins(last(before), first(text)) ? '' : ' '}${text}${joins(last(text), first(after)) ? '' : ' '}`;
}
