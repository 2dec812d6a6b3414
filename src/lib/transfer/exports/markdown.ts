import type { Message, Part } from '../../conversation/message';
import { nameOf, type Session } from '../../conversation/session';
import { takePath } from '../../conversation/paths';
import { isoTime } from '../../shared/iso-time';
import { readableJson } from '../../shared/readable-json';
import { readableToolName } from '../../shared/server-tool-name';
import { todoName } from '../../storage/scratchpad';
import type { ScratchpadEntry } from '../../storage/tables/scratchpad';
import type { ExportedSession, ExportFormat } from './format';
import { closing } from './markdown/closing';

/**
 * Markdown [A13]: the session's facts, then a section for every message, first the branch that ends in `headId`, then
 * each other branch under a heading of its own that says where it leaves what came before; then each note, and the to-do
 * list, under a heading of its own. Times are RFC 3339 in UTC, keys are sorted, lines end in LF.
 *
 * A text stands as it was written, save that its line ends become LF; what it leaves open is closed after it (see
 * `closing`), so a section's heading is a heading whatever came before. Reasoning and tool traffic stand in `<details>`,
 * in fences longer than any within. Since a text may hold headings like ours, even an earlier export, machines go by the
 * comments: the word after `<!--` in the first line begins the comment of each section and no line of any message or
 * note. Labels of messages, and names of notes, stand in them as JSON.
 */
export const markdown: ExportFormat = { extension: 'md', mediaType: 'text/markdown;charset=utf-8', write: writeMarkdown };

function* writeMarkdown({ session, messages, headId, labels, notes }: ExportedSession): Generator<string> {
	const word = freeWord(messages, notes);
	const numbers = new Map<string, number>();
	yield head(session, word, messages.length);
	const left = new Map(messages.map((message) => [message.id, message]));
	const answers = new Set(messages.flatMap(({ id, role }) => (role === 'assistant' ? [id] : [])));
	const branches = [takePath(headId, left), ...branchesOf(left)];
	for (const [index, branch] of branches.entries()) {
		if (index > 0) yield `\n\n${branchHeading(branch[0]!, word, numbers)}`;
		for (const message of branch) {
			numbers.set(message.id, numbers.size + 1);
			const continued = message.role === 'assistant' && answers.has(message.parentId ?? '') ? numbers.get(message.parentId!) : undefined;
			yield `\n\n${section(message, word, { number: numbers.size, count: messages.length, continued, label: labels.get(message.id) })}`;
		}
	}
	for (const note of notes) if (note.name !== todoName) yield `\n\n${noteSection(note, word)}`;
	const todo = notes.find(({ name, content }) => name === todoName && content.trim() !== '');
	if (todo) yield `\n\n${titled(`${word} todo ${time(todo.updatedAt)}`, 'To-do list', todo.content)}`;
	yield '\n';
}

/**
 * Yields what is `left` in branches: each runs from where it leaves a message of an earlier branch to its tip; older tips come
 * first. It takes them out. Rows whose parents are missing or go in a circle come last.
 */
function* branchesOf(left: Map<string, Message>): Generator<Message[]> {
	const parents = new Set(Array.from(left.values(), ({ parentId }) => parentId));
	const ids = [...left.keys()].sort();
	const tips = ids.filter((id) => !parents.has(id));
	for (const tip of [...tips, ...ids.reverse()]) {
		if (left.has(tip)) yield takePath(tip, left);
	}
}

function head(session: Session, word: string, count: number): string {
	return [
		`<!-- ${word} session ${atom(session.id)} -->`,
		`# ${plain(session.title || nameOf(session))}`,
		'',
		`- Session: ${code(session.id)}`,
		`- Created: ${time(session.createdAt)}`,
		`- Updated: ${time(session.updatedAt)}`,
		`- Provider: ${code(session.provider)}`,
		`- Model: ${code(session.model)}`,
		`- Messages: ${count}`
	].join('\n');
}

const titles = { system: 'System', user: 'User', assistant: 'Assistant', tool: 'Tool' } as const;

interface Place {
	number: number;
	count: number;
	/** The number of the answer that it goes on with. */
	continued: number | undefined;
	label: string | undefined;
}

function section(message: Message, word: string, { number, count, continued, label }: Place): string {
	const facts = [`Message ${number} of ${count}`, time(message.createdAt)];
	if (message.model !== undefined) facts.push(code(message.model));
	if (message.edited) facts.push('edited by the user');
	if (continued !== undefined) facts.push(`continues message ${continued}`);
	return [
		`<!-- ${word} message ${atom(message.id)} ${message.role} ${time(message.createdAt)}${label === undefined ? '' : ` ${quoted(label)}`} -->\n## ${titles[message.role]}`,
		facts.join(' · '),
		...message.parts.map((part, index) => block(part, message.parts[index - 1])).filter((text) => text !== '')
	].join('\n\n');
}

