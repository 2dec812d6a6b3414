import type { AppError } from '../shared/app-error';
import type { Outcome } from './command';

/** Returns the outcome where tool servers have nothing of a kind, or can't be asked. */
export function noneFound(what: 'prompts' | 'resources', failures: readonly AppError[]): Outcome {
	const why = failures.map(({ message }) => message).join(' ');
	return { kind: 'refused', text: why || `No tool server has ${what}. Settings is where you add one.` };
}
