import { describe, expect, it, test } from 'vitest';
import { commandContext, madeMessage, madeSession } from '../../../tests/fixtures/command-context';
import { outlineOf } from '../conversation/outline';
import { isWorkspaceName, type Session } from '../conversation/session';
import { growTree } from '../conversation/grow-tree';
import type { Tree } from '../conversation/tree';
import { takesArgument, type CommandContext, type Outcome } from './command';
import { complete } from './complete';
import { commands, run } from './registry';

const day = 86_400_000;
const here = { sessionId: 's1', workspace: undefined };

/** A context in session s1, over these rows, which its functions change. */
function over(rows: Session[], given: Partial<CommandContext> = {}): CommandContext {
	const one = (id: string) => rows.find((row) => row.id === id);
	return commandContext({
		place: here,
		session: (id) => Promise.resolve(structuredClone(one(id))),
		listSessions: (limit) => Promise.resolve(rows.slice(0, limit)),
		findSessions: (text) => Promise.resolve(rows.filter(({ id, title }) => id === text || title === text)),
		renameSession: (id, title, titledBy = 'user') => Promise.resolve(void Object.assign(one(id)!, { title: title || 'Automatic', titledBy: title ? titledBy : 'snug' })),
		pinSession: (id, pinned) => Promise.resolve(void Object.assign(one(id)!, { pinned: pinned ? 1 : 0 })),
		deleteSessions: (ids) => Promise.resolve(void rows.splice(0, rows.length, ...rows.filter(({ id }) => !ids.includes(id)))),
		...given
	});
}

const idsOf = (rows: Session[]) => rows.map(({ id }) => id);

function expectKind<K extends Outcome['kind']>(outcome: Outcome, kind: K): Extract<Outcome, { kind: K }> {
	expect(outcome.kind).toBe(kind);
	return outcome as Extract<Outcome, { kind: K }>;
}

test.each(['/history', '/rename A', '/pin', '/unpin', '/delete', '/tree', '/branch n1', '/label A', '/budget 1', '/context', '/compact', '/summarize'])(
	'%s says that a new chat is no session yet',
	async (text) => {
		expect(await run(text, commandContext())).toEqual({
			kind: 'refused',
			text: 'There is no chat here yet. It starts with your first message.'
		});
	}
);

test.each(commands.filter((command) => !takesArgument(command)))('/$name refuses what stands behind it, so that it is not lost', async ({ name }) => {
	const refused = { kind: 'refused', text: `/${name} takes nothing after it. Put a space before “/” to send it as text.` };
	expect(await run(`/${name}\n\nFive pages.`, over([madeSession()]))).toEqual(refused);
});

describe('/new', () => {
	it('[E2] leads to an empty chat and changes nothing', async () => {
		expect(await run('/new', commandContext())).toEqual({ kind: 'go', path: '/' });
		expect(await run('/new', over([madeSession()]))).toEqual({ kind: 'go', path: '/' });
	});

	it('[E2] stays in the workspace, that of the session that is open before that of the page', async () => {
		expect(await run('/new', commandContext({ place: { sessionId: undefined, workspace: 'My work' } }))).toEqual({
			kind: 'go',
			path: '/w/My%20work?new'
		});
		expect(await run('/new', over([madeSession({ workspace: 'garden' })]))).toEqual({ kind: 'go', path: '/w/garden?new' });
		expect(isWorkspaceName('My work')).toBe(true);
	});
});

describe('/session', () => {
	const rows = () => [madeSession(), madeSession({ id: 's2', title: 'Soup' }), madeSession({ id: 's3', title: 'Soup', messageCount: 1 })];

	it('[E4] goes to the only one', async () => expect(await run('/session s2', over(rows()))).toEqual({ kind: 'go', path: '/s/s2' }));

	it('[E4] offers candidates where several fit, and goes to the chosen one', async () => {
		const { choices, text } = expectKind(await run('/session Soup', over(rows())), 'choose');
		expect(text).toContain('“Soup”');
		expect(choices.map(({ label }) => label)).toEqual(['Soup', 'Soup']);
		expect(choices[1]!.detail).toContain('1 message');
		expect(await choices[1]!.run()).toEqual({ kind: 'go', path: '/s/s3' });
	});

	it('[E4] says so where none fits, or nothing was asked for', async () => {
		expect(expectKind(await run('/session Bread', over(rows())), 'refused').text).toContain('“Bread”');
		expectKind(await run('/session', over(rows())), 'refused');
	});
});

