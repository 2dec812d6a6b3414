import { expect, test } from './app';
import { actionsOf, countRows, said, useServer } from './chat';

test.use({ weights: 'none' });

test('[A15] [R9] [A6] a day is lived through by scripts alone, and the screens show it', async ({ page, server }) => {
	await page.goto('./');
	await page.waitForFunction(() => 'snug' in window);
	const url = server.url;
	const { id, models } = await page.evaluate((baseUrl) => window.snug.providers.connect({ baseUrl, apiKey: 'sk-canary-4711', name: 'Box' }), url);
	expect(models).toContain('echo');
	expect(JSON.stringify(await page.evaluate(() => window.snug.providers.list()))).not.toContain('sk-canary');

	// A question and its answer, in a new session.
	await page.evaluate((providerId) => window.snug.models.choose({ providerId, model: 'echo' }), id);
	const refusals = await page.evaluate(() => {
		const nameOf = ({ name, message }: Error) => `${name}: ${message}`;
		return Promise.all([window.snug.models.choose({ modelId: 'none' }), window.snug.models.choose({ providerId: 'none', model: 'echo' })].map((choice) => choice.then(() => '', nameOf)));
	});
	expect(refusals).toEqual(Array(2).fill('AppError: There is no such model or server here.'));
	const first = await page.evaluate(() => window.snug.send('red kites'));
	expect(first).toMatchObject({ status: 'success', text: 'red kites' });
	await page.goto(`./s/${first.sessionId}`);
	await expect(said(page).assistant).toContainText('red kites');

	// One that goes on there, with a file, and is seen while it is written. A chat keeps its model until another is chosen there.
	const chooseThere = (model: string) => page.evaluate(([providerId, sessionId, model]) => window.snug.models.choose({ providerId, model }, { sessionId }), [id, first.sessionId, model] as const);
	await chooseThere('slow-tokens@100');
	const stopped = page.evaluate(
		(sessionId) => window.snug.send('go on '.repeat(2000), { sessionId, files: [new File(['In the file'], 'notes.txt', { type: 'text/plain' })] }),
		first.sessionId
	);
	await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
	await expect(said(page).assistant.last()).toContainText('go on');
	await page.evaluate((sessionId) => window.snug.stop(sessionId), first.sessionId);
	expect((await stopped).status).toBe('interrupted');
	await expect(said(page).you.last().getByRole('button', { name: /notes\.txt/ })).toBeVisible();

	// A branch, a title, a note, a search, an export, a backup that brings everything back.
	await chooseThere('echo');
	const [, asked] = await page.evaluate((sessionId) => window.snug.messages.all(sessionId), first.sessionId);
	const branch = await page.evaluate(([sessionId, parentId]) => window.snug.send('blue tits', { sessionId, parentId }), [first.sessionId, asked!.parentId!] as const);
	expect(branch).toMatchObject({ sessionId: first.sessionId, text: 'blue tits' });
	await page.evaluate((sessionId) => window.snug.sessions.rename(sessionId, 'Birds'), first.sessionId);
	await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText('Birds');
	await page.evaluate((sessionId) => window.snug.scratchpad.set(sessionId, 'todo', '- [ ] Look up'), first.sessionId);
	expect(await page.evaluate(() => window.snug.search('kites'))).toMatchObject([{ session: first.sessionId }, { session: first.sessionId }]);
	expect(await page.evaluate((sessionId) => window.snug.export(sessionId), first.sessionId)).toMatch(/# Birds[^]*blue tits[^]*Another branch[^]*red kites/);
	const counts = await page.evaluate(async (sessionId) => {
		const file = await window.snug.backup.create();
		await window.snug.sessions.delete(sessionId);
		const gone = await window.snug.sessions.count();
		await window.snug.backup.restore(file);
		return { gone, back: await window.snug.sessions.count() };
	}, first.sessionId);
	expect(counts).toEqual({ gone: 0, back: 1 });
	await page.evaluate((providerId) => window.snug.providers.remove(providerId), id);
	await expect(page.evaluate(() => window.snug.send('anyone there?'))).rejects.toThrow(/model/);
});

test('[A15] [R1] a script switches tools on and off, in one chat and in all', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const { sessionId } = await page.evaluate(() => window.snug.send('Hello'));
	const on = (id?: string) => page.evaluate(async (id) => (await window.snug.tools.list(id)).filter(({ on }) => on).map(({ name }) => name), id);
	await page.evaluate(() => window.snug.tools.switch('current_time', true));
	expect([await on(), await on(sessionId)]).toEqual([['current_time'], ['current_time']]);
	await page.evaluate(async (id) => {
		await window.snug.tools.switch('current_time', false, id);
		await window.snug.tools.switch('session_search', true, id);
	}, sessionId);
	expect([await on(), await on(sessionId)]).toEqual([['current_time'], ['session_search']]);
	await page.evaluate((id) => window.snug.send('Again', { sessionId: id }), sessionId);
	expect(server.requests.at(-1)!.body.tools).toMatchObject([{ function: { name: 'session_search' } }]);
	await expect(page.evaluate(() => window.snug.tools.switch('launch_rocket', true))).rejects.toThrow('There is no tool with this name here.');
});

