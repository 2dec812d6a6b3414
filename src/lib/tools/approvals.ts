import type { ToolCall } from '../conversation/open-calls';
import { sha256Of } from '../shared/sha256';
import type { CallState } from '../storage/tables/checkpoints';
import type { CallPreview, Tool } from './tool';

/** `ask-again`: it had begun, and no result says what came of it. */
export type Verdict = 'run' | 'ask' | 'ask-again' | 'denied';

/** Returns the name under which the user allows a tool once for all: its own, with the part of its calls that they allow where there is one. */
export function permissionFor(toolName: string, scope: string | undefined): string {
	return scope === undefined ? toolName : `${toolName} ${scope}`;
}

/** Returns those of these permissions that are for a tool. */
export function permissionsOf(toolName: string, permissions: readonly string[]): { permission: string; scope: string | undefined }[] {
	const ofScope = permissionFor(toolName, '');
	return permissions
		.filter((permission) => permission === toolName || permission.startsWith(ofScope))
		.map((permission) => ({ permission, scope: permission === toolName ? undefined : permission.slice(ofScope.length) }));
}

/**
 * Returns what is to be done with a call of a tool: what is known of it counts first, and then what the user has `allowed` once for all. Of a
 * call that differs from what they saw nothing is known. An answer can't be allowed beforehand.
 */
export function verdictOf({ name, asks }: Pick<Tool, 'name' | 'asks'>, known: Pick<CallState, 'decided' | 'seen' | 'begun'> | undefined, { allowed, digest, scope }: { allowed: readonly string[]; digest: string; scope?: string | undefined }): Verdict {
	if (!asks) return 'run';
	if (known?.decided === 'denied') return 'denied';
	if (known?.decided === 'allowed' && known.seen === digest) return 'run';
	if (known?.begun) return 'ask-again';
	return asks === 'permission' && allowed.includes(permissionFor(name, scope)) ? 'run' : 'ask';
}

/** Returns the digest of a call as it is shown to the user. */
export function digestOf({ toolName, input }: ToolCall, preview: CallPreview | undefined): Promise<string> {
	return sha256Of(JSON.stringify([toolName, input, preview]));
}
