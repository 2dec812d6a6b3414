import type { ServerAddress } from '../engine/providers/connect-server';

const access = () => import('./server-access');

/** As `connectServer` of the engine, which is loaded when it is needed. */
export const connectServer = async (address: ServerAddress) => (await access()).connectServer(address);

/** Lists the servers on this computer that answer at the default addresses. */
export const findLocalServers = async () => (await access()).findLocalServers();

/** Lists the providers that talk to servers. */
export const serverKinds = async () => (await access()).serverKinds();
