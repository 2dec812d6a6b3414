import { parameterNames, type ModelParameters } from './model-parameters';

/** All that a persona sets, but for permissions. */
export interface PersonaValues {
	systemPrompt: string;
	parameters?: ModelParameters | undefined;
	/** The model that answers, as rows name it. */
	source?: object | undefined;
	tools?: readonly string[] | undefined;
}

/** Tells whether two personas send the same: spaces around a prompt are not sent. */
export function sendsSame(one: PersonaValues, other: PersonaValues): boolean {
	const textOf = ({ source, tools }: PersonaValues) => JSON.stringify([source && Object.entries(source).sort(), tools?.toSorted()]);
	return sendsSameWords(one, other) && textOf(one) === textOf(other);
}

/** Tells whether a chat that has this set has all that a persona sets: a model and tools that it leaves open may be any. */
export function isSetBy(set: PersonaValues, persona: PersonaValues): boolean {
	return sendsSame(persona, { ...set, source: persona.source && set.source, tools: persona.tools && set.tools });
}

function sendsSameWords(one: PersonaValues, other: PersonaValues): boolean {
	const valueOf = ({ parameters }: PersonaValues, name: (typeof parameterNames)[number]) => JSON.stringify(parameters?.[name]);
	return one.systemPrompt.trim() === other.systemPrompt.trim() && parameterNames.every((name) => valueOf(one, name) === valueOf(other, name));
}
