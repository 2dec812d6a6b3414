import { tabMemory } from '../engine/local/context-for';
import { firstModels } from '../engine/local/first-models';
import { addressOf, readHubRepository, searchHub } from '../engine/local/hub';
import { modelFit, recommended } from '../engine/local/model-fit';

/** The models of Hugging Face, which is asked when the user asks, and what of them fits this tab. */
export const modelHub = {
	firstModels,
	search: searchHub,
	repository: readHubRepository,
	addressOf,
	fit: modelFit,
	recommended,
	/** Estimates the memory that this tab has for a model, in bytes. */
	memory: () => tabMemory((navigator as { deviceMemory?: number }).deviceMemory)
};