test('[A15] [P3] [E3] a script keeps personas and puts them into a chat', async ({ page, server }) => {
	await page.goto('./');
	await page.waitForFunction(() => 'snug' in window);
	const { id } = await page.evaluate((baseUrl) => window.snug.providers.connect({ baseUrl }), server.url);
	await page.evaluate((providerId) => window.snug.models.choose({ providerId, model: 'echo' }), id);
	const { sessionId } = await page.evaluate(() => window.snug.send('red kites'));
	await page.evaluate(() => window.snug.personas.put({ name: 'Poet', systemPrompt: 'Rhyme.', parameters: { seed: 7 } }));
	const own = () => page.evaluate(async () => (await window.snug.personas.list()).filter(({ ofSnug }) => !ofSnug));
	expect(await own()).toMatchObject([{ name: 'Poet', systemPrompt: 'Rhyme.' }]);
	await page.evaluate((sessionId) => window.snug.personas.use(sessionId, 'Poet'), sessionId);
	expect(JSON.parse(await page.evaluate((sessionId) => window.snug.context.payload(sessionId), sessionId))).toMatchObject({ seed: 7, messages: [{ role: 'system', content: 'Rhyme.' }, {}, {}] });
	await expect(page.evaluate((sessionId) => window.snug.personas.use(sessionId, 'None'), sessionId)).rejects.toThrow('There is no persona with this name here.');
	await page.evaluate(() => window.snug.personas.remove('Poet'));
	expect(await own()).toEqual([]);
});