describe('/list', () => {
	const rows = Array.from({ length: 30 }, (_, at) => madeSession({ id: `s${at}`, preview: `Preview\n${at}`, messageCount: at }));

	test.each([
		['/list', 20],
		['/list -n 3', 3],
		['/list 5', 5],
		['/list -n 100', 30]
	])('[A12] %s has %i lines of time, messages, name and id', async (text, lines) => {
		const { listing } = expectKind(await run(text, over(rows)), 'text');
		const written = listing!.split('\n');
		expect(written).toHaveLength(lines);
		expect(written[1]).toMatch(/^\S.* 1 message +Preview 1 +s1$/);
	});

	it('says so where there is none', async () => {
		expect(await run('/list', commandContext())).toEqual({ kind: 'text', text: 'There are no chats yet.' });
	});

	it('refuses what is no number', async () => void expectKind(await run('/list ten', over(rows)), 'refused'));
});

describe('/history', () => {
	it('[S3] shows who wrote the last n messages, and their first lines', async () => {
		const messages = [
			madeMessage({ role: 'user', parts: [{ type: 'text', text: '\n\n  First line \nsecond' }] }),
			madeMessage({ role: 'assistant', parts: [{ type: 'tool-call', toolCallId: '1', toolName: 'clock', input: {} }] }),
			madeMessage({ role: 'tool', parts: [{ type: 'tool-result', toolCallId: '1', toolName: 'clock', output: '', isError: false }] }),
			madeMessage({ role: 'user', parts: [{ type: 'file', attachmentId: 'a', mediaType: 'text/plain', name: 'notes.txt' }] }),
			madeMessage({ role: 'user', parts: [{ type: 'redacted', at: 0 }] }),
			madeMessage({ role: 'assistant', parts: [{ type: 'text', text: 'a'.repeat(500) }] })
		];
		const asked: [string, number][] = [];
		const context = over([madeSession()], {
			newestMessages: (id, limit) => {
				asked.push([id, limit]);
				return Promise.resolve(messages);
			}
		});
		const { listing } = expectKind(await run('/history 6', context), 'text');
		expect(listing!.split('\n').slice(0, 5)).toEqual([
			'You        First line',
			'Assistant  (calls clock)',
			'Tool       (result of clock)',
			'You        (notes.txt)',
			'You        (text erased)'
		]);
		expect(listing!.split('\n')[5]).toHaveLength(11 + 120);
		await run('/history', context);
		expect(asked).toEqual([
			['s1', 6],
			['s1', 10]
		]);
	});
});

describe('/rename', () => {
	it('[S2] gives the session a title, and takes it back when undone', async () => {
		const rows = [madeSession({ title: 'Old' })];
		const { text, undo } = expectKind(await run('/rename  A  title', over(rows)), 'done');
		expect(rows[0]).toMatchObject({ titledBy: 'user' });
		expect(text).toContain('title”');
		await undo!();
		expect(rows[0]).toMatchObject({ title: 'Old', titledBy: 'snug' });
	});

	it('[S2] returns to the automatic title without one; undone, the user’s own is back', async () => {
		const rows = [madeSession({ title: 'Mine', titledBy: 'user' })];
		const { undo } = expectKind(await run('/rename', over(rows)), 'done');
		expect(rows[0]).toMatchObject({ title: 'Automatic', titledBy: 'snug' });
		await undo!();
		expect(rows[0]).toMatchObject({ title: 'Mine', titledBy: 'user' });
	});
});

