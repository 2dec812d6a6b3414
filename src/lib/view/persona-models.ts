import { app } from '../app';
import type { Source } from '../storage/tables/source';
import { hasBrowserModel } from '../engine/providers/answer-source';
import { Live } from './live.svelte';
import { modelGroups, type ModelGroup } from './model-groups';

/** The models that a persona can name: all that can answer here, as far as they are known. */
export async function openPersonaModels(): Promise<Live<ModelGroup[]>> {
	const known = await app.openModelLists();
	return new Live(async () => {
		const [models, servers, lists] = await Promise.all([app.models.list(), app.providers.list(), known.all()]);
		return modelGroups({ models, servers, lists, sessions: [], current: undefined, isBrowserModelReady: hasBrowserModel() }).filter(({ options }) => options.length > 0);
	});
}

/** Returns the value of an option that stands for a model; '' for none. */
export function valueOfSource(source: Source | undefined): string {
	return source ? JSON.stringify(Object.entries(source).sort()) : '';
}