test('[A15] [Z9] [S7] [E11] a script does with answers, branches and the context what the menus do', async ({ page, server, expectConsole }) => {
	// The browser reports the answers that broke off.
	expectConsole.push(/Failed to load resource/);
	await page.goto('./');
	await page.waitForFunction(() => 'snug' in window);
	const { id } = await page.evaluate((baseUrl) => window.snug.providers.connect({ baseUrl }), server.url);
	await page.evaluate((providerId) => window.snug.models.choose({ providerId, model: 'echo' }), id);
	await page.evaluate(() => window.snug.systemPrompt.set('Speak like a sailor.'));
	const { sessionId, messageId: first } = await page.evaluate(() => window.snug.send('red kites'));
	await page.goto(`./s/${sessionId}`);
	await expect(said(page).assistant).toContainText('red kites');
	expect(await page.evaluate(() => window.snug.systemPrompt.get())).toBe('Speak like a sailor.');

	// Two answers, one of which is shown, named, made the main one, deleted and brought back.
	const { messageId: second, status } = await page.evaluate(([sessionId, first]) => window.snug.regenerate(sessionId, first!), [sessionId, first] as const);
	expect(status).toBe('success');
	await expect(actionsOf(said(page).assistant)).toContainText('2 / 2');
	const tree = await page.evaluate(
		async ([sessionId, first, second]) => {
			await window.snug.tree.label(sessionId, first!, 'the first');
			await window.snug.tree.setMain(sessionId, first!);
			await window.snug.tree.stepTo(sessionId, first!);
			const text = await window.snug.tree.text(sessionId);
			const removed = await window.snug.tree.remove(sessionId, second!);
			const left = (await window.snug.messages.all(sessionId)).map(({ id }) => id);
			await window.snug.sessions.restore(removed);
			return { text, left, back: (await window.snug.messages.all(sessionId)).map(({ id }) => id) };
		},
		[sessionId, first, second] as const
	);
	expect(tree.text).toContain('the first');
	expect(tree.left).not.toContain(second);
	expect(tree.back).toContain(second);
	await expect(actionsOf(said(page).assistant)).toContainText('1 / 2');

	// What the model sees: nothing of what is excluded, and nothing of what is erased.
	const [, asked] = await page.evaluate((sessionId) => window.snug.messages.all(sessionId), sessionId);
	const payload = await page.evaluate(
		async ([sessionId, asked]) => {
			await window.snug.context.exclude(sessionId, asked);
			const without = await window.snug.context.payload(sessionId);
			await window.snug.context.exclude(sessionId, asked, false);
			await window.snug.context.configure({ contextMessages: 50 }, sessionId);
			await window.snug.tree.moveTo(sessionId, asked);
			return { without, alone: await window.snug.context.payload(sessionId) };
		},
		[sessionId, asked!.id] as const
	);
	expect(payload.without).not.toContain('"role": "user"');
	expect(payload.alone).toContain('Speak like a sailor.');
	expect(payload.alone).toContain('red kites');
	// What is said of a message is said of the chat that it is in, and has the limits of the screens.
	const other = await page.evaluate(() => window.snug.send('blue tits'));
	const refusals = await page.evaluate(
		async ([other, first, asked]) => {
			const { snug } = window;
			const name = 'x'.repeat(1001);
			const works = [
				() => snug.tree.erase(other, asked),
				() => snug.context.pin(other, asked),
				() => snug.context.exclude(other, asked),
				() => snug.regenerate(other, first!),
				() => snug.tree.label(other, asked, name),
				() => snug.scratchpad.set(other, name, ''),
				() => snug.send(' \n', { sessionId: other })
			];
			return Promise.all(works.map((work) => work().then(() => 'done', (error: { code?: string }) => error.code)));
		},
		[other.sessionId, first, asked!.id] as const
	);
	expect(refusals).toEqual(['message-absent', 'message-absent', 'message-absent', 'message-absent', 'label-too-long', 'note-name-too-long', 'nothing-to-send']);
	await page.evaluate(([sessionId, asked]) => window.snug.tree.erase(sessionId, asked), [sessionId, asked!.id] as const);
	await expect(said(page).you).not.toContainText('red kites');

	// An answer that breaks off is kept, and one is discarded and asked for again.
	await page.evaluate(([providerId, sessionId]) => window.snug.models.choose({ providerId, model: 'breaks-off@500' }, { sessionId }), [id, sessionId] as const);
	const broken = await page.evaluate((sessionId) => window.snug.send('one two three four five six seven eight', { sessionId }), sessionId);
	expect(broken.status).toBe('failed');
	await page.evaluate((sessionId) => window.snug.keep(sessionId), sessionId);
	expect((await page.evaluate((sessionId) => window.snug.messages.newest(sessionId, { limit: 1 }), sessionId))[0]).toMatchObject({ role: 'assistant' });
	await page.evaluate((sessionId) => window.snug.send('one two three four five six seven nine', { sessionId }), sessionId);
	await page.evaluate((sessionId) => window.snug.discard(sessionId), sessionId);
	await page.evaluate(([providerId, sessionId]) => window.snug.models.choose({ providerId, model: 'echo' }, { sessionId }), [id, sessionId] as const);
	expect(await page.evaluate((sessionId) => window.snug.retry(sessionId), sessionId)).toMatchObject({ status: 'success', text: 'one two three four five six seven nine' });
});

