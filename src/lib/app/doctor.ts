import { diagnose, type Diagnosis } from '../engine/doctor/diagnose';
import { examineModelServer, examineToolServer } from '../engine/doctor/examine';
import type { Page } from '../engine/doctor/facts';
import type { ServerAddress } from '../engine/providers/connect-server';
import { pageReach } from '../engine/providers/server-reach';
import { toolServerAddress } from '../engine/tool-servers/address';
import type { NamedServer } from '../engine/tool-servers/servers';
import { normaliseBaseUrl } from '../shared/server-address';
import { defaultProtocol, protocolOf } from '../storage/tables/providers';
import { answerProviders } from './answer-providers';
import { providers } from './environment';
import { storedToolServers } from './stored-tool-servers';

/** Finds out what keeps a model server from answering, with the key that is typed or stored. Throws AppErrors where nothing could be asked. */
export async function examineModels({ baseUrl, apiKey, protocol }: Pick<ServerAddress, 'apiKey' | 'protocol'> & { baseUrl: string }): Promise<Diagnosis> {
	const url = normaliseBaseUrl(baseUrl);
	const saved = (await providers.list()).find((provider) => provider.baseUrl === url);
	const key = apiKey?.trim() || (saved && (await providers.keyOf(saved.id)));
	const provider = await answerProviders.get(protocol ?? (saved ? protocolOf(saved) : defaultProtocol));
	const server = { name: new URL(url).host, baseUrl: url, ...(key && { apiKey: key }) };
	return diagnose(await examineModelServer(server, provider, { page: thisPage(), reach: pageReach() }));
}

/** Finds out what keeps a tool server from answering, with the token that is typed or stored. Throws AppErrors where nothing could be asked. */
export async function examineTools({ address, token }: Pick<NamedServer, 'address' | 'token'>): Promise<Diagnosis> {
	const url = toolServerAddress(address);
	const saved = (await storedToolServers.list()).find((server) => server.url === url);
	const given = token?.trim() || (saved && (await storedToolServers.secretOf(saved.id))?.apiKey);
	return diagnose(await examineToolServer({ url, token: given || undefined }, { page: thisPage(), reach: pageReach() }));
}

function thisPage(): Page {
	const { platform, userAgent, vendor } = navigator;
	const system = /^Mac/.test(platform) ? 'mac' : /^Win/.test(platform) ? 'windows' : /Linux/.test(platform) && !userAgent.includes('Android') ? 'linux' : undefined;
	return { origin: location.origin, isSecure: isSecureContext, isWebKit: vendor.startsWith('Apple'), system };
}
