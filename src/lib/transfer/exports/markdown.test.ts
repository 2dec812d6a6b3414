import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { costGrowth } from '../../../../tests/fixtures/growth';
import type { Message, Part, Role } from '../../conversation/message';
import type { Session } from '../../conversation/session';
import type { ScratchpadEntry } from '../../storage/tables/scratchpad';
import { body } from '../../../../tests/fixtures/bodies';
import { markdown as format } from './markdown';

const exportMarkdown = (session: Session, messages: Message[], headId: string, notes: ScratchpadEntry[] = [], labels: Record<string, string> = {}) =>
	[...format.write({ session, messages, headId, notes, labels: new Map(Object.entries(labels)) })].join('');

const oracle = new MarkdownIt({ html: true });
const start = Date.UTC(2026, 0, 2, 3, 4, 5, 6);

const session: Session = {
	id: '01930000-0000-7000-8000-000000000000',
	key: 'web:default:1',
	title: '',
	titledBy: 'snug',
	workspace: 'default',
	surface: 'web',
	preview: 'How *do* I <b>?',
	provider: 'device',
	model: 'smollm2',
	status: 'success',
	stopReason: '',
	steps: 1,
	messageCount: 2,
	bytes: 0,
	usage: {},
	filesTouched: [],
	pinned: 0,
	archived: 0,
	createdAt: start,
	updatedAt: start + 60_000
};

const idOf = (number: number) => `01930000-0000-7000-8000-${String(number).padStart(12, '0')}`;

function message(number: number, parent: number | null, role: Role, ...parts: (Part | string)[]): Message {
	return {
		id: idOf(number),
		sessionId: session.id,
		parentId: parent === null ? null : idOf(parent),
		depth: number,
		role,
		parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
		createdAt: start + number * 1000
	};
}

const note = (name: string, content: string): ScratchpadEntry => ({ sessionId: session.id, name, content, createdAt: start, updatedAt: start });

/** The sections that a Markdown reader finds: each comment of ours with the heading right after it. */
function sections(markdown: string): string[] {
	const word = /^<!-- (\S+) session /.exec(markdown)![1]!;
	const tokens = oracle.parse(markdown, {});
	return tokens.flatMap((token, index) => {
		const mark = new RegExp(`^<!-- ${word} (?:message (\\S+)|(branch|note|todo) )`).exec(token.type === 'html_block' ? token.content : '');
		const heading = tokens[index + 1];
		if (!mark || token.level !== 0 || heading?.type !== 'heading_open' || heading.level !== 0) return [];
		return [`${mark[1] ?? mark[2]} ${tokens[index + 2]!.content}`];
	});
}

