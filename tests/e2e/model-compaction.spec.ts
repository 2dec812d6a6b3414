// A compaction by a real model takes minutes: `npm run soak` runs it, `npm test` does not.
import { findDefaultWeights } from '../../scripts/weights.mjs';
import { expect, test } from './app';
import { answer, openModelDialog, said, say, storedConversation, storedId, withSessions } from './chat';

test.use({ serviceWorkers: 'allow' });

/** What was said about one small project, the user first. */
const project = [
	...['I plan a garden shed behind my house.', 'Good. How large should the shed be?'],
	...['It should be 240 cm wide and 180 cm deep.', 'Then it needs no permit in most towns.'],
	...['The floor will be larch boards on concrete slabs.', 'Larch lasts long outside. Use 12 slabs.'],
	...['I will write the plan down in shed-plan.txt.', 'Good, keep all the measures in shed-plan.txt.'],
	...['The roof should be green, with sedum on it.', 'A green roof weighs about 95 kg a square metre.'],
	...['My budget is 1850 euros for everything.', 'Wood takes most of that, about 1100 euros.'],
	...['The timber yard is open until six in the evening.', 'Order the wood a week before you begin.'],
	...['I want to begin on the second of May.', 'Then order the wood in the last week of April.'],
	...['I prefer screws to nails.', 'Screws hold better, and they can be taken out.'],
	...['My neighbour lends me his saw.', 'A circular saw is enough for all the cuts.'],
	...['Which side should the door be on?', 'Put the door to the south, out of the wind.'],
	...['The door will be 80 cm wide.', 'That is wide enough for a wheelbarrow.'],
	...['I decided against a window.', 'Without a window it stays cooler, and it costs less.'],
	...['The concrete slabs have arrived today.', 'Good. Lay them on gravel, and keep them level.'],
	...['Two slabs are broken.', 'Ask the shop for two new slabs. The order was A-4471.'],
	...['They will send two new ones on Friday.', 'Then lay the other ten slabs first.'],
	...['The ten slabs are laid and level.', 'Very good. Next come the floor beams.'],
	...['What do I put between beams and slabs?', 'Put strips of rubber between them, against the damp.'],
	...['The beams are cut.', 'Then screw them together when the last slabs are laid.'],
	...['What is still to do after that?', 'The walls, the roof, the door, and the paint.']
];

test('[A10] SmolLM2, offline, compacts a conversation of 40 messages, and the next turn is sent the summary and the newest only', async ({
	page,
	app
}) => {
	const weights = await findDefaultWeights();
	test.skip(weights === null, 'The default weights could not be had on this machine, so there is no model to ask.');
	test.setTimeout(1_800_000);

	await page.goto('./');
	await withSessions(page, [storedConversation(1, project, { system: 'You are a helpful assistant. Answer briefly.' })]);
	await openModelDialog(page);
	await page.getByRole('button', { name: 'Download and use', exact: true }).click();
	await expect(page.getByText('ready offline')).toBeVisible({ timeout: 180_000 });
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	await app.kill();
	await page.goto(`./s/${storedId(1)}`);
	await expect(said(page).you).toHaveCount(20);

	const begun = Date.now();
	await say(page, '/summarize');
	const dialog = page.getByRole('dialog', { name: 'Compact this chat' });
	const summary = dialog.getByRole('textbox', { name: 'Summary' });
	await expect(summary).not.toHaveValue('', { timeout: 1_200_000 });
	const text = (await summary.inputValue()).trim();
	await dialog.getByRole('button', { name: 'Compact', exact: true }).click();
	const mark = page.getByRole('region', { name: 'Compaction' });
	await expect(mark).toContainText(/41 → 8 messages, [\d,]+ → \d+ tokens/);
	const [boundary] = await page.evaluate((id) => window.snug.context.boundaries(id), storedId(1));
	const seconds = Math.round((Date.now() - begun) / 1000);
	console.log(`The summary is by ${boundary!.strategy}${boundary!.note ? ` (${boundary!.note})` : ''}, in ${seconds} s; ${await mark.getByText('→').innerText()}.`);
	console.log(text);
	expect(['summary', 'code-aware']).toContain(boundary!.strategy);
	expect(boundary!.depth).toBe(34);
	if (boundary!.strategy === 'summary') expect(text).toMatch(/^## Files modified\n[^]*\n## Pending tasks\n/);
	expect(boundary!.figures.tokensAfter).toBeLessThan(boundary!.figures.tokensBefore);

	const next = 'What comes after the floor beams?';
	await say(page, next);
	await expect(said(page).you.last()).toHaveText(next);
	await expect(page.getByRole('article').last()).toHaveAccessibleName('Assistant', { timeout: 300_000 });
	expect((await answer(page, { timeout: 300_000 })).trim()).not.toBe('');
	const view = await page.evaluate((id) => window.snug.context.preview(id), storedId(1));
	expect(view!.plan.summary!.text).toBe(`[COMPACTION SUMMARY]\n${text}`);
	const sent = view!.plan.items.filter(({ state }) => state.in).map(({ message }) => message.parts);
	expect(sent.slice(0, -1)).toEqual([...project.slice(34), next].map((said) => [{ type: 'text', text: said }]));
	const payload = await page.evaluate((id) => window.snug.context.payload(id), storedId(1));
	expect(payload).toContain('[COMPACTION SUMMARY]');
	expect(payload).toContain(project[34]);
	expect(payload).not.toContain(project[32]);
});
