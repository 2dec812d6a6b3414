import { connectServer as connect, type ServerAddress } from '../engine/providers/connect-server';
import { findLocalServers as find, type LocalServer } from '../engine/providers/local-servers';
import type { ServerForm } from '../engine/providers/provider';
import { newId } from '../shared/id';
import type { Provider } from '../storage/tables/providers';
import { answerProviders } from './answer-providers';
import { clock, providers } from './environment';
import { modelLists } from './model-lists';

/** As `connectServer` of the engine, with what is stored here. */
export function connectServer(address: ServerAddress): Promise<{ provider: Provider; models: string[] }> {
	return connect(address, { providers, lists: modelLists, registry: answerProviders, newId, clock });
}

/** As `findLocalServers` of the engine, for all providers. */
export function findLocalServers(): Promise<LocalServer[]> {
	return find(answerProviders);
}

/** A provider that talks to servers, as a form shows it. */
export interface ServerKind extends ServerForm {
	protocol: string;
	label: string;
}

/** Lists the providers that talk to servers, in the order of the registry. */
export async function serverKinds(): Promise<ServerKind[]> {
	const all = await answerProviders.all();
	return all.flatMap(([protocol, { label, servers }]) => (servers ? [{ protocol, label, ...servers }] : []));
}
