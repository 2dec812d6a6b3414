import * as v from 'valibot';
import type { ModelParameters, NumberParameter, ParameterChanges, ParameterName } from '../conversation/model-parameters';
import { parameterLimits, stopLimits } from '../conversation/parameter-limits';
import { modelParameters } from '../storage/tables/model-parameters';

/** The name of each parameter, and a line that says what it does. */
export const parameterWords: Record<ParameterName, { label: string; about: string }> = {
	temperature: { label: 'Temperature', about: 'Low is predictable, high is varied.' },
	topP: { label: 'Top-p', about: 'Considers only the likeliest words; 1 considers all.' },
	maxTokens: { label: 'Longest answer (tokens)', about: 'Longer answers are cut off.' },
	reasoningEffort: { label: 'Reasoning effort', about: 'How long the model thinks first, if it can. Servers only.' },
	stop: { label: 'Stop words', about: `An answer ends before any of these texts: one a line, ${stopLimits.texts} at most.` },
	seed: { label: 'Seed', about: 'The same seed often gives the same answer.' }
};

const isWhole = (name: NumberParameter) => name === 'maxTokens' || name === 'seed';

/** Returns a number field's limits and step. */
export function fieldOf(name: NumberParameter): { min: number; max: number; step: number | 'any' } {
	return { ...parameterLimits[name], step: isWhole(name) ? 1 : 'any' };
}

/** A value as a field shows it; '' for none. */
export function shownParameter(value: ModelParameters[ParameterName]): string {
	return Array.isArray(value) ? value.join('\n') : value === undefined ? '' : String(value);
}

type Read = { changes: ParameterChanges } | { problem: string };

/** Returns a parameter as it was typed, undefined where nothing was; or says why it can't be, as a sentence. */
export function readTyped(name: ParameterName, typed: string): Read {
	const lines = typed.split('\n').map((line) => line.trim()).filter(Boolean);
	if (lines.length === 0) return { changes: { [name]: undefined } };
	const value = name === 'stop' ? lines : name === 'reasoningEffort' ? typed : Number(typed);
	const read = v.safeParse(modelParameters, { [name]: value });
	return read.success ? { changes: read.output } : { problem: problemOf(name) };
}

function problemOf(name: ParameterName): string {
	if (name === 'stop') return `Write ${stopLimits.texts} lines at most, each of up to ${stopLimits.length} characters.`;
	if (name === 'reasoningEffort') return 'Choose one of the list.';
	const { min, max } = parameterLimits[name];
	return `Write a ${isWhole(name) ? 'whole number' : 'number'} from ${min.toLocaleString()} to ${max.toLocaleString()}.`;
}
