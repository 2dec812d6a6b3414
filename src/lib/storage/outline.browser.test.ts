import { describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import type { Message } from '../conversation/message';
import { formatOutline, nodesOf } from '../conversation/outline';
import { append, type NewMessage } from './append';
import type { Database } from './database';
import { unfenced } from './fence';
import { outline, resolveNode } from './outline';
import { redact } from './redact';
import { Trees } from './trees';

/** Adds messages such as `user: Hello`, each below the one before, the first below `parent` or the head. */
async function say(db: Database, sessionId: string, told: string[], parent?: Message): Promise<Message[]> {
	const rows = told.map((line) => {
		const [role, text] = line.split(': ') as [NewMessage['role'], string];
		return newMessage(role, text);
	});
	const messages: [NewMessage, ...NewMessage[]] = [rows[0]!, ...rows.slice(1)];
	const known = await db.sessions.get(sessionId);
	const session = known ? sessionId : newSession({ id: sessionId });
	return append(db, { session, fence: unfenced, messages, ...(parent ? { parentId: parent.id } : {}) });
}

/** So many exchanges, numbered from `first`. */
function exchanges(count: number, first = 0): string[] {
	return Array.from({ length: count }, (_, index) => [`user: Question ${first + index}`, `assistant: Answer ${first + index}`]).flat();
}

async function textOf(db: Database, sessionId: string): Promise<string[]> {
	return formatOutline((await outline(db, sessionId))!).split('\n');
}

/** Counts the message that rows are read while `work` is done. */
async function rowsRead(db: Database, work: () => Promise<unknown>): Promise<number> {
	let count = 0;
	const onRead = (row: Message) => {
		count++;
		return row;
	};
	db.messages.hook('reading', onRead);
	await work();
	db.messages.hook('reading').unsubscribe(onRead);
	return count;
}

describe('[Z9] outline', () => {
	it('draws sends, other answers, labels, the main branch, and what was redacted', async () => {
		const db = openDatabase();
		const trees = new Trees(db);
		const [, , spain, madrid] = await say(db, 's', [...exchanges(1), 'user: And of Spain?', 'assistant: Madrid.']);
		await say(db, 's', ['assistant: Toledo.'], spain);
		const [italy] = await say(db, 's', ['user: And of Italy?', 'assistant: Rome.'], (await resolveNode(db, 's', 'n0'))!);
		await trees.label('s', madrid!.id, 'capitals', unfenced);
		await trees.setMain('s', madrid!.id, unfenced);
		await redact(db, italy!.id, 2000, unfenced);
		expect(await textOf(db, 's')).toEqual([
			'● n0 (2 messages) Question 0',
			'├── ● n2 (4 messages) Text erased ← here',
			'○ n1 [capitals] (4 messages) And of Spain? · answer 1 · main branch',
			'└── ○ n1.2 (4 messages) Toledo.'
		]);
		expect(await outline(db, 'another')).toBeUndefined();
	});

	it('leaves out what was deleted', async () => {
		const db = openDatabase();
		const [, answer, second] = await say(db, 's', exchanges(3));
		const [instead] = await say(db, 's', ['user: Instead'], answer);
		await new Trees(db).label('s', second!.id, 'gone', unfenced);
		await new Trees(db).removeBranch('s', second!.id, 2000, unfenced);
		expect(await textOf(db, 's')).toEqual(['● n0 (2 messages) Question 0', '● n1 (3 messages) Instead ← here']);
		expect(await resolveNode(db, 's', 'n1')).toEqual(instead);
		expect(await resolveNode(db, 's', 'n2')).toBeUndefined();
		expect(await resolveNode(db, 's', 'gone')).toBeUndefined();
		expect(await resolveNode(db, 's', second!.id)).toBeUndefined();
	});

	it('reads of a long session its ends, and what is around a fork, a label and the head, and tells the rest as gaps', async () => {
		const db = openDatabase();
		const rows = await say(db, 's', exchanges(2500));
		await say(db, 's', ['assistant: Another answer', 'user: On'], rows[4000]);
		const trees = new Trees(db);
		await trees.label('s', rows[1001]!.id, 'here it began', unfenced);
		await trees.moveHead('s', rows[3001]!.id, unfenced);

		let lines: string[] = [];
		const read = await rowsRead(db, async () => (lines = await textOf(db, 's')));
		expect(read).toBeLessThan(250);
		expect(lines.slice(0, 2)).toEqual(['● n0 (2 messages) Question 0', '● n1 (4 messages) Question 1']);
		expect(lines.filter((line) => !/n\d+ \(\d+ messages\) Question \d+$/.test(line))).toEqual([
			'⋮ 902 messages not shown',
			'● n500 [here it began] (1002 messages) Question 500',
			'⋮ 1998 messages not shown',
			'● n1500 (3002 messages) Question 1500 ← here',
			'⋮ 996 messages not shown',
			'○ n2000 (4002 messages) Question 2000 · answer 1',
			'├── ○ n2000.2 (4002 messages) Another answer',
			'│   ○ n2500 (4003 messages) On',
			'⋮ 898 messages not shown'
		]);
		expect(lines.at(-1)).toBe('○ n2499 (5000 messages) Question 2499');

		const { count, branches } = (await outline(db, 's'))!;
		expect(count).toBe(2501);
		const gaps = branches[0]!.reduce((sum, { gap = 0 }) => sum + gap, 0);
		expect(gaps + branches[0]!.length * 2).toBe(5000);
	});

	it('reads on where an exchange is longer than what it reads at first', async () => {
		const db = openDatabase();
		const tools = Array.from({ length: 300 }, (_, index) => [`assistant: Step ${index}`, `tool: Result ${index}`]).flat();
		const rows = await say(db, 's', [...exchanges(200), 'user: Work', ...tools, 'assistant: Done', ...exchanges(200, 201)]);
		await say(db, 's', ['user: Instead'], rows[700]);
		const lines = await textOf(db, 's');
		expect(lines.filter((line) => !/ Question \d+$|not shown$/.test(line))).toEqual([
			'● n200 (1002 messages) Work',
			'├── ● n401 (702 messages) Instead ← here'
		]);
	});

	it('tells which of two long branches a label is on', async () => {
		const db = openDatabase();
		const first = await say(db, 's', exchanges(500));
		const second = await say(db, 's', exchanges(500, 500), first[19]);
		await new Trees(db).label('s', first[501]!.id, 'first', unfenced);
		await new Trees(db).label('s', second[601]!.id, 'second', unfenced);
		const nodes = nodesOf((await outline(db, 's'))!);
		expect(nodes.filter(({ label }) => label).map(({ label, n, main, onPath }) => ({ label, n, main, onPath }))).toEqual([
			{ label: 'second', n: 800, main: false, onPath: true },
			{ label: 'first', n: 250, main: false, onPath: false }
		]);
	});
});

describe('[Z9] resolveNode', () => {
	it('takes a number to the end of the newest answer, on whatever branch, or to what was sent where there is none', async () => {
		const db = openDatabase();
		const rows = await say(db, 's', [...exchanges(1), 'user: Search', 'assistant: Looking', 'tool: Found', 'assistant: Here', 'user: Thanks']);
		expect(await resolveNode(db, 's', 'n0')).toEqual(rows[1]);
		expect(await resolveNode(db, 's', ' N1 ')).toEqual(rows[5]);
		expect(await resolveNode(db, 's', 'n2')).toEqual(rows[6]);
		const [again] = await say(db, 's', ['assistant: Differently'], rows[2]);
		expect(await resolveNode(db, 's', 'n1')).toEqual(again);
		expect(await resolveNode(db, 's', 'n1.2')).toEqual(again);
		expect(await resolveNode(db, 's', 'n1.1')).toEqual(rows[5]);
		for (const absent of ['n3', 'n1.3', 'n', 'n-1', '']) expect(await resolveNode(db, 's', absent)).toBeUndefined();
	});

	it('follows an answer of many steps to its end', async () => {
		const db = openDatabase();
		const tools = Array.from({ length: 40 }, (_, index) => [`assistant: Step ${index}`, `tool: Result ${index}`]).flat();
		const rows = await say(db, 's', ['user: Work', ...tools, 'assistant: Done', 'user: Thanks']);
		expect(await resolveNode(db, 's', 'n0')).toEqual(rows.at(-2));
	});

	it('takes an id, or a label in any case, of this session only', async () => {
		const db = openDatabase();
		const [question, answer] = await say(db, 's', exchanges(1));
		const [other] = await say(db, 'other', exchanges(1));
		await new Trees(db).label('s', question!.id, 'Refactor Approach', unfenced);
		expect(await resolveNode(db, 's', answer!.id)).toEqual(answer);
		expect(await resolveNode(db, 's', 'refactor approach')).toEqual(question);
		expect(await resolveNode(db, 's', 'refactor')).toBeUndefined();
		expect(await resolveNode(db, 's', other!.id)).toBeUndefined();
		expect(await resolveNode(db, 'absent', 'n0')).toBeUndefined();
	});
});
