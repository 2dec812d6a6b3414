import { examineModels, examineTools } from '../app/doctor';
import type { Diagnosis } from '../engine/doctor/diagnose';

/** A server that can be examined, as it is connected to: one of models, or one of tools. */
export type Examined = ({ has: 'models' } & Parameters<typeof examineModels>[0]) | ({ has: 'tools' } & Parameters<typeof examineTools>[0]);

/** Finds out what keeps a server from answering. Throws AppErrors. */
export function examine(server: Examined): Promise<Diagnosis> {
	return server.has === 'models' ? examineModels(server) : examineTools(server);
}

/** Names a server by its address, in short. */
export function hostOf(server: Examined): string {
	const address = server.has === 'models' ? server.baseUrl : server.address;
	return /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/]*)/i.exec(address.trim())![1]!;
}
