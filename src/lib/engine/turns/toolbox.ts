import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { estimateTokens } from '../../context/estimate';
import { toFunctionTool, type Tool } from '../../tools/tool';
import type { AnswerSource } from '../providers/answer-source';

/** The tools that the model of a turn may call, and for how long. */
export interface Toolbox {
	tools: readonly Tool[];
	/** Those that the user chose: the same, unless this model takes none. What another one called before is run by them. */
	chosen: readonly Tool[];
	/** Names of those that don't ask for permission, since the user gave it once for all. */
	allowed: readonly string[];
	/** The number of times that the model is asked in one turn at most: it may call tools for ever. */
	maxSteps: number;
}

/** Opens what the model of a source may call in a chat. */
export type OpenToolbox = (sessionId: string, source: AnswerSource) => Promise<Toolbox>;

/** The toolbox of a turn in which nothing may be called. */
export const noTools: Toolbox = { tools: [], chosen: [], allowed: [], maxSteps: 1 };

/** Returns the option of a request that offers tools; none where there are none. */
export function offered({ tools }: Pick<Toolbox, 'tools'>): Pick<LanguageModelV4CallOptions, 'tools'> {
	return tools.length > 0 ? { tools: tools.map(toFunctionTool) } : {};
}

/** Estimates the tokens that definitions of tools take in a prompt [S4]. */
export function toolTokens(tools: readonly Tool[]): number {
	return tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools.map(toFunctionTool)));
}
