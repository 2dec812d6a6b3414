import type { LanguageModelV4 } from '@ai-sdk/provider';
import { AppError } from '../../shared/app-error';
import { lazy, type Lazy } from '../../shared/lazy';
import type { AnswerSource } from './answer-source';
import type { AnswerProvider, ProviderModule, ProviderPorts } from './provider';

/** Every provider by its id, loaded when it is first needed. A new one is its file and a line here. */
const modules: Record<string, () => Promise<ProviderModule>> = {
	'openai-compatible': () => import('./openai-compatible'),
	'on-device': () => import('./on-device')
};

/** The providers of this page. */
export class ProviderRegistry {
	private readonly providers: ReadonlyMap<string, Lazy<AnswerProvider>>;

	constructor(ports: ProviderPorts) {
		this.providers = new Map(Object.entries(modules).map(([id, load]) => [id, lazy(async () => (await load()).createProvider(ports))]));
	}

	/** Loads the provider with this id. Throws an AppError (`provider-unknown`) that names `who` uses it where there is none. */
	async get(id: string, who = 'A server'): Promise<AnswerProvider> {
		const provider = this.providers.get(id);
		if (provider) return provider();
		throw new AppError('provider-unknown', `${who} speaks a protocol that this version of Snug does not know (“${id}”). Update Snug, or choose another model.`);
	}

	/** Loads the provider of a source. */
	of({ protocol, label }: AnswerSource): Promise<AnswerProvider> {
		return this.get(protocol, label);
	}

	all(): Promise<AnswerProvider[]> {
		return Promise.all([...this.providers.values()].map((provider) => provider()));
	}

	/** Opens the model of a source for a turn, as `guardedModel` has it. Throws AppErrors, or the signal's reason. */
	async open(source: AnswerSource, signal: AbortSignal): Promise<LanguageModelV4> {
		const [provider, { guardedModel }] = await Promise.all([this.of(source), import('./guarded-model')]);
		return guardedModel(await provider.open(source, signal));
	}
}
