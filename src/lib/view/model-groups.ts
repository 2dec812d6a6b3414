import type { ModelChoice } from '../app/choose-model';
import { deviceWindow } from '../conversation/device-window';
import { fromWords, type ModelTraits } from '../conversation/model-traits';
import type { Session } from '../conversation/session';
import { browserModelName, type AnswerSource } from '../engine/providers/answer-source';
import { formatBytes } from '../shared/bytes';
import { formatCost } from '../shared/cost';
import { serverLabel } from '../shared/server-label';
import type { ModelListRow } from '../storage/tables/model-lists';
import type { LocalModel } from '../storage/tables/models';
import type { Provider } from '../storage/tables/providers';

/** A model that can answer, as a menu shows it. */
export interface ModelOption {
	/** Unique in its group. */
	id: string;
	name: string;
	/** Things that are known of it, or its place among those of several. */
	detail: string;
	/** True for the one that answers now. */
	current: boolean;
	choice: ModelChoice;
}

/** Models that belong together. */
export interface ModelGroup {
	kind: 'recent' | 'device' | 'server';
	label: string;
	options: ModelOption[];
	/** The server that has them. */
	server?: Provider;
	/** False where a server's models are not known yet. */
	isListed?: boolean;
}

/** Rows that a menu of models is made of. */
export interface ModelRows {
	models: LocalModel[];
	servers: Provider[];
	lists: ReadonlyMap<string, ModelListRow>;
	/** The newest chats: their models come first. */
	sessions: Pick<Session, 'provider' | 'model'>[];
	current: AnswerSource | undefined;
	/** True where the browser's own model can answer at once. */
	isBrowserModelReady: boolean;
}

/** The most models that stand at the top since they were used last. */
const maxRecent = 5;

/** Says what a model can, where its server says so. */
function traitsText({ traits = {} }: ModelListRow, name: string): string {
	// A server may name a model as what every object has.
	const { context, images, tools, reasoning, price } = fromWords(Object.hasOwn(traits, name) ? traits[name]! : '');
	const window = context && `up to ${context.toLocaleString()} tokens`;
	return [window, images && 'pictures', tools && 'tools', reasoning && 'reasoning', price && priceText(price)].filter(Boolean).join(' · ');
}

function priceText({ input, output }: NonNullable<ModelTraits['price']>): string {
	return input === 0 && output === 0 ? 'free' : `${formatCost(input)} in, ${formatCost(output)} out a million tokens`;
}

/** Says how large a model on this device is, and how much it reads here. */
export function sizesOf(model: LocalModel): string {
	return `${formatBytes(model.bytes)} · up to ${deviceWindow(model.contextLength).toLocaleString()} tokens`;
}

/** The id of the option that stands for the browser's own model. */
const ofBrowserId = 'browser';

/** Returns the id of the option that stands for a choice. */
export function optionIdOf(choice: ModelChoice): string {
	if ('inBrowser' in choice) return ofBrowserId;
	return 'modelId' in choice ? choice.modelId : `${choice.providerId}/${choice.model}`;
}

/** Returns all models by their source, those that were used last before them. */
export function modelGroups({ models, servers, lists, sessions, current, isBrowserModelReady }: ModelRows): ModelGroup[] {
	const atServer = (server: Provider, name: string, detail: string): ModelOption => {
		const choice = { providerId: server.id, model: name };
		return { id: optionIdOf(choice), name, detail, current: current?.server?.id === server.id && current.model === name, choice };
	};
	const here = (model: LocalModel, place = ''): ModelOption => ({
		id: model.id,
		name: model.name,
		detail: `${place}${sizesOf(model)}`,
		current: current?.local?.id === model.id,
		choice: { modelId: model.id }
	});
	const ofBrowser: ModelOption = { id: ofBrowserId, name: browserModelName, detail: 'part of this browser', current: current?.protocol === 'browser', choice: { inBrowser: true } };
	const namesOf = (server: Provider) => lists.get(server.id)?.models ?? [];

	/** The place of a recent model is that of every other. */
	const isOnlyPlace = servers.length === 1 && models.length === 0 && !isBrowserModelReady;

	const recent = new Map<string, ModelOption>();
	for (const { provider, model } of sessions) {
		const server = servers.find(({ name }) => name === provider);
		const local = provider === 'on-device' ? models.find(({ name }) => name === model) : undefined;
		const isListed = server !== undefined && (!lists.has(server.id) || namesOf(server).includes(model));
		const option = local ? here(local, 'On this device · ') : isListed ? atServer(server, model, isOnlyPlace ? '' : serverLabel(server)) : undefined;
		if (option && recent.size < maxRecent) recent.set(option.id, option);
	}
	const all: ModelGroup[] = [
		{ kind: 'recent', label: 'Recent', options: [...recent.values()] },
		{ kind: 'device', label: 'On this device', options: [...models.map((model) => here(model)), ...(isBrowserModelReady ? [ofBrowser] : [])] },
		...servers.map((server) => {
			const list = lists.get(server.id);
			const options = list?.models.map((name) => atServer(server, name, traitsText(list, name))) ?? [];
			return { kind: 'server' as const, label: serverLabel(server), options, server, isListed: list !== undefined };
		})
	];
	return all.filter(({ options, server }) => options.length > 0 || server);
}

/** Returns the groups with those options only that have every word of `query` in their name or that of their source; with words, no option twice. */
export function matchingModels(groups: ModelGroup[], query: string): ModelGroup[] {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return groups;
	const matches = (group: ModelGroup, { name }: ModelOption) => words.every((word) => `${name} ${group.label}`.toLowerCase().includes(word));
	return groups
		.filter(({ kind }) => kind !== 'recent')
		.map((group) => ({ ...group, options: group.options.filter((option) => matches(group, option)) }))
		.filter(({ options }) => options.length > 0);
}
