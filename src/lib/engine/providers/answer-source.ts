import { serverLabel } from '../../shared/server-label';
import type { LocalModel } from '../../storage/tables/models';
import { protocolOf, type Provider } from '../../storage/tables/providers';
import type { Source } from '../../storage/tables/source';
import type { DefaultWeights } from '../local/default-weights';
import { browserModel } from './browser-model';

/** The source of the next answer, described so that nobody has to ask of what kind it is. */
export interface AnswerSource {
	/** The id of its provider in the registry. */
	protocol: string;
	/** The name under which settings, and what was learnt of the model, are kept. */
	key: string;
	/** The name of the model. */
	model: string;
	/** The name of its provider, as a session's row has it. */
	provider: string;
	/** Its place, for users: a server's name with its host, or this device. */
	label: string;
	/** Says whether what is sent leaves this device. */
	leavesDevice: boolean;
	/** The server that is asked; then neither of the others is set, as with the browser's own model. */
	server?: Provider;
	/** The model on this device that answers. */
	local?: LocalModel;
	/** A model that is not on this device yet, but at hand: fetched when first needed. */
	weights?: DefaultWeights;
}

/** Describes a model at a server. */
export function atServer(server: Provider, model: string): AnswerSource {
	return {
		protocol: protocolOf(server),
		key: `${server.id}/${model}`,
		model,
		provider: server.name,
		label: serverLabel(server),
		leavesDevice: true,
		server
	};
}

/** Describes a model on this device, or one that is fetched to it. */
export function onThisDevice(one: { local: LocalModel } | { weights: DefaultWeights }): AnswerSource {
	const { name } = 'local' in one ? one.local : one.weights;
	const here = 'on-device';
	return { protocol: here, key: `${here}/${name}`, model: name, provider: here, label: 'this device', leavesDevice: false, ...one };
}

/** The name under which users see the model that the browser itself has: it does not say its own. */
export const browserModelName = 'Built-in model';

/** Describes that model. */
export function inBrowser(): AnswerSource {
	const here = 'browser';
	return { protocol: here, key: here, model: browserModelName, provider: here, label: 'this device', leavesDevice: false };
}

/** Tells whether this browser may have a model of its own; whether that can be used, it says when it is asked. */
export const hasBrowserModel = (): boolean => browserModel() !== undefined;

/** Models and servers that are here, and what was chosen for new chats. */
export interface Sources {
	chosen: Source | undefined;
	models: LocalModel[];
	servers: Provider[];
	weights: DefaultWeights | undefined;
}

/**
 * Returns the model of a chat that has one of its own, if it is still there. In its place comes what answers in new chats, but
 * never a server in that of a model on this device or of the browser's: what is said there does not leave it unasked.
 */
export function resolveChatSource(own: Source | undefined, { chosen, models, servers, weights }: Sources): AnswerSource | undefined {
	const isHere = own?.kind === 'server' ? servers.some(({ id }) => id === own.providerId) : own?.kind === 'browser' ? hasBrowserModel() : models.some(({ id }) => id === own?.modelId);
	const found = resolveAnswerSource(isHere ? own : chosen, models, servers, weights);
	return own && own.kind !== 'server' && !isHere && found?.leavesDevice ? undefined : found;
}

/**
 * Returns what the user chose, if it is still there; otherwise the newest model on this device; otherwise the weights that
 * came with this copy of the app; otherwise undefined, and the user is asked.
 */
export function resolveAnswerSource(
	chosen: Source | undefined,
	models: LocalModel[],
	servers: Provider[],
	weights: DefaultWeights | undefined
): AnswerSource | undefined {
	if (chosen?.kind === 'server') {
		const server = servers.find(({ id }) => id === chosen.providerId);
		if (server) return atServer(server, chosen.model);
	}
	if (chosen?.kind === 'browser' && hasBrowserModel()) return inBrowser();
	const local = (chosen?.kind === 'on-device' && models.find(({ id }) => id === chosen.modelId)) || models.at(-1);
	if (local) return onThisDevice({ local });
	return weights && onThisDevice({ weights });
}
