import type { parameterLimits, reasoningEfforts } from './parameter-limits';

/** Parameters of a request for an answer. One that is absent is not sent: the model's own counts. */
export interface ModelParameters {
	temperature?: number;
	topP?: number;
	/** The most tokens that an answer may have. */
	maxTokens?: number;
	reasoningEffort?: ReasoningEffort;
	/** Texts before which an answer ends. */
	stop?: string[];
	seed?: number;
}

export type ParameterName = keyof ModelParameters;
/** Parameters to be set; those that are undefined, to be no longer set. */
export type ParameterChanges = { [N in ParameterName]?: ModelParameters[N] | undefined };
export type NumberParameter = keyof typeof parameterLimits;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** Every parameter, in the order in which they are shown. */
export const parameterNames = ['temperature', 'topP', 'maxTokens', 'reasoningEffort', 'stop', 'seed'] as const satisfies ParameterName[];

/** Returns the parameters with these changed; undefined where none is set then. */
export function withChanges(parameters: ModelParameters | undefined, changes: ParameterChanges): ModelParameters | undefined {
	const set = Object.entries({ ...parameters, ...changes }).filter(([, value]) => value !== undefined);
	return set.length === 0 ? undefined : Object.fromEntries(set);
}

/** Returns the parameters in force: those of a chat, and of the defaults those that it does not set. */
export function parametersInForce(defaults: ModelParameters | undefined, own: ModelParameters | undefined): ModelParameters {
	return { ...defaults, ...own };
}
