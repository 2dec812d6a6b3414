import { excerptOf } from '../conversation/excerpt';

/** Outline of a form that is not used yet: the start of its first words, whether there are more than what these begin, and the number of its files. */
export interface Outline {
	text: string;
	more: boolean;
	files: number;
}

/** The numbers of bytes of a part that are looked at: its head with the start of what it says, and a head that is longer. */
const [seenBytes, longestHead] = [2000, 65_536];

/** The most characters of a text that are shown. */
const maxShown = 60;

/** Returns the outline of a form that any page can have sent: it is not parsed, and of each part only the start is read. */
export async function outlineOf(form: Response): Promise<Outline> {
	const [, boundary] = /boundary="?([^";]+)/.exec(form.headers.get('content-type') ?? '') ?? [];
	const body = await form.blob();
	const starts = [0, ...(await placesIn(body, `\r\n--${boundary}`))];
	/** The first part of each field, of which a form that is parsed gives no other. */
	const said = new Map<string, { text: string; isSeen: boolean }>();
	let [more, files] = [false, 0];
	for (const [index, start] of starts.entries()) {
		const end = starts[index + 1] ?? body.size;
		const read = (bytes: number) => body.slice(start, Math.min(start + bytes, end)).text();
		let part = await read(seenBytes);
		if (!part.includes('\r\n\r\n')) part = await read(longestHead);
		const headEnd = part.indexOf('\r\n\r\n');
		if (headEnd < 0 && end - start > longestHead) more = true;
		const head = part.slice(0, Math.max(0, headEnd));
		const [, name] = /; name="([^"]*)"/.exec(head) ?? [];
		const [, fileName] = /; filename="([^"]*)"/.exec(head) ?? [];
		// A field where none was chosen gives a file without a name.
		if (name === 'files' && fileName) files++;
		else if (name !== undefined && !said.has(name)) said.set(name, { text: fileName === undefined ? textIn(part.slice(headEnd + 4)) : '', isSeen: fileName !== undefined || end - start <= seenBytes });
	}
	const texts = ['title', 'text', 'url'].flatMap((field) => said.get(field) ?? []);
	const first = texts.find(({ text }) => text !== '');
	return { text: first?.text ?? '', more: more || texts.some((one) => (one === first ? !one.isSeen && !one.text.endsWith('…') : one.text !== '' || !one.isSeen)), files };
}

/** Returns the start of a text, without what could end its quotation. */
function textIn(words: string): string {
	return excerptOf(words.replace(/[“”]/g, '"'), maxShown);
}

/** Returns where a mark of ASCII characters stands in bytes, of which few are in memory at once. */
async function placesIn(body: Blob, mark: string): Promise<number[]> {
	const latin1 = new TextDecoder('latin1');
	const reader = body.stream().getReader();
	const places: number[] = [];
	let end = '';
	for (let read = 0; ; ) {
		const { done, value } = await reader.read();
		if (done) return places;
		const text = end + latin1.decode(value);
		for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) places.push(read - end.length + at);
		end = text.slice(1 - mark.length);
		read += value.length;
	}
}
