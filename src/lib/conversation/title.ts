import { excerptOf } from './excerpt';
import { textOf, type Message } from './message';
import type { Session } from './session';

/** The longest automatic title, in grapheme clusters. */
const longest = 60;

/** The beginning of a text in which its title is looked for, in UTF-16 units. */
const reach = 10_000;

/**
 * Makes a title for a session of what the user asked, without a model [S2]: the first sentence that says something, without
 * Markdown, greetings and politeness. One line, at most 60 characters; '' where the question says too little.
 */
export function titleFrom(question: string): string {
	for (const line of linesOf(question)) {
		for (const sentence of line.split(sentenceEnd)) {
			const told = withoutPoliteness(sentence.trim());
			if (saysSomething(told)) return excerptOf(capitalised(told.replaceAll('`', '')), longest);
		}
	}
	return '';
}

/** Tells whether what Snug calls a session may be made of a message: of the first question or its answer, or of the first question that says something. */
export function isNamedBy({ title, titledBy }: Pick<Session, 'title' | 'titledBy'>, message: Pick<Message, 'depth' | 'parts'>): boolean {
	return titledBy === 'snug' && (message.depth <= 2 || (title !== '' && titleFrom(textOf(message)) === title));
}

/** The lines of a Markdown text that are prose, each without its markup; inline code keeps its backticks. */
function linesOf(markdown: string): string[] {
	const lines: string[] = [];
	let fence: string | undefined;
	for (const line of markdown.slice(0, reach).split(/[\n\r\u2028\u2029]+/)) {
		const mark = /^\s*(```|~~~)/.exec(line)?.[1];
		if (mark && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
		else if (fence === undefined) lines.push(withoutMarkup(line.slice(0, 1000)));
	}
	return lines;
}

const html = /<\/?(?:a|b|br|code|div|em|h[1-6]|i|img|kbd|li|ol|p|pre|span|strong|sub|sup|ul)(?:\s[^<>]*)?\/?>/gi;

function withoutMarkup(line: string): string {
	return line
		.replace(/^(?:\s*(?:#{1,6}|>|[-*+]|\d{1,3}[.)]|\[[ xX]\])(?=\s))+/, '')
		.replace(/!?\[([^[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)/g, '$1')
		.replace(/<(https?:[^\s<>]*)>/g, '$1')
		.replace(html, '')
		.replace(/(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
		.replace(/(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_]+)(?<=\S)\1(?![\p{L}\p{N}*_])/gu, '$2')
		.replace(/\s*\|\s*/g, ' ');
}

const abbreviation = '(?<![\\p{L}\\p{N}])(?:\\p{L}|[Dd]r|M(?:rs?|s)|[Pp]rof|St|vs|No|[Ff]ig|approx|e\\.g|i\\.e)\\.';

/** Between two sentences: not behind an initial or an abbreviation, and behind a stop only if no small letter follows. */
const sentenceEnd = new RegExp(
	`(?<=[!?]["'”’)]?)\\s+|(?<!${abbreviation})(?<=\\.["'”’)]?)\\s+(?!\\p{Ll})|(?<=[。！？])`,
	'u'
);

const hello =
	'hi|hiya|hello|hey|howdy|greetings|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen|abend)|bonjour|salut|hola|ciao';
const thanks = '(?:thanks|thank you|thx|danke|merci|gracias)(?: (?:so much|very much|a lot|again|in advance))?';
const asks =
	"i|i['’]\\w+|can|could|would|will|please|how|what|why|who|when|where|which|do|does|is|are|tell|help|write|give|explain";

/** Openings that are taken off the start of a sentence, as often as one is there. */
const openings = [
	new RegExp(`^(?:${hello})(?! world)(?: \\p{L}+)?\\s*[,!.:;–—-]+\\s*`, 'iu'),
	new RegExp(`^(?:${hello})(?: there| all| everyone| again| snug)?\\s+(?=(?:${asks})\\b)`, 'iu'),
	new RegExp(`^${thanks}\\s*[,!.:;–—-]+\\s*`, 'iu'),
	/^(?:你好|您好|こんにちは|안녕하세요|привет|здравствуйте)[\s,!.，！。、]+/iu,
	/^(?:ok|okay|well|so|yes|no|sure|great|of course|certainly|absolutely)\s*[,!.:–—-]+\s+/iu,
	/^(?:please|pls|plz|kindly)[\s,]+/iu,
	/^(?:would|do) you mind\s+/iu,
	/^(?:can|could|would|will) (?:you|u)(?! rather)(?:,? (?:please|kindly|maybe|possibly|just))*\s+(?!do\b)/iu,
	/^(?:tell me|let me know)(?: about)?\s+/iu,
	/^help me(?: (?:to|with|out with|understand))?\s+/iu,
	/^i(?:['’]d| would) (?:like|love) (?:you )?to(?: know| ask(?: you)?| understand)?(?: about)?\s+/iu,
	/^i (?:want|need) (?:you )?to(?: know| ask(?: you)?)?(?: about)?\s+/iu,
	/^i(?: was|['’]m| am)? wonder(?:ing)? (?:if|whether) (?:you (?:can|could|would)\s+)?/iu,
	/^(?:do you know|any idea)\s+/iu,
	/^(?:i have )?(?:a |one |just a )?(?:quick |short )?question(?: about\s+|\s*[:,–—-]+\s*)/iu
];

const closing = new RegExp(`(?:[\\s,]+(?:please|pls|plz|${thanks}))?[\\s.,:;!。！、，：]*$`, 'iu');

function withoutPoliteness(sentence: string): string {
	let [before, told] = ['', sentence];
	while (told !== before) {
		before = told;
		for (const opening of openings) told = told.replace(opening, '');
		told = told.replace(closing, '').replace(/^[\s.,:;!?。！？、，：–—-]+(?=\p{L})/u, '');
	}
	return told;
}

/** Words that are said to be polite, to go on or to try things out, and are no subject. */
const smallTalk = new RegExp(
	`^(?:${hello}|${thanks}|(?:hi|hello|hey) there|ok|okay|yes|no|sure|great|cool|nice|please|test|testing|ping|bye|goodbye|go on` +
		"|continue|of course|certainly|absolutely|how are you(?: doing)?(?: today)?|what['’]?s up" +
		'|how (?:can|may) i (?:help|assist)(?: you)?(?: today)?' +
		'|你好|您好|谢谢|こんにちは|ありがとう(?:ございます)?|안녕하세요|감사합니다|привет|здравствуйте|спасибо)[\\s\\p{P}\\p{S}]*$',
	'iu'
);

/** Tells whether there are two letters or digits outside of code, and more than small talk. */
function saysSomething(told: string): boolean {
	const prose = told.replace(/`[^`]*`?/g, ' ');
	return (prose.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 2 && !smallTalk.test(prose.trim());
}

/** With a capital where the first word is in small letters only: not `iPhone`, not `main.py`. */
function capitalised(text: string): string {
	return text.replace(/^\p{Ll}\p{Ll}*(?=[\s,?…]|$)/u, (word) => word[0]!.toUpperCase() + word.slice(1));
}
