// Stand-ins for the browser's speech, since the browsers of the tests have neither a voice nor a recogniser that runs. What is spoken ends, and what
// is heard comes, when the test says so; everything that asks for it is the app's own.
import type { Page } from '@playwright/test';

export interface StandInVoice {
	name: string;
	lang: string;
	localService: boolean;
	default: boolean;
}

export const here: StandInVoice = { name: 'Robin', lang: 'en-GB', localService: true, default: true };
export const online: StandInVoice = { name: 'Cloud English', lang: 'en-GB', localService: false, default: false };

interface StandInRecognition extends EventTarget {
	lang: string;
	processLocally?: boolean;
}

declare global {
	interface Window {
		/** All that was given to the voice, and the voice; and what ends the sentence that is spoken, with an error if one is named. */
		spoken: { text: string; voice: string }[];
		endSentence: (error?: string) => void;
		/** The recognisers that were started; `isOver` once they were stopped; and what the page said then. */
		heard: { lang: string; isLocal: boolean; isOver: boolean; line: string }[];
		/** Has the recogniser hear words, final or not, or fail. Final ones of confidence 0 are how Chrome on Android has those that may still change. */
		hear: (words: string, isFinal?: boolean, confidence?: number) => void;
		failToHear: (error: string) => void;
		/** Has the recogniser tell what is on the device, where it is late to do that. */
		tellAvailable: () => void;
	}
}

/** Gives the page these voices, of which it learns some time later, as in most browsers. */
export async function withVoices(page: Page, voices: StandInVoice[]): Promise<void> {
	await page.addInitScript((voices) => {
		window.spoken = [];
		let isKnown = false;
		let current: SpeechSynthesisUtterance | undefined;
		const end = (error?: string) => {
			const ended = current;
			current = undefined;
			if (!ended) return;
			if (error) ended.onerror?.({ error } as SpeechSynthesisErrorEvent);
			else ended.onend?.({} as SpeechSynthesisEvent);
		};
		window.endSentence = end;
		class Synthesis extends EventTarget {
			pending = false;
			get speaking() {
				return current !== undefined;
			}
			getVoices() {
				if (isKnown) return voices;
				setTimeout(() => {
					isKnown = true;
					this.dispatchEvent(new Event('voiceschanged'));
				});
				return [];
			}
			speak(utterance: SpeechSynthesisUtterance) {
				current = utterance;
				window.spoken.push({ text: utterance.text, voice: utterance.voice!.name });
			}
			cancel() {
				end('canceled');
			}
		}
		class Utterance {
			constructor(readonly text: string) {}
		}
		Object.defineProperties(window, { speechSynthesis: { value: new Synthesis() }, SpeechSynthesisUtterance: { value: Utterance } });
	}, voices);
}

/** Gives the page a recogniser that says this of what is on the device, late if `isLate`; undefined: it can't tell. */
export async function withRecogniser(page: Page, onDevice?: 'unavailable' | 'downloadable' | 'available', isLate = false): Promise<void> {
	await page.addInitScript(([onDevice, isLate]) => {
		window.heard = [];
		let current: StandInRecognition | undefined;
		let results: { isFinal: boolean; 0: { transcript: string; confidence: number } }[] = [];
		const tell = (type: string, fields = {}) => current?.dispatchEvent(Object.assign(new Event(type), fields));
		const end = () => {
			window.heard.at(-1)!.isOver = true;
			tell('end');
			current = undefined;
		};
		class Recogniser extends EventTarget implements StandInRecognition {
			lang = '';
			processLocally = false;
			start() {
				current = this as StandInRecognition;
				results = [];
				const line = document.querySelector('.composer span.small')!.textContent;
				window.heard.push({ lang: this.lang, isLocal: this.processLocally, isOver: false, line });
			}
			stop() {
				if (current !== this) return;
				setTimeout(end);
			}
			abort() {
				if (current !== this) return;
				tell('error', { error: 'aborted' });
				end();
			}
			static available = onDevice && (() => new Promise((resolve) => {
				window.tellAvailable = () => resolve(onDevice);
				if (!isLate) window.tellAvailable();
			}));
			static install = () => Promise.resolve(true);
		}
		window.hear = (words, isFinal = true, confidence = isFinal ? 0.9 : 0) => {
			results = [...results.filter((result) => result.isFinal), { isFinal, 0: { transcript: words, confidence } }];
			tell('result', { results });
		};
		window.failToHear = (error) => {
			tell('error', { error });
			end();
		};
		Object.defineProperty(window, 'SpeechRecognition', { value: Recogniser });
	}, [onDevice, isLate] as const);
}
