import { parametersInForce, type ModelParameters } from '../conversation/model-parameters';
import type { Database } from './database';
import { Settings } from './settings';

/** Reads the parameters that the next answer in a chat is asked for with. */
export async function readParameters(db: Database, sessionId: string): Promise<ModelParameters> {
	const [defaults, own] = await Promise.all([new Settings(db).get('parameters'), db.sessionSettings.get(sessionId)]);
	return parametersInForce(defaults, own?.parameters);
}
