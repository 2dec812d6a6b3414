import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { AppError } from '../shared/app-error';
import { needsArgument } from './command';
import { complete } from './complete';
import { commandContext, madeSession } from '../../../tests/fixtures/command-context';
import { commands, distance, findCommand, nearest, run } from './registry';

const names = commands.map(({ name }) => name);

/** A command's name with one slip of a finger: a letter added, left out, changed, or swapped with the next. */
const slipped = fc
	.record({
		name: fc.constantFrom(...names),
		at: fc.nat({ max: 8 }),
		letter: fc.stringMatching(/^[a-z]$/),
		slip: fc.constantFrom('add', 'omit', 'change', 'swap')
	})
	.map(({ name, at, letter, slip }) => {
		const i = at % name.length;
		const [before, after] = [name.slice(0, i), name.slice(i)];
		switch (slip) {
			case 'add':
				return before + letter + after;
			case 'omit':
				return before + after.slice(1);
			case 'change':
				return before + letter + after.slice(1);
			default:
				return before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2);
		}
	});

describe('the registry', () => {
	it('[S3] has every command once, by the name that its usage shows', () => {
		expect(new Set(names).size).toBe(names.length);
		for (const { name, usage } of commands) expect(usage.split(' ')[0]).toBe(`/${name}`);
		expect(names.toSorted()).toEqual(
			[
				...['branch', 'budget', 'cleanup', 'compact', 'context', 'delete', 'help', 'history', 'label', 'list', 'new', 'persona', 'pin', 'prompt', 'rename', 'resource', 'session'],
				...['summarize', 'tokens', 'tree', 'unpin', 'usage']
			]
		);
	});

	it.each(commands.filter((command) => !needsArgument(command)))('[S3] knows that /$name needs a chat if it refuses to run without one', async ({ name, needs }) => {
		const totalUsage = () => Promise.resolve({ steps: 0, usage: {}, compactions: 0, sessions: 0 });
		const context = commandContext({
			totalUsage,
			previewCleanup: () => Promise.resolve([]),
			showsTokens: () => Promise.resolve(false),
			showTokens: () => Promise.resolve()
		});
		const outcome = await run(`/${name}`, context);
		const isRefused = outcome.kind === 'refused' && outcome.text.startsWith('There is no chat here yet.');
		expect(isRefused).toBe(needs !== undefined);
	});

	it('finds a command by its whole name only', () => {
		expect(findCommand('branch')?.name).toBe('branch');
		expect(findCommand('branc')).toBeUndefined();
	});
});

describe('nearest', () => {
	it('is one slip away at most for every command with one slip', () => {
		fc.assert(
			fc.property(slipped, (name) => {
				fc.pre(name !== '');
				const found = nearest(name);
				expect(found).toBeDefined();
				expect(found!.startsWith(name) || distance(name, found!) <= 1).toBe(true);
			})
		);
	});

	it('is what a beginning begins', () => {
		fc.assert(
			fc.property(fc.constantFrom(...names), fc.nat(), (name, length) => {
				const begun = name.slice(0, 1 + (length % name.length));
				expect(nearest(begun)!.startsWith(begun)).toBe(true);
			})
		);
	});

	test.each(['quit', 'xylophone', 'q'])('is nothing for %j', (name) => expect(nearest(name)).toBeUndefined());
});

describe('distance', () => {
	const words = fc.stringMatching(/^[abc]{0,6}$/);

	it('is none exactly between equals, and the same both ways', () => {
		fc.assert(
			fc.property(words, words, (a, b) => {
				expect(distance(a, b)).toBe(distance(b, a));
				expect(distance(a, b) === 0).toBe(a === b);
				expect(distance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
			})
		);
	});

	it('counts a swap of neighbours as one', () => expect(distance('tere', 'tree')).toBe(1));
});

describe('run', () => {
	it('says what is near an unknown command, and how to send it as a message', async () => {
		expect(await run('/brnch n1', commandContext())).toEqual({
			kind: 'refused',
			text: 'There is no command /brnch. Did you mean /branch? Put a space before “/” to send it as text.'
		});
		expect(await run('/xylophone', commandContext())).toMatchObject({ kind: 'refused', text: expect.stringContaining('/help') as string });
	});

	it('refuses in a temporary chat what is about the list of chats, and names it in no help', async () => {
		const context = commandContext({ isTemporary: true, place: { sessionId: 's1', workspace: undefined } });
		const listed = commands.filter(({ listed }) => listed).map(({ name }) => name);
		expect(listed).toEqual(['new', 'session', 'list', 'pin', 'unpin', 'delete', 'cleanup']);
		for (const name of listed) expect(await run(`/${name}`, context)).toEqual({ kind: 'refused', text: `A temporary chat is in no list, so /${name} is not here.` });
		const help = await run('/help', context);
		const terms = help.kind === 'text' ? help.entries!.map(({ term }) => term) : [];
		expect(terms).toContain('/help');
		expect(terms.filter((term) => listed.some((name) => term.split(' ')[0] === `/${name}`))).toEqual([]);
	});

	it('makes an AppError a refusal, and lets other errors through', async () => {
		const place = { sessionId: 's1', workspace: undefined };
		const failing = (error: Error) =>
			commandContext({ place, session: () => Promise.resolve(madeSession({ id: 's1' })), pinSession: () => Promise.reject(error) });
		expect(await run('/pin', failing(new AppError('full', 'The disk is full.')))).toEqual({ kind: 'refused', text: 'The disk is full.' });
		await expect(run('/pin', failing(new Error('bug')))).rejects.toThrow('bug');
	});
});

describe('complete', () => {
	const textsFor = async (text: string, context = commandContext()) => (await complete(text, context)).items.map(({ text }) => text.trim());

	it('offers every command for a slash, and none for a message', async () => {
		expect(await textsFor('/')).toEqual(names.map((name) => `/${name}`));
		for (const message of ['//', '/usr/bin', '/ new', '/1']) expect(await textsFor(message)).toEqual([]);
	});

	it('offers what the text begins first, then what has its letters in that order', async () => {
		expect(await textsFor('/l')).toEqual(['/list', '/label', '/delete', '/cleanup', '/help']);
		expect(await textsFor('/brh')).toEqual(['/branch']);
		expect(await textsFor('/xyz')).toEqual([]);
	});

	it('has a space after commands that something can follow', async () => {
		expect((await complete('/new', commandContext())).items[0]!.text).toBe('/new');
		expect((await complete('/sess', commandContext())).items[0]!.text).toBe('/session ');
	});

	it('[E4] offers sessions by title, and by id where a title is missing or shared', async () => {
		const found = [
			madeSession({ id: 'a', title: 'Bread' }),
			madeSession({ id: 'b', title: 'Soup' }),
			madeSession({ id: 'c', title: 'soup' }),
			madeSession({ id: 'd', title: '', preview: 'A first line' })
		];
		const context = commandContext({ findSessions: (text) => Promise.resolve(text === 'x' ? found : []), listSessions: () => Promise.resolve(found) });
		const expected = ['Bread', 'b', 'c', 'd'];
		expect(await textsFor('/session x', context)).toEqual(expected.map((value) => `/session ${value}`));
		expect(await textsFor('/delete ', context)).toEqual(expected.map((value) => `/delete ${value}`));
		expect((await complete('/session ', context)).of).toBe('argument');
		expect(await textsFor('/pin x', context)).toEqual([]);
	});
});
