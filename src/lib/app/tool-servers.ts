import { pageReach } from '../engine/providers/server-reach';
import { ServerConnections } from '../engine/tool-servers/servers';
import { newId } from '../shared/id';
import { isTemporary } from '../shared/is-temporary';
import { clock } from './environment';
import { storedToolServers } from './stored-tool-servers';

/** The tool servers of this device, and what they have been asked. */
export const toolServers = new ServerConnections({
	stored: storedToolServers,
	reach: pageReach(),
	newId,
	clock,
	alone: (name, work) => navigator.locks.request(name, work),
	renews: () => !isTemporary()
});