test('[A8] /pin pins the session and /unpin takes the pin away', async () => {
	const rows = [madeSession(), madeSession({ id: 's2' })];
	expectKind(await run('/pin', over(rows)), 'done');
	expect(rows.map(({ pinned }) => pinned)).toEqual([1, 0]);
	expectKind(await run('/unpin', over(rows)), 'done');
	expect(rows.map(({ pinned }) => pinned)).toEqual([0, 0]);
});

describe('/delete', () => {
	const made = () => [madeSession(), madeSession({ id: 's2', title: 'Soup' }), madeSession({ id: 's3', title: 'Soup' }), madeSession({ id: 's4', title: 'Tea' })];

	it('[A14] deletes this session and leaves it', async () => {
		const rows = made();
		expect(await run('/delete', over(rows))).toEqual({ kind: 'done', path: '/' });
		expect(idsOf(rows)).toEqual(['s2', 's3', 's4']);
	});

	it('[A14] deletes the one that is named and stays', async () => {
		const rows = made();
		expect(await run('/delete Tea', over(rows))).toEqual({ kind: 'done' });
		expect(idsOf(rows)).toEqual(['s1', 's2', 's3']);
	});

	it('[A14] deletes nothing before one of several is chosen', async () => {
		const rows = made();
		const { choices } = expectKind(await run('/delete Soup', over(rows)), 'choose');
		expect(idsOf(rows)).toHaveLength(4);
		await choices[0]!.run();
		expect(idsOf(rows)).toEqual(['s1', 's3', 's4']);
	});

	it('[A14] deletes nothing where none has that name', async () => {
		const rows = made();
		expectKind(await run('/delete Bread', over(rows)), 'refused');
		expect(idsOf(rows)).toHaveLength(4);
	});
});

