/** A language that is recognised on the device. */
export interface OnDevice {
	langs: string[];
	processLocally: true;
}

/** The part of the Web Speech API that TypeScript does not know, since not all browsers have it. */
export interface Recognition extends EventTarget {
	lang: string;
	continuous: boolean;
	interimResults: boolean;
	processLocally?: boolean;
	start(): void;
	stop(): void;
	abort(): void;
}

export interface RecognitionConstructor {
	new (): Recognition;
	available?(options: OnDevice): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>;
	install?(options: OnDevice): Promise<boolean>;
}

const { SpeechRecognition, webkitSpeechRecognition } = globalThis as unknown as Partial<Record<string, RecognitionConstructor>>;

/** The class that recognises speech in this browser, if it has one. */
export const recognition = SpeechRecognition ?? webkitSpeechRecognition;
