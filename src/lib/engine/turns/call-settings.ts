import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ModelParameters } from '../../conversation/model-parameters';

/** Options of a call besides its prompt. */
export type CallSettings = Pick<LanguageModelV4CallOptions, 'temperature' | 'topP' | 'maxOutputTokens' | 'stopSequences' | 'reasoning' | 'seed'>;

const optionOf = {
	temperature: 'temperature',
	topP: 'topP',
	maxTokens: 'maxOutputTokens',
	stop: 'stopSequences',
	reasoningEffort: 'reasoning',
	seed: 'seed'
} as const satisfies Record<keyof ModelParameters, keyof CallSettings>;

/** Returns the options that parameters stand for: of what is not set there is none. */
export function toCallSettings(parameters: ModelParameters): CallSettings {
	return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [optionOf[name as keyof ModelParameters], value as unknown]));
}