describe('the tree', () => {
	/** Two sends and their answers, the first with a label, and a head. */
	function branched(head = 'm4') {
		const labels: Record<string, string> = { m1: 'Soup' };
		const heads: string[] = [];
		const messages = ['m1', 'm2', 'm3', 'm4'].map((id, depth) =>
			madeMessage({
				id,
				depth,
				parentId: depth === 0 ? null : `m${depth}`,
				role: depth % 2 === 0 ? 'user' : 'assistant',
				parts: [{ type: 'text', text: `Text ${depth}` }]
			})
		);
		const tree = () => ({
			...messages.reduce<Tree | undefined>((tree, message) => growTree(tree, message, null), undefined)!,
			labels: Object.fromEntries(Object.entries(labels).filter(([, text]) => text !== ''))
		});
		const ends: Record<string, { id: string; depth: number }> = {
			n0: { id: 'm2', depth: 1 },
			n1: { id: 'm4', depth: 3 },
			Soup: { id: 'm2', depth: 1 },
			m3: { id: 'm3', depth: 2 }
		};
		const context = over([madeSession()], {
			outline: () => Promise.resolve(outlineOf({ tree: tree(), headId: head, messages, sends: ['m1', 'm3'] }).outline),
			findNode: (_id, text) => Promise.resolve(ends[text]),
			head: () => Promise.resolve(head),
			moveHead: (_id, messageId) => Promise.resolve(void heads.push(messageId)),
			label: (_id, messageId, text) => Promise.resolve(void (labels[messageId] = text))
		});
		return { context, labels, heads };
	}

	it('[Z9] is printed by /tree', async () => {
		const { listing } = expectKind(await run('/tree', branched().context), 'text');
		expect(listing!.split('\n')).toEqual([expect.stringMatching(/n0 .*Soup.*Text 0/), expect.stringMatching(/n1 .*Text 2/)]);
	});

	test.each([
		['/branch n0', 'm2', 'Branched from n0 (2 messages). What you send next starts a branch.'],
		['/branch Soup', 'm2', 'Branched from n0 (2 messages). What you send next starts a branch.'],
		['/branch n1', 'm4', 'You are at the end of n1 (4 messages). What you send next continues it.'],
		['/branch m3', 'm3', 'Branched from this message (3 messages). What you send next starts a branch.']
	])('[Z9] %s moves the head to %s', async (text, moved, said) => {
		const { context, heads } = branched();
		expect(await run(text, context)).toEqual({ kind: 'text', text: said });
		expect(heads).toEqual([moved]);
	});

	test.each(['/branch', '/branch n7'])('%s moves nothing', async (text) => {
		const { context, heads } = branched();
		expectKind(await run(text, context), 'refused');
		expect(heads).toEqual([]);
	});

	it('[Z9] /label names the newest message of the path, or the end of a node', async () => {
		const { context, labels } = branched();
		expect(expectKind(await run('/label The good\n one', context), 'done').text).toBe('n1 is labelled “The good one”.');
		expect(expectKind(await run('/label N0 Bread', context), 'done').text).toBe('n0 is labelled “Bread”.');
		expect(labels).toEqual({ m1: 'Soup', m4: 'The good one', m2: 'Bread' });
	});

	it('[Z9] /label without a text takes the label away, and can be undone', async () => {
		const { context, labels } = branched('m2');
		const { undo } = expectKind(await run('/label', context), 'done');
		expect(labels['m1']).toBe('');
		await undo!();
		expect(labels['m1']).toBe('Soup');
		expectKind(await run('/label n0', context), 'done');
		expect(labels['m1']).toBe('');
		expectKind(await run('/label n1', context), 'refused');
	});

	test.each(['/label n7 Bread', '/label n0 n1', `/label ${'a'.repeat(81)}`])('%s labels nothing', async (text) => {
		const { context, labels } = branched();
		expectKind(await run(text, context), 'refused');
		expect(labels).toEqual({ m1: 'Soup' });
	});

	it('[Z9] is completed by label and by name, the newest first', async () => {
		const { context } = branched();
		const textsFor = async (text: string) => (await complete(text, context)).items.map(({ text }) => text);
		expect(await textsFor('/branch ')).toEqual(['/branch n1', '/branch Soup']);
		expect(await textsFor('/branch n')).toEqual(['/branch n1', '/branch n0']);
		expect(await textsFor('/branch so')).toEqual(['/branch Soup']);
		expect(await textsFor('/branch x')).toEqual([]);
	});
});

describe('/cleanup', () => {
	function cleaning(found: Session[], retention?: number) {
		const calls: unknown[] = [];
		const context = over([madeSession()], {
			now: () => 100 * day,
			retentionDays: () => Promise.resolve(retention),
			previewCleanup: (rule) => {
				calls.push(rule);
				return Promise.resolve(found);
			},
			cleanUp: (ids, rule) => {
				calls.push(['removed', ids, rule]);
				return Promise.resolve(ids.slice(0, 1));
			},
			restoreSessions: (ids) => Promise.resolve(void calls.push(['restored', ids]))
		});
		return { calls, context };
	}

	test.each([
		['/cleanup', undefined, 90],
		['/cleanup', 14, 14],
		['/cleanup 7', 14, 7],
		['/cleanup --older-than 30', 14, 30]
	])('[R4, E14] %s with a rule of %s days asks for those older than %i days', async (text, rule, days) => {
		const { calls, context } = cleaning([], rule);
		expect(expectKind(await run(text, context), 'text').text).toContain(`${days} days`);
		expect(calls).toEqual([{ olderThanDays: days }]);
	});

	it('[R4] [S12] removes only what was listed, and only once that is confirmed; then it can be undone', async () => {
		const { calls, context } = cleaning([madeSession({ id: 'a', preview: 'Bread' }), madeSession({ id: 'b', preview: 'Soup' })]);
		const question = expectKind(await run('/cleanup', context), 'confirm');
		expect(question.listing).toMatch(/^.*Bread +a\n.*Soup +b$/);
		expect(question.label).toBe('Delete 2 chats');
		expect(calls).toHaveLength(1);
		const { undo, text } = expectKind(await question.run(), 'done');
		expect(text).toBe('1 chat deleted.');
		await undo!();
		expect(calls.slice(1)).toEqual([
			['removed', ['a', 'b'], { olderThanDays: 90 }],
			['restored', ['a']]
		]);
	});

	it('[R4] lists no more than anyone would read', async () => {
		const { context } = cleaning(Array.from({ length: 1000 }, (_, at) => madeSession({ id: `a${at}` })));
		const { listing } = expectKind(await run('/cleanup', context), 'confirm');
		expect(listing!.split('\n')).toHaveLength(201);
		expect(listing).toContain('800 more');
	});
});

