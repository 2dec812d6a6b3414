import type { ToolCall } from '../conversation/open-calls';
import { sha256Of } from '../shared/sha256';
import type { CallPreview, Tool } from './tool';

/** Knowledge of a call; `seen` is the digest of what the user saw of it. */
export interface Known {
	decided?: 'allowed' | 'denied';
	seen?: string;
	begun?: true;
}

/** `ask-again`: it had begun, and no result says what came of it. */
export type Verdict = 'run' | 'ask' | 'ask-again' | 'denied';

/**
 * Returns what is to be done with a call of a tool: what is known of it counts first, and then the tools that the user has `allowed`. Of a call
 * that differs from what they saw nothing is known. An answer can't be allowed beforehand.
 */
export function verdictOf({ name, asks }: Pick<Tool, 'name' | 'asks'>, known: Known | undefined, { allowed, digest }: { allowed: readonly string[]; digest: string }): Verdict {
	if (!asks) return 'run';
	if (known?.decided === 'denied') return 'denied';
	if (known?.decided === 'allowed' && known.seen === digest) return 'run';
	if (known?.begun) return 'ask-again';
	return asks === 'permission' && allowed.includes(name) ? 'run' : 'ask';
}

/** Returns the digest of a call as it is shown to the user. */
export function digestOf({ toolName, input }: ToolCall, preview: CallPreview | undefined): Promise<string> {
	return sha256Of(JSON.stringify([toolName, input, preview]));
}
