import { parametersInForce, type ModelParameters } from '../conversation/model-parameters';
import type { Database } from './database';

/** Reads the parameters that the next answer in a chat is asked for with. */
export async function readParameters({ settings, sessionSettings }: Database, sessionId: string): Promise<ModelParameters> {
	const [defaults, own] = await Promise.all([settings.get('parameters'), sessionSettings.get(sessionId)]);
	return parametersInForce(defaults?.value as ModelParameters | undefined, own?.parameters);
}