test('[S7] /context opens the panel', async () => {
	expect(await run('/context', over([madeSession()]))).toEqual({ kind: 'open', what: 'context' });
});

describe('/compact', () => {
	test.each([
		['/compact', undefined],
		['/compact simple', 'simple'],
		['/compact Code-Aware', 'code-aware'],
		['/compact role-budget', 'role-budget'],
		['/compact summary', 'summary'],
		['/summarize', 'summary']
	])('[A10] %s asks for a compaction of this session by %s', async (text, strategy) => {
		expect(await run(text, over([madeSession()]))).toEqual({ kind: 'compact', sessionId: 's1', ...(strategy && { strategy }) });
	});

	it('[Z6] says which strategies there are where it knows none of that name', async () => {
		expect(await run('/compact magic', over([madeSession()]))).toEqual({
			kind: 'refused',
			text: 'There is no strategy “magic”. There are simple, code-aware, role-budget and summary.'
		});
	});

	test.each([
		['/compact ', ['simple', 'code-aware', 'role-budget', 'summary']],
		['/compact s', ['simple', 'summary']],
		['/compact CODE', ['code-aware']],
		['/compact x', []]
	])('[Z6] %j can become %j, each with a line about it', async (text, names) => {
		const { items } = await complete(text, commandContext());
		expect(items.map((item) => item.text)).toEqual(names.map((name) => `/compact ${name}`));
		expect(new Set(items.map(({ detail }) => detail)).size).toBe(names.length);
	});
});

test('[S7] /tokens shows the tokens of answers, hides them again, and can be undone', async () => {
	let shown = false;
	const context = commandContext({ showsTokens: () => Promise.resolve(shown), showTokens: (wanted) => Promise.resolve(void (shown = wanted)) });
	const { undo, text } = expectKind(await run('/tokens', context), 'done');
	expect(text).toContain('shows');
	expect(shown).toBe(true);
	await undo!();
	expect(shown).toBe(false);
	await run('/tokens', context);
	expect(expectKind(await run('/tokens', context), 'done').text).toContain('no longer show');
	expect(shown).toBe(false);
});

describe('[R8] /budget', () => {
	const session = madeSession({ usage: { costUsd: 0.25 } });
	const context = over([session], { setBudget: (_, budgetUsd) => Promise.resolve(void Object.assign(session, { budgetUsd })) });

	it('sets what a chat may cost, says it, takes it away, and can be undone', async () => {
		expect(expectKind(await run('/budget', context), 'text').text).toBe('This chat has no budget. Its answers have cost $0.25 so far.');
		const { text } = expectKind(await run('/budget $1.50', context), 'done');
		expect(text).toBe('This chat stops once its answers have cost $1.50. Its answers have cost $0.25 so far.');
		expect(session.budgetUsd).toBe(1.5);
		expect(expectKind(await run('/budget', context), 'text').text).toContain('The budget of this chat is $1.50.');
		const { undo } = expectKind(await run('/budget 0,5', context), 'done');
		expect(session.budgetUsd).toBe(0.5);
		await undo!();
		expect(session.budgetUsd).toBe(1.5);
		await run('/budget 0', context);
		expect(session.budgetUsd).toBeUndefined();
	});

	it('is not undone where the budget has been raised since', async () => {
		const { undo } = expectKind(await run('/budget 0.5', context), 'done');
		session.budgetUsd = 1;
		await expect(undo!()).rejects.toMatchObject({ code: 'budget-changed' });
		expect(session.budgetUsd).toBe(1);
	});

	it('says that nothing is counted where the model tells no cost', async () => {
		const { text } = expectKind(await run('/budget 1', over([madeSession({ usage: {} })], { setBudget: () => Promise.resolve() })), 'done');
		expect(text).toContain('only what a model reports is counted');
	});

	it.each(['a lot', '-1', '1e3', '1000000', '1.23456', 'Infinity'])('takes no %s', async (amount) => {
		expect(expectKind(await run(`/budget ${amount}`, context), 'refused').text).toContain('such as 1.50');
	});
});

