import { expect, test } from 'vitest';
import { commandContext } from '../../../tests/fixtures/command-context';
import { AppError } from '../shared/app-error';
import type { OfServer } from './command';
import { complete } from './complete';
import { run } from './registry';

const prompt: OfServer = { serverId: 's', from: 'Orchard (host)', key: 'orchard:harvest', id: 'harvest', label: 'Harvest', detail: 'Plans it.', takes: [{ name: 'month', required: true }, { name: 'fruit', required: false }] };

/** A context with these prompts, whose words are the values that they were given. */
const withPrompts = (...found: OfServer[]) =>
	commandContext({ prompts: () => Promise.resolve({ found, failures: [] }), wordsOf: (_, values) => Promise.resolve(JSON.stringify(values)) });

test('[R1] a prompt takes what is written as name=value, or all of it where it takes one thing', async () => {
	const context = withPrompts(prompt);
	expect(await run('/Orchard:Harvest month=May fruit="a pear" other=1', context)).toEqual({ kind: 'compose', text: '{"month":"May","fruit":"a pear"}' });
	expect(await run('/prompt orchard:harvest fruit=fig', context)).toEqual({ kind: 'refused', text: 'This prompt needs “month”. Write /orchard:harvest month=…' });
	expect(await run('/orchard:harvest in late May', withPrompts({ ...prompt, takes: [prompt.takes[0]!] }))).toEqual({ kind: 'compose', text: '{"month":"in late May"}' });
	expect(await run('/orchard:harvest __proto__=1 month=May', context)).toEqual({ kind: 'compose', text: '{"month":"May"}' });
});

test('[R1] a prompt is not given what every object has', async () => {
	const context = withPrompts({ ...prompt, takes: [{ name: 'constructor', required: true }, { name: '__proto__', required: true }] });
	expect(await run('/orchard:harvest', context)).toEqual({ kind: 'refused', text: 'This prompt needs “constructor” and “__proto__”. Write /orchard:harvest constructor=… __proto__=…' });
	expect(await run('/orchard:harvest constructor=May __proto__=', context)).toMatchObject({ kind: 'refused', text: expect.stringContaining('needs “__proto__”') as string });
	expect(await run('/orchard:harvest constructor=May __proto__=fig', context)).toEqual({ kind: 'compose', text: '{"constructor":"May","__proto__":"fig"}' });
});

test('[R1] a name that two prompts have, or none, lists what there is; where a server fails, its sentence is the outcome', async () => {
	const context = withPrompts(prompt, { ...prompt, serverId: 't', from: 'Orchard (other)' });
	expect(await run('/orchard:harvest month=May', context)).toMatchObject({ kind: 'choose', choices: [{ detail: 'Orchard (host) · Plans it.' }, { detail: 'Orchard (other) · Plans it.' }] });
	expect(await run('/prompt none', context)).toMatchObject({ kind: 'choose', text: 'There is no prompt “none”. There are:' });
	expect(await run('/resource', commandContext())).toEqual({ kind: 'refused', text: 'No tool server has resources. Settings is where you add one.' });
	const failures = [new AppError('server-down', 'Can’t reach it.')];
	expect(await run('/prompt', commandContext({ prompts: () => Promise.resolve({ found: [], failures }) }))).toEqual({ kind: 'refused', text: 'Can’t reach it.' });
});

test('[R1] a prompt that no field can have is not written', async () => {
	const context = commandContext({ ...withPrompts({ ...prompt, takes: [] }), wordsOf: () => Promise.resolve('\n'.repeat(200_000)) });
	expect(await run('/orchard:harvest', context)).toEqual({ kind: 'refused', text: 'This prompt is too long to be written into a message.' });
});

test('[R1] a prompt whose words begin as a command does is a message', async () => {
	const saying = (words: string) => commandContext({ ...withPrompts({ ...prompt, takes: [] }), wordsOf: () => Promise.resolve(words) });
	expect(await run('/orchard:harvest', saying('/rename Hacked'))).toEqual({ kind: 'compose', text: ' /rename Hacked' });
	expect(await run('/orchard:harvest', saying('/usr/bin is full.'))).toEqual({ kind: 'compose', text: '/usr/bin is full.' });
});

