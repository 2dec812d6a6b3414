import { excerptOf } from '../conversation/excerpt';

/** Outline of a form that is not used yet: the start of its words, and the number of its files. */
export interface Outline {
	text: string;
	files: number;
}

/** The number of bytes of a part that are looked at: its head, and the start of what it says. */
const seenBytes = 2000;

/** The most characters of a text that are shown. */
const maxShown = 60;

/** Returns the outline of a form that any page can have sent: it is not parsed, and of each part only the start is read. */
export async function outlineOf(form: Response): Promise<Outline> {
	const [, boundary] = /boundary="?([^";]+)/.exec(form.headers.get('content-type') ?? '') ?? [];
	const body = await form.blob();
	const starts = [0, ...(await placesIn(body, `\r\n--${boundary}`))];
	const said = new Map<string, string>();
	let files = 0;
	for (const [index, start] of starts.entries()) {
		const part = await body.slice(start, Math.min(start + seenBytes, starts[index + 1] ?? body.size)).text();
		const headEnd = part.indexOf('\r\n\r\n');
		const head = part.slice(0, Math.max(0, headEnd));
		const [, name] = /; name="([^"]*)"/.exec(head) ?? [];
		const [, fileName] = /; filename="([^"]*)"/.exec(head) ?? [];
		// A field where none was chosen gives a file without a name.
		if (name === 'files' && fileName) files++;
		else if (name !== undefined && fileName === undefined && !said.has(name)) said.set(name, part.slice(headEnd + 4));
	}
	const texts = ['title', 'text', 'url'].map((field) => excerptOf(said.get(field) ?? '', maxShown));
	return { text: texts.find((text) => text !== '') ?? '', files };
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
