type Voice = Pick<SpeechSynthesisVoice, 'lang' | 'localService' | 'default'>;

/** Scripts that the language of a text is told by, as ISO 15924 names them; Japanese also has letters of the last one. */
const scripts = ['Latn', 'Cyrl', 'Grek', 'Arab', 'Hebr', 'Deva', 'Beng', 'Taml', 'Telu', 'Thai', 'Geor', 'Armn', 'Hang', 'Kana', 'Hani'];
const letters = scripts.map((script) => ({ script, those: new RegExp(`[\\p{Script=${script}}${script === 'Kana' ? '\\p{Script=Hira}' : ''}]`, 'gu') }));

/** The start of a text that tells its script, in UTF-16 units. */
const reach = 2000;

/** Returns the script that most of a text is in; undefined where it has no letters. */
function scriptIn(text: string): string | undefined {
	const counts = letters.map(({ script, those }) => ({ script, count: text.match(those)?.length ?? 0 })).filter(({ count }) => count > 0);
	const most = counts.toSorted((a, b) => b.count - a.count)[0]?.script;
	return most === 'Hani' && counts.some(({ script }) => script === 'Kana') ? 'Kana' : most;
}

/** The script of a language, by the same names. */
function scriptOf(language: string): string {
	if (!/^[a-z]{2,3}$/.test(language)) return '';
	const { script = '' } = new Intl.Locale(language).maximize();
	return { Hans: 'Hani', Hant: 'Hani', Jpan: 'Kana', Kore: 'Hang' }[script] ?? script;
}

/** A language without its region; browsers write `en-GB` and `en_GB`. */
const languageOf = (tag: string) => tag.toLowerCase().split(/[-_]/)[0]!;

/**
 * Chooses a voice for a text, for a user who prefers these languages in this order: one that can read its script, then of a language that is
 * preferred, then on the device, then of the language and region that are preferred most, then the browser's default.
 */
export function chooseVoice<V extends Voice>(voices: readonly V[], text: string, preferred: readonly string[]): V | undefined {
	const script = scriptIn(text.slice(0, reach));
	const likely = script ? [new Intl.Locale(`und-${script}`).maximize().language] : [];
	const wanted = [...preferred.filter((tag) => script === undefined || scriptOf(languageOf(tag)) === script), ...likely];
	const ranks = (voice: V) => {
		const language = wanted.findIndex((tag) => languageOf(tag) === languageOf(voice.lang));
		const region = wanted.findIndex((tag) => tag.toLowerCase() === voice.lang.toLowerCase().replaceAll('_', '-'));
		const isRead = script === undefined || scriptOf(languageOf(voice.lang)) === script;
		return [isRead, language >= 0, voice.localService, -language, region >= 0, voice.default].map(Number);
	};
	const ranked = voices.map((voice) => ({ voice, ranks: ranks(voice) }));
	ranked.sort((a, b) => b.ranks.map((rank, at) => rank - a.ranks[at]!).find((difference) => difference !== 0) ?? 0);
	return ranked[0]?.voice;
}
