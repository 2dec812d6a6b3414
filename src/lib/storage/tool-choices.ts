import { toolsInForce, usualMaxSteps } from '../conversation/tool-choices';
import type { Database } from './database';
import { Settings } from './settings';

/** Choices of the user about tools, as they count in one chat. */
export interface ToolChoices {
	/** The names of the tools that its model may call. */
	names: readonly string[];
	/** The names of those that don't ask before each call. */
	allowed: readonly string[];
	/** The number of times that a model is asked in one turn at most. */
	maxSteps: number;
}

/** Reads what counts in a chat. */
export async function readToolChoices(db: Database, sessionId: string): Promise<ToolChoices> {
	const settings = new Settings(db);
	const [forAll, allowed = [], maxSteps = usualMaxSteps, own] = await Promise.all([
		settings.get('tools'),
		settings.get('allowedTools'),
		settings.get('maxSteps'),
		db.sessionSettings.get(sessionId)
	]);
	return { names: toolsInForce(forAll, own?.tools), allowed: [...allowed, ...(own?.allowedTools ?? [])], maxSteps };
}
