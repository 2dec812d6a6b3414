import type { ServerAddress } from '../engine/providers/connect-server';
import { pageReach } from '../engine/providers/server-reach';
import type { LocalServer } from '../engine/providers/servers';
import { newId } from '../shared/id';
import type { Provider } from '../storage/providers';
import { clock, providers } from './environment';

/** As `connectServer`, which is loaded when it is needed. */
export async function connectServer(address: ServerAddress): Promise<{ provider: Provider; models: string[] }> {
	const { connectServer: connect } = await import('../engine/providers/connect-server');
	return connect(address, { providers, reach: pageReach(), newId, clock });
}

/** Lists the servers on this machine that answer at the usual addresses. */
export async function findLocalServers(): Promise<LocalServer[]> {
	return (await import('../engine/providers/servers')).probeLocal({ reach: pageReach() });
}
