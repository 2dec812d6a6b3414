import { toolsInForce, usualMaxSteps } from '../conversation/tool-choices';
import type { Database } from './database';
import { Settings } from './settings';

/** Reads the names of the tools that the model of a chat may call, and how often it is asked in one turn at most. */
export async function readToolChoices(db: Database, sessionId: string): Promise<{ names: readonly string[]; maxSteps: number }> {
	const settings = new Settings(db);
	const [forAll, maxSteps, own] = await Promise.all([settings.get('tools'), settings.get('maxSteps'), db.sessionSettings.get(sessionId)]);
	return { names: toolsInForce(forAll, own?.tools), maxSteps: maxSteps ?? usualMaxSteps };
}
