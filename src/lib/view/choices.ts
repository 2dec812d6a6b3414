import { app } from '../app';
import type { ModelChoice } from '../app/choose-model';
import type { PartialDownload } from '../engine/local/model-files';
import type { ModelAddress } from '../engine/local/on-device';
import type { ServerAddress } from '../engine/providers/connect-server';
import type { LocalModel } from '../storage/tables/models';
import type { Provider } from '../storage/tables/providers';
import { beginning } from './beginning';
import { Live } from './live.svelte';
import { notify, offerBack, reportFailure } from './notices.svelte';
import { source } from './source.svelte';
import { withoutLeaving } from './under-way';

/** Answers come from this model from now on, in the chat that is shown. It is loaded first, so that one that can't be used is not chosen. */
export async function chooseModel(model: LocalModel): Promise<void> {
	const sessionId = source.chatId;
	await (await app.openOnDevice()).load(model);
	await choose({ modelId: model.id }, sessionId);
}

/** A new chat has no other model any more, as a persona may have given it one. */
async function choose(choice: ModelChoice, sessionId = source.chatId): Promise<void> {
	await app.chooseModel(choice, { sessionId });
	if (sessionId === undefined) beginning.change({ source: undefined });
}

/** Fetches a model, going on where an earlier fetch of it stopped, and chooses it. */
export async function fetchModel(address: ModelAddress): Promise<void> {
	const device = await app.openOnDevice();
	await chooseModel(await device.fetch(address));
}

/** Chooses the model that the browser itself has; where it has not fetched it yet, it does so first, which only a click may begin. */
export async function fetchBrowserModel(onprogress: (share: number) => void, signal: AbortSignal): Promise<void> {
	const sessionId = source.chatId;
	const { ownModel } = await import('../app/browser-model');
	if ((await ownModel.availability()) !== 'available') await ownModel.fetch(onprogress, signal);
	await choose({ inBrowser: true }, sessionId);
}

/** Copies a GGUF file into the browser and chooses it. */
export async function importModel(file: File): Promise<void> {
	const device = await app.openOnDevice();
	await chooseModel(await withoutLeaving(device.import(file)));
}

export async function cancelModelWork(): Promise<void> {
	(await app.openOnDevice()).cancel();
}

export async function removeModel(model: LocalModel): Promise<void> {
	await (await app.openOnDevice()).remove(model);
	notify({ text: `${model.name} was removed from this browser.`, milliseconds: 5000 });
}

/** Returns the downloads that stopped before their end. */
export async function partialDownloads(): Promise<PartialDownload[]> {
	return (await app.openOnDevice()).partials();
}

export async function discardPartial(partial: PartialDownload): Promise<void> {
	await (await app.openOnDevice()).discard(partial);
}

/** Asks a server for its models, and keeps it if it answers. */
export function connectServer(server: ServerAddress): Promise<{ provider: Provider; models: string[] }> {
	return app.connectServer(server);
}

const withKey = new Live(() => app.providers.withKey());

/** Says whether the API key of this server is stored. */
export function hasKey({ id }: Provider): boolean {
	return withKey.current?.has(id) ?? false;
}

/** Looks for servers at the usual ports of this computer; only when the user asks. */
export function findLocalServers() {
	return app.findLocalServers();
}

/** Lists the ways to add a server. */
export function serverKinds() {
	return app.serverKinds();
}

/** Chooses a model that is here, for the chat that is shown; says why where it can't be. */
export function chooseOrReport(choice: ModelChoice): Promise<void> {
	return reportFailure(async () => {
		if (!('modelId' in choice)) return choose(choice);
		const model = await app.models.get(choice.modelId);
		if (model) await chooseModel(model);
	});
}

/** Answers come from this server's model from now on, in the chat that is shown. */
export function chooseServer(provider: Provider, model: string): Promise<void> {
	return choose({ providerId: provider.id, model });
}

/** Forgets a server and its key. */
export async function removeServer(provider: Provider): Promise<void> {
	const key = await app.providers.keyOf(provider.id);
	await app.providers.remove(provider.id, app.clock());
	offerBack(`${provider.name} was removed.`, () => app.providers.put(provider, key));
}
