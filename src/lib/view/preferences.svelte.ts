import { on } from 'svelte/events';
import { hasOwnKeyboard } from './has-keyboard';
import { keepPreference } from './kept-preferences';
import { followTheme } from './theme-colour';

/**
 * Every preference of this device, by the name of its data attribute: its words, its values, of which there are no others, and its default. To add one: an
 * entry here, and what the styles or the code make of its attribute.
 */
export const preferences = {
	theme: {
		label: 'Theme',
		about: 'Light, dark, or the same as this device.',
		also: 'dark mode, night, colours, colors',
		default: 'system',
		values: { system: 'System', light: 'Light', dark: 'Dark' }
	},
	textSize: {
		label: 'Text size',
		about: 'Makes everything larger or smaller.',
		also: 'font, zoom, bigger',
		default: 'medium',
		values: { small: 'Small', medium: 'Medium', large: 'Large', larger: 'Largest' }
	},
	density: {
		label: 'Density',
		about: 'Compact fits more on the screen.',
		also: 'spacing',
		default: 'comfortable',
		values: { comfortable: 'Comfortable', compact: 'Compact' }
	},
	motion: {
		label: 'Reduced motion',
		about: 'On stops animations. System follows this device.',
		also: 'animations',
		default: 'system',
		values: { system: 'System', reduce: 'On' }
	},
	enter: {
		label: 'Enter key',
		about: 'Shift+Enter always makes a new line. If Enter makes one, Ctrl+Enter or ⌘+Enter sends. On a touch screen Enter makes a new line.',
		also: 'return, shortcut for send',
		default: 'send',
		values: { send: hasOwnKeyboard() ? 'Sends the message' : 'Sends the message (not on this touch screen)', line: 'Makes a new line' }
	},
	onlineVoice: {
		label: 'Online voice',
		about: 'Answers are read aloud by a voice on this device where there is one. An online voice is sent the text.',
		also: 'speech, text to speech, privacy',
		default: 'ask',
		values: { ask: 'Ask first', allow: 'Allow' }
	},
	onlineDictation: {
		label: 'Online dictation',
		about: 'What you dictate is written down on this device where the browser can do that. Otherwise its maker’s service is sent what you say.',
		also: 'speech, microphone, privacy',
		default: 'ask',
		values: { ask: 'Ask first', allow: 'Allow' }
	}
} as const satisfies Record<string, { label: string; about: string; also: string; default: string; values: Record<string, string> }>;

export type PreferenceName = keyof typeof preferences;

/** All preferences as the page follows them; what is no value of its preference counts as its default. */
function read(): Record<PreferenceName, string> {
	const { dataset } = document.documentElement;
	const entries = Object.entries(preferences).map(([name, { default: otherwise, values }]) => [name, Object.hasOwn(values, dataset[name] ?? '') ? dataset[name] : otherwise]);
	return Object.fromEntries(entries) as Record<PreferenceName, string>;
}

let current = $state.raw(read());

// The page's own script has applied what another tab has changed.
on(window, 'storage', () => void (current = read()));

export function preference(name: PreferenceName): string {
	return current[name];
}

/** Changes one, here and in all tabs. Returns false where it could not be kept: it counts until the page goes. */
export function prefer(name: PreferenceName, value: string): boolean {
	const isKept = keepPreference(name, value);
	current = read();
	followTheme();
	return isKept;
}
