import type { Named } from './match';
import { parameterWords } from './parameter-words';
import { preferences } from './preferences.svelte';

/** Name of a setting, what is said about it, and other words that one may look for. */
export interface SettingWords extends Named {
	about?: string;
}

/** Settings beside the preferences of this device and the parameters, by name. */
export const settingWords = {
	times: { label: 'Show times', about: 'Each message shows when it was written.', also: 'timestamps, date, clock' },
	tokens: { label: 'Show tokens', about: 'Each answer shows how many tokens it took, and how fast they came.', also: 'usage, speed, statistics' },
	wrap: { label: 'Wrap long lines of code', about: 'Otherwise they scroll sideways.', also: 'word wrap' },
	processor: {
		label: 'Use the processor only',
		about: 'Otherwise a model on this device computes on the graphics processor (WebGPU), where the browser and the engine can. Takes effect the next time a model is loaded.',
		also: 'GPU, graphics card, CPU, threads'
	},
	prompt: {
		label: 'System prompt',
		about: 'Sent first in every new chat, unless you give one its own. Leave it empty to send none. Existing chats keep theirs.',
		also: 'custom instructions, personality'
	},
	tools: { label: 'Tools', also: 'steps, agent, functions, search chats, date and time, tool servers, MCP' },
	personas: { label: 'Personas', also: 'presets, roles, personality, import, export' },
	storage: {
		label: 'Space, backups and old chats',
		also: 'restore, import, deleting, disk, search index, delete everything, delete all chats, clear history, export, privacy'
	},
	install: { label: 'Install Snug', also: 'app on the desktop or home screen, bookmark, offline, update, new version' }
} as const satisfies Record<string, SettingWords>;

/** Other words for the choice of a model, which is an action. */
export const modelWords = 'server, GGUF file, threads, on this device, local, provider, API key, Ollama, OpenAI';

/** Every setting that is found by its words. */
export const settingList: readonly [name: string, words: SettingWords][] = Object.entries({ ...preferences, ...parameterWords, ...settingWords });