test('[A15] [P2] a script imports a backup into an empty browser, and sees first what would come; servers and settings wait to be accepted', async ({
	page,
	browser,
	app,
	server,
	watchConsole
}) => {
	await page.goto('./');
	await page.waitForFunction(() => 'snug' in window);
	const { id } = await page.evaluate((baseUrl) => window.snug.providers.connect({ baseUrl, apiKey: 'sk-canary-4711', name: 'Box' }), server.url);
	await page.evaluate((providerId) => window.snug.models.choose({ providerId, model: 'echo' }), id);
	const { sessionId } = await page.evaluate(() => window.snug.send('red kites', { files: [new File(['In the file'], 'notes.txt', { type: 'text/plain' })] }));
	const [, asked] = await page.evaluate((sessionId) => window.snug.messages.all(sessionId), sessionId);
	await page.evaluate(([sessionId, parentId]) => window.snug.send('blue tits', { sessionId, parentId }), [sessionId, asked!.parentId!] as const);
	const bytes = await page.evaluate(async () => [...new Uint8Array(await (await window.snug.backup.create()).arrayBuffer())]);

	const context = await browser.newContext({ baseURL: app.url });
	watchConsole(context);
	const other = await context.newPage();
	await other.goto('./');
	await other.waitForFunction(() => 'snug' in window);
	const run = (dryRun: boolean) => other.evaluate(([bytes, dryRun]) => window.snug.import(new File([new Uint8Array(bytes)], 'snug-backup.jsonl.gz'), { dryRun }), [bytes, dryRun] as const);
	const there = { sessions: 1, messages: 5, branches: 2, attachments: 1 };
	const none = { sessions: 0, messages: 0, branches: 0, attachments: 0 };
	const dry = await run(true);
	expect(dry).toMatchObject({ format: 'backup', found: there, kept: there, merged: none, skipped: [], offers: { servers: [{ name: 'Box' }], settings: [] } });
	expect(JSON.stringify(dry)).not.toContain('sk-canary');
	expect(await other.evaluate(() => window.snug.sessions.count())).toBe(0);
	expect(await countRows(other)).toMatchObject({ sessions: 0, messages: 0, attachments: 0, providers: 0 });

	expect(await run(false)).toEqual(dry);
	await expect(other.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /^Red kites/ })).toBeVisible();
	expect(await other.evaluate((id) => window.snug.export(id), sessionId)).toBe(await page.evaluate((id) => window.snug.export(id), sessionId));
	expect(await run(false)).toMatchObject({ kept: none, merged: there, skipped: [] });
	expect(await other.evaluate(() => window.snug.providers.list())).toEqual([]);
	await expect(other.evaluate(() => window.snug.send('anyone there?'))).rejects.toThrow(/model/);
	await other.evaluate((offers) => window.snug.backup.accept(offers), dry.offers);
	expect(await other.evaluate(() => window.snug.providers.list())).toMatchObject([{ name: 'Box' }]);
	await expect(other.evaluate(() => window.snug.import(new Blob(['My diary'])))).rejects.toThrow('Snug can’t import this file: it is not a Snug backup. Choose another one.');
	await context.close();
});

test('[R9] a call of what there is not says so, and a failing server is told of as data', async ({ page, server, expectConsole }) => {
	// The browser reports the answer that broke off.
	expectConsole.push(/Failed to load resource/);
	await page.goto('./');
	await page.waitForFunction(() => 'snug' in window);
	await expect(page.evaluate(() => (window.snug as unknown as { sessions: { fly: () => unknown } }).sessions.fly())).rejects.toThrow('snug.sessions.fly is not a function.');
	const { id } = await page.evaluate((baseUrl) => window.snug.providers.connect({ baseUrl }), server.url);
	await page.evaluate((providerId) => window.snug.models.choose({ providerId, model: 'breaks-off' }), id);
	expect(await page.evaluate(() => window.snug.send('one two three four five six seven eight'))).toMatchObject({ status: 'failed', failure: expect.stringMatching(/\.$/) });
});
