import { spokenText } from '../markdown/spoken';
import { sentencesOf } from '../shared/sentences';
import { chooseVoice } from './choose-voice';
import { notify } from './notices.svelte';
import { prefer, preference } from './preferences.svelte';
import { voices } from './voice.svelte';

/** The most time that a message about a failure stays, in milliseconds. */
const milliseconds = 8000;

const failures: Partial<Record<SpeechSynthesisErrorCode, string>> = {
	network: 'The online voice can’t be reached. Check the connection, then try again.',
	'not-allowed': 'The browser did not allow reading aloud. Try again.',
	'audio-busy': 'Something else is using the sound. Try again when it has ended.',
	'audio-hardware': 'No loudspeaker or headphones were found. Connect some, then try again.'
};

/** One text that is read aloud, a sentence at a time. */
export class Reader {
	/** True until the user says whether a voice may be used that is sent the text. */
	asks = $state(false);
	readonly voice: SpeechSynthesisVoice;
	private readonly sentences: string[];
	private readonly isCut: boolean;
	private over = false;
	/** Kept from being collected: its events end with it. */
	private utterance: SpeechSynthesisUtterance | undefined;

	/** `onend` is told once it is over, but for `stop`. */
	constructor(
		markdown: string,
		private readonly onend: () => void
	) {
		const { text, isCut } = spokenText(markdown);
		this.isCut = isCut;
		this.sentences = sentencesOf(text);
		this.voice = chooseVoice(voices(), text, navigator.languages)!;
		if (this.sentences.length === 0) this.end('This answer has no words to read aloud.');
		else if (!this.voice.localService && preference('onlineVoice') !== 'allow') this.asks = true;
		else this.begin();
	}

	/** Begins with a voice that is sent the text, and remembers that it may. */
	allow(): void {
		prefer('onlineVoice', 'allow');
		this.asks = false;
		this.begin();
	}

	stop(): void {
		this.over = true;
		speechSynthesis.cancel();
	}

	private begin(): void {
		// What was left to be said would be waited for.
		if (speechSynthesis.speaking || speechSynthesis.pending) speechSynthesis.cancel();
		this.next();
	}

	private next(): void {
		if (this.over) return;
		const sentence = this.sentences.shift();
		if (sentence === undefined) return this.end(this.isCut ? 'The rest of this answer is too long to be read aloud.' : undefined);
		const utterance = new SpeechSynthesisUtterance(sentence);
		utterance.voice = this.voice;
		// Some browsers go by it alone.
		utterance.lang = this.voice.lang;
		utterance.onend = () => this.next();
		utterance.onerror = ({ error }) => this.fail(error);
		this.utterance = utterance;
		speechSynthesis.speak(utterance);
	}

	private fail(error: SpeechSynthesisErrorCode): void {
		if (this.over) return;
		const isStopped = error === 'canceled' || error === 'interrupted';
		this.end(isStopped ? undefined : (failures[error] ?? 'The browser could not read this aloud. Try again, or choose another voice in its settings.'));
	}

	private end(text?: string): void {
		this.over = true;
		if (text) notify({ text, milliseconds });
		this.onend();
	}
}