describe('/usage', () => {
	const session = madeSession({ steps: 3, usage: { inputTokens: 12_345, outputTokens: 96, cacheReadTokens: 380 } });
	const all = { sessions: 2, steps: 1200, usage: { inputTokens: 2_012_345, outputTokens: 960, cacheReadTokens: 380, costUsd: 0.0021 }, compactions: 0 };
	const given = { compactions: () => Promise.resolve(1), totalUsage: () => Promise.resolve(all) };
	const cellsOf = (outcome: Outcome) => expectKind(outcome, 'text').listing!.split('\n').map((line) => line.trim().split(/ {2,}/));

	it('[E9] tells what this session and all of them took, and leaves out what no engine reported', async () => {
		expect(cellsOf(await run('/usage', over([session], given)))).toEqual([
			['Here', 'All chats'],
			['Tokens in', (12_345).toLocaleString(), (2_012_345).toLocaleString()],
			['Tokens out', '96', '960'],
			['Cache read', '380', '380'],
			['Cost', '–', '$0.0021'],
			['Answers', '3', (1200).toLocaleString()],
			['Compactions', '1', '0'],
			['Chats', '1', '2']
		]);
	});

	it('[E9] has its figures flush right', async () => {
		const { listing } = expectKind(await run('/usage', over([session], given)), 'text');
		expect(new Set(listing!.split('\n').map((line) => line.length)).size).toBe(1);
	});

	it('[E9] tells the totals in a new chat too', async () => {
		const cells = cellsOf(await run('/usage', commandContext(given)));
		expect(cells[0]).toEqual(['All chats']);
		expect(cells.at(-1)).toEqual(['Chats', '2']);
	});
});

test('[S3] /help has an entry for every command', async () => {
	const { entries } = expectKind(await run('/help', commandContext()), 'text');
	expect(entries!.map(({ term }) => term)).toEqual(commands.map(({ usage }) => usage));
});

describe('/persona', () => {
	const personas = () => Promise.resolve([{ name: 'Poet', about: 'Answer in rhyme.' }, { name: 'Night poet', about: 'Be dark.' }]);

	it('[E3] uses the one of that name, whatever its capital letters, and says which there is not', async () => {
		const used: string[] = [];
		const context = commandContext({ personas, usePersona: (name) => Promise.resolve(void used.push(name)), stopPersona: () => Promise.resolve(void used.push('')) });
		for (const text of ['/persona poet', '/persona Night poet', '/persona NONE']) expect(await run(text, context)).toEqual({ kind: 'done' });
		expect(used).toEqual(['Poet', 'Night poet', '']);
		expect(expectKind(await run('/persona po', context), 'refused').text).toContain('“po”');
		const { choices } = expectKind(await run('/persona', context), 'choose');
		expect(choices.map(({ label }) => label)).toEqual(['Poet', 'Night poet']);
		await choices[1]!.run();
		expect(used.at(-1)).toBe('Night poet');
	});

	it('[E3] completes names that begin so before those that have it within', async () => {
		const { items } = await complete('/persona po', commandContext({ personas }));
		expect(items.map(({ text }) => text)).toEqual(['/persona Poet', '/persona Night poet']);
		expect((await complete('/persona ', commandContext({ personas }))).items.at(-1)).toMatchObject({ text: '/persona None' });
	});
});
