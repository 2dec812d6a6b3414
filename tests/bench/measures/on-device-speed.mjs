import { findDefaultWeights } from '../../../scripts/weights.mjs';
import { markdownTokens } from '../../fixtures/markdown-text.mjs';
import { median, times, withRange } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { startSite } from '../site.mjs';

const runs = 3;
// Small, since a busy machine may write only some tokens a second.
const promptTokens = 120;
const answerTokens = 32;

/**
 * How fast the default model reads and writes, on several threads in an isolated page and on one in a page that is not.
 * @param {string} work
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(work) {
	if (!(await findDefaultWeights())) {
		return {
			rows: [{ what: 'speed of the model on this device', figure: 'skipped' }],
			notes: ['The default weights are not on this machine; `npm start` fetches them.']
		};
	}
	const site = await startSite(work);
	try {
		const isolated = await answerIn(work, site.url, true);
		const single = await answerIn(work, site.url, false);
		const several = median(isolated.decode) / median(single.decode);
		return {
			rows: [...rowsOf(isolated), ...rowsOf(single)],
			notes: [
				`Medians of ${runs} answers of at most ${answerTokens} tokens, each to a question of its own of about ` +
					`${isolated.prompt}. Writing on ${isolated.name} against ${single.name}: ${times(several)}. ` +
					`Loading took ${isolated.seconds.toFixed(1)} s and ${single.seconds.toFixed(1)} s, the file being in the browser.`
			]
		};
	} finally {
		await site.kill();
	}
}

/** @param {Awaited<ReturnType<typeof answerIn>>} speeds */
function rowsOf({ name, prefill, decode }) {
	return [
		{ what: `model reads a prompt, ${name}`, figure: withRange(prefill, 'tokens/s') },
		{ what: `model writes an answer, ${name}`, figure: withRange(decode, 'tokens/s') }
	];
}

/** @param {string} work @param {string} url @param {boolean} isolated */
function answerIn(work, url, isolated) {
	return withProfile(work, async (context) => {
		const page = await context.newPage();
		const address = `${url}bench/model.html`;
		if (!isolated) await page.route(address, withoutIsolation);
		await page.goto(address);
		const info = await page.evaluate(() => window.loadModel());
		if (info.isolated !== isolated) throw new Error(`the page should ${isolated ? '' : 'not '}have been isolated`);
		/** @type {Awaited<ReturnType<Window['answer']>>[]} */
		const all = [];
		for (let i = 0; i < runs; i++) {
			const question = `${markdownTokens(promptTokens, i + 1).join('')}\nSay at length what this is about.`;
			all.push(await page.evaluate(([text, most]) => window.answer(text, most), ask(question)));
		}
		return {
			name: `${info.threads} thread${info.threads === 1 ? '' : 's'}`,
			seconds: info.seconds,
			prompt: Math.round(median(all.map(({ inputTokens }) => inputTokens))),
			prefill: all.map(({ prefillSpeed }) => prefillSpeed),
			decode: all.map(({ decodeSpeed }) => decodeSpeed)
		};
	});
}

/** @param {string} question @returns {[string, number]} */
const ask = (question) => [question, answerTokens];

/** The page as a host would serve it that cannot set headers. @param {import('playwright').Route} route */
async function withoutIsolation(route) {
	const response = await route.fetch();
	const headers = Object.fromEntries(Object.entries(response.headers()).filter(([name]) => !name.startsWith('cross-origin-')));
	await route.fulfill({ response, headers });
}
