import type { ServerAddress } from '../engine/providers/connect-server';
import type { LocalServer } from '../engine/providers/local-servers';
import { newId } from '../shared/id';
import type { Provider } from '../storage/providers';
import { clock, providers } from './environment';

/** As `connectServer`, which is loaded when it is needed. */
export async function connectServer(address: ServerAddress): Promise<{ provider: Provider; models: string[] }> {
	const [{ connectServer: connect }, { answerProviders }] = await Promise.all([import('../engine/providers/connect-server'), import('./answer-providers')]);
	return connect(address, { providers, registry: answerProviders, newId, clock });
}

/** Lists the servers on this machine that answer at the default addresses. */
export async function findLocalServers(): Promise<LocalServer[]> {
	const [{ findLocalServers: find }, { answerProviders }] = await Promise.all([import('../engine/providers/local-servers'), import('./answer-providers')]);
	return find(answerProviders);
}