function branchHeading(first: Message, word: string, numbers: ReadonlyMap<string, number>): string {
	const { parentId } = first;
	const fork = parentId === null ? undefined : numbers.get(parentId);
	const where = fork !== undefined ? `after message ${fork}` : parentId === null ? 'from the start' : 'after a missing message';
	return `<!-- ${word} branch ${atom(parentId ?? 'root')} -->\n# Another branch, ${where}`;
}

function noteSection({ name, content, updatedAt }: ScratchpadEntry, word: string): string {
	return titled(`${word} note ${quoted(name)} ${time(updatedAt)}`, `Note: ${plain(name)}`, content);
}

function titled(comment: string, title: string, content: string): string {
	const text = lines(content);
	return `<!-- ${comment} -->\n# ${title}${text === '' ? '' : `\n\n${text}${closing(text)}`}`;
}

function block(part: Part, previous: Part | undefined): string {
	switch (part.type) {
		case 'text': {
			const text = lines(part.text);
			// Without the comment, a list that the text before ended with could go on into this one.
			return (previous?.type === 'text' ? '<!-- -->\n\n' : '') + text + closing(text);
		}
		case 'reasoning':
			return part.text === '' ? '' : details('Reasoning', fence(part.text, 'text'));
		case 'tool-call':
			return details(`Tool call: ${readableToolName(part.toolName)}`, fence(json(part.input), 'json'));
		case 'tool-result': {
			const title = `${part.isError ? 'Tool error' : 'Tool result'}: ${readableToolName(part.toolName)}`;
			return details(title, typeof part.output === 'string' ? fence(part.output, 'text') : fence(json(part.output), 'json'));
		}
		case 'file':
			return `File: ${code(part.name)} (${code(part.mediaType)}, ${code(part.attachmentId)})`;
		case 'redacted':
			return `*Redacted ${time(part.at)}*`;
		case 'unreadable':
			return '*This message could not be read.*';
		default:
			return part satisfies never;
	}
}

function details(summary: string, content: string): string {
	const title = summary.replace(/\s+/g, ' ').replace(/[&<>]/g, (char) => entities[char as keyof typeof entities]);
	return `<details>\n<summary>${title}</summary>\n\n${content}\n\n</details>`;
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function fence(text: string, language: string): string {
	const content = lines(text);
	const marks = '`'.repeat(Math.max(3, longestRun(content) + 1));
	return `${marks}${language}\n${content}${content === '' || content.endsWith('\n') ? '' : '\n'}${marks}`;
}

/** A code span of one line, also around backticks. */
function code(text: string): string {
	const content = text.replace(/\s+/g, ' ').trim();
	if (content === '') return '–';
	const marks = '`'.repeat(longestRun(content) + 1);
	return /^`|`$/.test(content) ? `${marks} ${content} ${marks}` : `${marks}${content}${marks}`;
}

function longestRun(text: string): number {
	let longest = 0;
	for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
	return longest;
}

/** Text on one line in which no character has a meaning to Markdown. */
function plain(text: string): string {
	return text.replace(/\s+/g, ' ').trim().replace(/[\\`*_[\]<>&~|$#]/g, '\\$&');
}

/** An id, or another word, that stays within its comment whatever a row claims it to be. */
function atom(text: string): string {
	return text.replace(/[^\w.:-]|-(?=-)/g, '_');
}

/** JSON of a text that stays within its comment whatever it says. */
function quoted(text: string): string {
	return JSON.stringify(text).replace(/[<>]|-(?=-)/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

function time(milliseconds: number): string {
	return isoTime(milliseconds) ?? 'unknown';
}

function lines(text: string): string {
	return text.replace(/\r\n?/g, '\n');
}

/** JSON with its keys sorted, since their order is no part of a value and may change on the way through a store; on lines where that is not far longer. */
function json(value: unknown): string {
	const sorted = (_: string, inner: unknown) =>
		inner !== null && typeof inner === 'object' && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner;
	return readableJson(value, sorted) ?? 'null';
}

/** `snug`, or `snug-2` and so on if a message or a note has a comment that begins with that word, as a pasted export does. */
function freeWord(messages: Message[], notes: ScratchpadEntry[]): string {
	const taken = new Set<string>();
	const collect = (value: unknown): void => {
		if (typeof value === 'string') for (const [, word] of value.matchAll(/<!-- (snug(?:-\d+)?) /g)) taken.add(word!);
		else if (value !== null && typeof value === 'object') Object.values(value).forEach(collect);
	};
	for (const message of messages) collect(message.parts);
	for (const note of notes) collect(note.content);
	let word = 'snug';
	for (let number = 2; taken.has(word); number++) word = `snug-${number}`;
	return word;
}