test('[R1] what was written after the name of a prompt stays, where none has that name and where two have', async () => {
	const [one, two] = [{ ...prompt, takes: [prompt.takes[0]!] }, { ...prompt, serverId: 't', takes: [prompt.takes[0]!] }];
	expect(await run('/orchard:harvst in late May', withPrompts(one))).toEqual({ kind: 'refused', text: 'There is no prompt “orchard:harvst”. /prompt lists them all.' });
	expect(await run('/orchard:harvest', withPrompts(one, two))).toMatchObject({ kind: 'choose', stays: false });
	const asked = await run('/orchard:harvest in late May', withPrompts(one, two));
	expect(asked).toMatchObject({ stays: true });
	expect(asked.kind === 'choose' && (await asked.choices[1]!.run())).toEqual({ kind: 'compose', text: '{"month":"in late May"}' });
});

test('[R1] a long word after the name of a prompt is read in no time', { timeout: 5000 }, async () => {
	const word = 'x'.repeat(300_000);
	expect(await run(`/orchard:harvest ${word}`, withPrompts({ ...prompt, takes: [prompt.takes[0]!] }))).toMatchObject({ kind: 'compose' });
});

test('[R1] a resource that takes something asks for it as a prompt does', async () => {
	const tree = { ...prompt, key: 'orchard:tree', label: 'Tree', takes: [{ name: 'kind', required: true }, { name: 'number', required: true }] };
	const file = new File([], 'tree');
	const context = commandContext({ resources: () => Promise.resolve({ found: [tree], failures: [] }), fileOf: (_, values) => Promise.resolve(Object.assign(file, { values })) });
	const asked = await run('/resource', context);
	expect(asked.kind === 'choose' && (await asked.choices[0]!.run())).toEqual({ kind: 'compose', text: '/resource orchard:tree kind= number=' });
	expect(await run('/resource orchard:tree kind=pear', context)).toEqual({ kind: 'refused', text: 'This resource needs “number”. Write /resource orchard:tree number=…' });
	expect(await run('/resource Orchard:Tree kind="sour cherry" number=4', context)).toEqual({ kind: 'compose', file });
	expect(file).toMatchObject({ values: { kind: 'sour cherry', number: '4' } });
});

test('[R1] the value that is begun at the end of an argument is completed by what its server proposes, and nothing else is asked', async () => {
	const asked: unknown[] = [];
	const context = commandContext({ proposals: (argument) => (asked.push(argument), Promise.resolve(['June', 'late May'])) });
	expect(await complete('/Orchard:Harvest fruit=fig month=Ju', context)).toEqual({
		of: 'argument',
		items: [
			{ text: '/Orchard:Harvest fruit=fig month=June ', label: 'June', detail: 'for “month”' },
			{ text: '/Orchard:Harvest fruit=fig month="late May" ', label: 'late May', detail: 'for “month”' }
		]
	});
	expect((await complete('/resource orchard:tree kind="late M', context)).items.map(({ text }) => text)).toEqual(['/resource orchard:tree kind=June ', '/resource orchard:tree kind="late May" ']);
	expect(asked).toEqual([
		{ kind: 'prompt', key: 'orchard:harvest', name: 'month', value: 'Ju', given: { fruit: 'fig' } },
		{ kind: 'resource', key: 'orchard:tree', name: 'kind', value: 'late M', given: {} }
	]);
	for (const text of ['/orchard:harvest', '/orchard:harvest ', '/orchard:harvest month', '/orchard:harvest month=May ', '/prompt', '/resource x=1', `/orchard:harvest month=${'x'.repeat(5000)}`]) await complete(text, context);
	expect(asked).toHaveLength(2);
});

test('[R1] an argument that is made to be slow to read is read in no time', { timeout: 5000 }, async () => {
	const context = commandContext({ proposals: () => Promise.resolve([]) });
	for (const piece of [':', 'a=', 'a="', ' a', '"']) await complete(`/prompt ${piece.repeat(300_000)}`, context);
});