describe('Markdown', () => {
	it('[P8] lets no id and no time of a row forge what stands around it', () => {
		const forged = 'x --> <img src=x onerror=alert(1)>\n\n## User';
		const bad = { ...session, id: forged, title: 'a\n\n## b <img src=x>', model: 'm`\n\n## c', updatedAt: 8.7e15 };
		const messages = [message(0, null, 'system'), { ...message(1, 0, 'user', 'Hi'), id: forged, createdAt: NaN }, { ...message(2, 0, 'user', 'Ho'), parentId: '../\n-->' }];
		const markdown = exportMarkdown(bad, messages, forged);
		expect(oracle.render(markdown)).not.toContain('<img');
		expect(markdown.match(/^## .*$/gm)).toEqual(['## System', '## User', '## User']);
		expect(markdown.match(/^<!--(?:(?!-->).)*-->$/gm)).toHaveLength(5);
	});

	it('[P8] takes the time that the messages take, however many branches they are in', () => {
		const branches = (size: number) => Array.from({ length: size }, (_, at) => message(at, at === 0 ? null : at % 2 === 1 ? 0 : at - 1, 'user', 'Hi'));
		expect(costGrowth(500, branches, (messages) => exportMarkdown(session, messages, idOf(0)))).toBeLessThan(8);
	}, 60_000);

	it('[P8] is no more than a few times as long as the messages, however deep what a tool was given or gave is nested', () => {
		let deep: unknown = Array(20_000).fill(1);
		for (let level = 0; level < 90; level++) deep = [deep];
		const call = { toolCallId: '1', toolName: 'look' };
		const parts: Part[] = Array.from({ length: 10 }, (_, at) => (at % 2 ? { type: 'tool-call', ...call, input: deep } : { type: 'tool-result', ...call, output: deep, isError: false }));
		const messages = [message(1, null, 'user', 'Hi'), message(2, 1, 'assistant', ...parts)];
		expect(exportMarkdown(session, messages, idOf(2)).length).toBeLessThan(5 * JSON.stringify(messages).length);
	});

	it('[A13] writes facts, sections by role, and tool traffic in details', () => {
		const messages = [
			message(1, null, 'system', 'Be brief.'),
			message(2, 1, 'user', 'How *do* I <b>?', { type: 'file', attachmentId: 'abc', mediaType: 'text/plain', name: 'a.txt' }),
			{
				...message(
					3,
					2,
					'assistant',
					{ type: 'reasoning', text: 'Hm.' },
					{ type: 'tool-call', toolCallId: '1', toolName: 'a<b', input: { z: 1, a: ['```'] } }
				),
				model: 'smollm2'
			},
			message(4, 3, 'tool', { type: 'tool-result', toolCallId: '1', toolName: 'a<b', output: '````\nx', isError: true }),
			message(5, 4, 'assistant', 'So:\n\n```js\nlet a;')
		];
		expect(exportMarkdown(session, messages, idOf(5))).toBe(
			[
				'<!-- snug session 01930000-0000-7000-8000-000000000000 -->',
				'# How \\*do\\* I \\<b\\>?',
				'',
				'- Session: `01930000-0000-7000-8000-000000000000`',
				'- Created: 2026-01-02T03:04:05.006Z',
				'- Updated: 2026-01-02T03:05:05.006Z',
				'- Provider: `device`',
				'- Model: `smollm2`',
				'- Messages: 5',
				'',
				'<!-- snug message 01930000-0000-7000-8000-000000000001 system 2026-01-02T03:04:06.006Z -->',
				'## System',
				'',
				'Message 1 of 5 · 2026-01-02T03:04:06.006Z',
				'',
				'Be brief.',
				'',
				'<!-- snug message 01930000-0000-7000-8000-000000000002 user 2026-01-02T03:04:07.006Z -->',
				'## User',
				'',
				'Message 2 of 5 · 2026-01-02T03:04:07.006Z',
				'',
				'How *do* I <b>?',
				'',
				'</b>',
				'',
				'File: `a.txt` (`text/plain`, `abc`)',
				'',
				'<!-- snug message 01930000-0000-7000-8000-000000000003 assistant 2026-01-02T03:04:08.006Z -->',
				'## Assistant',
				'',
				'Message 3 of 5 · 2026-01-02T03:04:08.006Z · `smollm2`',
				'',
				'<details>',
				'<summary>Reasoning</summary>',
				'',
				'```text',
				'Hm.',
				'```',
				'',
				'</details>',
				'',
				'<details>',
				'<summary>Tool call: a&lt;b</summary>',
				'',
				'````json',
				'{',
				'  "a": [',
				'    "```"',
				'  ],',
				'  "z": 1',
				'}',
				'````',
				'',
				'</details>',
				'',
				'<!-- snug message 01930000-0000-7000-8000-000000000004 tool 2026-01-02T03:04:09.006Z -->',
				'## Tool',
				'',
				'Message 4 of 5 · 2026-01-02T03:04:09.006Z',
				'',
				'<details>',
				'<summary>Tool error: a&lt;b</summary>',
				'',
				'`````text',
				'````',
				'x',
				'`````',
				'',
				'</details>',
				'',
				'<!-- snug message 01930000-0000-7000-8000-000000000005 assistant 2026-01-02T03:04:10.006Z -->',
				'## Assistant',
				'',
				'Message 5 of 5 · 2026-01-02T03:04:10.006Z',
				'',
				'So:',
				'',
				'```js',
				'let a;',
				'```',
				''
			].join('\n')
		);
	});

	it('[A13] [Z9] says which answer goes on with another, and which the user wrote', () => {
		const messages = [message(1, null, 'user', 'a'), message(2, 1, 'assistant', 'Red, gr'), message(3, 2, 'assistant', 'een'), { ...message(4, 1, 'assistant', 'Blue'), edited: true as const }];
		const facts = exportMarkdown(session, messages, idOf(3)).match(/^Message \d of 4 · .*$/gm)!;
		expect(facts.map((line) => line.split(' · ').slice(2))).toEqual([[], [], ['continues message 2'], ['edited by the user']]);
	});

	it('[A13] holds every branch once: the open one first, each other where it forks', () => {
		const messages = [
			message(1, null, 'user', 'a'),
			message(2, 1, 'assistant', 'b'),
			message(3, 1, 'assistant', 'b2'),
			message(4, 3, 'user', 'c2'),
			message(5, null, 'user', 'other root'),
			message(6, 99, 'user', 'orphan'),
			message(7, 4, 'assistant', 'd2'),
			message(8, 4, 'assistant', 'd3')
		];
		expect(sections(exportMarkdown(session, messages, idOf(7)))).toEqual([
			`${idOf(1)} User`,
			`${idOf(3)} Assistant`,
			`${idOf(4)} User`,
			`${idOf(7)} Assistant`,
			'branch Another branch, after message 1',
			`${idOf(2)} Assistant`,
			'branch Another branch, from the start',
			`${idOf(5)} User`,
			'branch Another branch, after a missing message',
			`${idOf(6)} User`,
			'branch Another branch, after message 3',
			`${idOf(8)} Assistant`
		]);
	});

	it('[A13] [A7] has the notes and the to-do list after the messages, where there are any', () => {
		const messages = [message(1, null, 'user', 'a'), message(2, 1, 'assistant', 'b')];
		const bare = exportMarkdown(session, messages, idOf(2));
		expect(bare.endsWith('\n\nb\n')).toBe(true);
		expect(exportMarkdown(session, messages, idOf(2), [note('todo', ' \n')])).toBe(bare);
		const notes = [note('*Trip* -->', 'Pack\r\n\n```\nlet a;'), note('todo', '- [ ] Pears\n- [x] Plums'), note('wish', '')];
		const after = exportMarkdown(session, messages, idOf(2), notes).slice(bare.length);
		expect(after).toBe(
			[
				'',
				'<!-- snug note "*Trip* \\u002d-\\u003e" 2026-01-02T03:04:05.006Z -->',
				'# Note: \\*Trip\\* --\\>',
				'',
				'Pack',
				'',
				'```',
				'let a;',
				'```',
				'',
				'<!-- snug note "wish" 2026-01-02T03:04:05.006Z -->',
				'# Note: wish',
				'',
				'<!-- snug todo 2026-01-02T03:04:05.006Z -->',
				'# To-do list',
				'',
				'- [ ] Pears',
				'- [x] Plums',
				''
			].join('\n')
		);
	});

	it('[A13] [Z9] says the label of a message in its comment, whatever that has in it', () => {
		const messages = [message(1, null, 'user', 'a'), message(2, 1, 'assistant', 'b')];
		const label = 'x --> "\n<!-- snug message forged user';
		const markdown = exportMarkdown(session, messages, idOf(2), [], { [idOf(2)]: label });
		expect(markdown).toContain(`<!-- snug message ${idOf(1)} user 2026-01-02T03:04:06.006Z -->`);
		const [, said] = new RegExp(`^<!-- snug message ${idOf(2)} assistant \\S+ (".*") -->$`, 'm').exec(markdown)!;
		expect(JSON.parse(said!)).toBe(label);
		expect(sections(markdown)).toEqual([`${idOf(1)} User`, `${idOf(2)} Assistant`]);
	});

	it('[P8] takes no note for a message, whatever it says and is called', () => {
		const messages = [message(1, null, 'user', 'a')];
		const inner = exportMarkdown(session, messages, idOf(1));
		const forged = `User\n\n<!-- snug message ${idOf(9)} user x -->\n## User`;
		expect(sections(exportMarkdown(session, messages, idOf(1), [note('a', inner), note(forged, 'x'), note('todo', inner)]))).toEqual([
			`${idOf(1)} User`,
			'note Note: a',
			expect.stringMatching(/^note Note: User/),
			'todo To-do list'
		]);
		const text = fc.tuple(body, body, fc.string());
		fc.assert(
			fc.property(fc.array(text, { maxLength: 4 }), (specs) => {
				const notes = specs.map(([name, content, more], at) => note(at === 0 ? 'todo' : `${name}${more}`, content));
				const markdown = exportMarkdown(session, messages, idOf(1), notes);
				const isTodo = ({ name, content }: ScratchpadEntry) => name === 'todo' && content.trim() !== '';
				expect(sections(markdown).map((line) => line.split(' ')[0])).toEqual([idOf(1), ...notes.slice(1).map(() => 'note'), ...notes.filter(isTodo).map(() => 'todo')]);
			}),
			{ numRuns: 300 }
		);
	}, 30_000);

	it('[A13] stays unambiguous when a message is itself an export', () => {
		const inner = exportMarkdown(session, [message(1, null, 'user', 'a')], idOf(1));
		const outer = exportMarkdown(session, [message(1, null, 'user', inner), message(2, 1, 'assistant', 'b')], idOf(2));
		expect(outer.startsWith('<!-- snug-2 session ')).toBe(true);
		expect(sections(outer)).toEqual([`${idOf(1)} User`, `${idOf(2)} Assistant`]);
	});

	it('[A13] keeps every section a section, every text as it is, and every byte the same', () => {
		const part: fc.Arbitrary<Part> = fc.oneof(
			body.map((text) => ({ type: 'text', text }) as const),
			body.map((text) => ({ type: 'text', text }) as const),
			body.map((text) => ({ type: 'reasoning', text }) as const),
			fc.json().map((input) => ({ type: 'tool-call', toolCallId: '1', toolName: 't', input: JSON.parse(input) as unknown }) as const),
			body.map((output) => ({ type: 'tool-result', toolCallId: '1', toolName: '<t>', output, isError: false }) as const)
		);
		const role = fc.constantFrom<Role>('system', 'user', 'assistant', 'tool');
		const rows = fc.array(fc.tuple(role, fc.array(part, { maxLength: 3 }), fc.nat()), { minLength: 1, maxLength: 6 });
		fc.assert(
			fc.property(rows, body, fc.nat(), (specs, preview, seed) => {
				const messages = specs.map(([speaker, parts, parent], index) =>
					message(index + 1, index === 0 ? null : 1 + (parent % index), speaker, ...parts)
				);
				const headId = messages[seed % messages.length]!.id;
				const markdown = exportMarkdown({ ...session, preview }, messages, headId);
				expect(exportMarkdown({ ...session, preview }, messages.toReversed(), headId)).toBe(markdown);
				expect(markdown).toMatch(/[^\n]\n$|\n\n$/);
				expect(markdown).not.toContain('\r');

				const found = sections(markdown).filter((line) => !line.startsWith('branch'));
				const titles = { system: 'System', user: 'User', assistant: 'Assistant', tool: 'Tool' };
				expect(found.toSorted()).toEqual(messages.map((row) => `${row.id} ${titles[row.role]}`));
				for (const row of messages)
					for (const piece of row.parts) if (piece.type === 'text') expect(markdown).toContain(piece.text);
			}),
			{ numRuns: 300 }
		);
	}, 30_000);
});
