import { parameterNames, type ModelParameters } from './model-parameters';

/** All that a preset sets. */
interface PresetValues {
	systemPrompt: string;
	parameters?: ModelParameters;
}

/** Tells whether two presets send the same: spaces around a prompt are not sent. */
export function sendsSame(one: PresetValues, other: PresetValues): boolean {
	const valueOf = ({ parameters }: PresetValues, name: (typeof parameterNames)[number]) => JSON.stringify(parameters?.[name]);
	return one.systemPrompt.trim() === other.systemPrompt.trim() && parameterNames.every((name) => valueOf(one, name) === valueOf(other, name));
}
