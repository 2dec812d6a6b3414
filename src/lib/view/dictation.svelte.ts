import { tick } from 'svelte';
import { on } from 'svelte/events';
import { spaced } from '../shared/spaced';
import type { ComposerText } from './composer.svelte';
import { hasOwnKeyboard } from './has-keyboard';
import { saidIn, settledIn } from './heard';
import { notify } from './notices.svelte';
import { prefer, preference } from './preferences.svelte';
import type { OnDevice, Recognition, RecognitionConstructor } from './recognition';

const failures: Partial<Record<SpeechRecognitionErrorCode, string>> = {
	'not-allowed': 'The browser did not allow the microphone. Allow it for this page, then try again.',
	'service-not-allowed': 'This browser does not allow dictation here.',
	network: 'Your browser’s dictation service can’t be reached. Check the connection, then try again.',
	'no-speech': 'Nothing was heard. Check the microphone, then try again.',
	'audio-capture': 'No microphone was found. Connect one, then try again.'
};

const failedDownload = 'The browser could not download what dictation on this device needs. Check the connection, then try again.';

/** A question that is asked before anything is heard, with what can be answered. */
export interface Question {
	text: string;
	choices: { label: string; run: () => void }[];
}

/** Speech that is written down into a field, from the question whether that may be to the last word. */
export class Dictation {
	question = $state.raw<Question>();
	/** Line that says where it is written down; set before the microphone is asked for. */
	status = $state<string>();
	/** Words that the browser may still change. */
	interim = $state('');
	/** True once it listens, or is about to. */
	listens = $state(false);
	private readonly language = navigator.language;
	private recognition: Recognition | undefined;
	/** Count of the results that are in the field. */
	private written = 0;
	/** Count of the results up to the last that was told as one that is not final. */
	private toldInterim = 0;
	private stops = false;
	private over = false;
	private unfollow: (() => void)[] = [];

	/** `onend` is told once it is over. */
	constructor(
		private readonly recogniser: RecognitionConstructor,
		private readonly field: HTMLTextAreaElement,
		private readonly onend: () => void
	) {}

	async begin(): Promise<void> {
		const onDevice: OnDevice = { langs: [this.language], processLocally: true };
		// A browser that can't tell has a service.
		const available = await this.recogniser.available?.(onDevice).catch(() => undefined);
		if (this.over) return;
		const cancel = { label: 'Cancel', run: () => this.end() };
		const online = () => void this.listen(false);
		if (available === 'available') return this.listen(true);
		if (preference('onlineDictation') === 'allow') return online();
		const allow = () => {
			prefer('onlineDictation', 'allow');
			online();
		};
		const canDownload = available === 'downloadable' || available === 'downloading';
		this.question = canDownload
			? {
					text: 'Your browser can write down what you say on this device, after a download. Or it sends what you say to its maker’s service.',
					choices: [{ label: 'Download', run: () => void this.download(onDevice) }, { label: 'Use the service', run: allow }, cancel]
				}
			: { text: 'Your browser sends what you say to its maker’s service to be written down.', choices: [{ label: 'Continue', run: allow }, cancel] };
	}

	/** Ends once what was said is written; at once where it was to end already. */
	stop(): void {
		if (!this.recognition || this.stops) return this.finish();
		this.stops = true;
		this.recognition.stop();
	}

	/** Ends at once, with the words that show. */
	finish(): void {
		if (this.over) return;
		this.write(this.interim);
		this.end();
	}

	/** Ends at once, with the words that show in the text that they belong to: the field may show another by now, or have gone. */
	leaveIn(composer: ComposerText): void {
		const { value, selectionStart, selectionEnd } = this.field;
		const { text } = composer;
		const [start, end] = value === text ? [selectionStart, selectionEnd] : [text.length, text.length];
		const [before, after] = [text.slice(0, start), text.slice(end)];
		const words = spaced(before, this.interim, after);
		if (!this.over && words) {
			composer.write(before + words + after);
			void composer.sync();
		}
		this.end();
	}

	/** Ends at once, without them. */
	end(): void {
		if (this.over) return;
		this.over = true;
		for (const stop of this.unfollow) stop();
		this.recognition?.abort();
		this.onend();
	}

	private async download(onDevice: OnDevice): Promise<void> {
		this.question = undefined;
		this.status = 'Downloading for dictation on this device…';
		const isThere = await this.recogniser.install!(onDevice).catch(() => false);
		if (this.over) return;
		if (isThere) return this.listen(true);
		this.fail(failedDownload);
	}

	private async listen(onDevice: boolean): Promise<void> {
		this.question = undefined;
		this.status = onDevice ? 'Listening on this device' : 'Listening through your browser’s online service';
		this.listens = true;
		// A voice would be written down too.
		(globalThis.speechSynthesis as SpeechSynthesis | undefined)?.cancel();
		if (hasOwnKeyboard()) this.field.focus();
		await tick();
		if (this.over) return;
		const one = new this.recogniser();
		one.lang = this.language;
		one.continuous = one.interimResults = true;
		if (onDevice) one.processLocally = true;
		this.unfollow = [
			on(one, 'result', (event) => this.take((event as SpeechRecognitionEvent).results)),
			on(one, 'error', (event) => this.failBy((event as SpeechRecognitionErrorEvent).error)),
			on(one, 'end', () => this.finish())
		];
		this.recognition = one;
		try {
			one.start();
		} catch {
			this.failBy('service-not-allowed');
		}
	}

	private take(results: SpeechRecognitionResultList): void {
		const all = Array.from(results);
		this.toldInterim = Math.max(this.toldInterim, all.findLastIndex(({ isFinal }) => !isFinal) + 1);
		const heard = all.map(({ isFinal, 0: best }, at) => ({ words: best?.transcript ?? '', isFinal, confidence: best?.confidence ?? 0, wasInterim: at < this.toldInterim }));
		const settled = settledIn(heard);
		if (settled > this.written) {
			this.write(saidIn(heard, this.written, settled));
			this.written = settled;
		}
		this.interim = saidIn(heard, this.written);
	}

	/** Writes words where the caret is, as typed. */
	private write(words: string): void {
		const { field } = this;
		const { value, selectionStart, selectionEnd } = field;
		const text = spaced(value.slice(0, selectionStart), words, value.slice(selectionEnd));
		if (text === '' || field.readOnly) return;
		// It alone leaves what was typed to be undone; where the keyboard would cover the page, the field is not entered for it.
		if (document.activeElement === field && document.execCommand('insertText', false, text)) return;
		field.setRangeText(text, selectionStart, selectionEnd, 'end');
		field.dispatchEvent(new Event('input', { bubbles: true }));
	}

	private failBy(error: SpeechRecognitionErrorCode): void {
		if (error === 'aborted') return this.finish();
		const language = new Intl.DisplayNames('en', { type: 'language' }).of(this.language);
		this.fail(error === 'language-not-supported' ? `Your browser can’t write down ${language}.` : (failures[error] ?? 'Dictation has stopped. Try again.'));
	}

	private fail(text: string): void {
		notify({ text, milliseconds: 8000 });
		this.finish();
	}
}
