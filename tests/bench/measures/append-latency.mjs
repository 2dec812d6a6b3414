import { median, ms, times } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { startSite } from '../site.mjs';

const goal = 1.3;
const rounds = 3;
const appends = 300;

/**
 * One user message into a session that is there, by the app's `append` and by IndexedDB as it is, in turns.
 * @param {string} work
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(work) {
	const site = await startSite(work);
	try {
		/** @type {{ append: number, sameWork: number, onePut: number }[]} */
		const medians = [];
		for (let i = 0; i < rounds; i++) {
			const taken = await withProfile(work, async (context) => {
				const page = await context.newPage();
				await page.goto(`${site.url}bench/append.html`);
				return page.evaluate((appends) => window.compareAppends(appends), appends);
			});
			medians.push({ append: median(taken.append), sameWork: median(taken.sameWork), onePut: median(taken.onePut) });
		}
		const of = (/** @type {keyof typeof medians[number]} */ name) => ms(median(medians.map((round) => round[name])));
		const againstSame = median(medians.map((round) => round.append / round.sameWork));
		const againstPut = median(medians.map((round) => round.append / round.onePut));
		return {
			rows: [
				{ what: 'append of a message', figure: of('append') },
				{ what: 'raw IndexedDB, the same transaction', figure: of('sameWork') },
				{ what: 'raw IndexedDB, one put of the message row', figure: of('onePut') },
				{
					what: 'append against the same transaction',
					figure: times(againstSame),
					goal: `≤ ${goal}×`,
					met: againstSame <= goal
				},
				{ what: 'append against one put', figure: times(againstPut) }
			],
			notes: [
				`Medians of ${rounds} profiles on disk with ${appends} of each, in turns, all with strict durability, ` +
					'from the call to the commit. The goal is for the same transaction: two reads and three rows written, ' +
					'as append does it. One put writes one of the three rows.'
			]
		};
	} finally {
		await site.kill();
	}
}
