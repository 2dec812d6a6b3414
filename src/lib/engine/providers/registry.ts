import type { LanguageModelV4 } from '@ai-sdk/provider';
import { AppError } from '../../shared/app-error';
import { lazy, type Lazy } from '../../shared/lazy';
import type { AnswerSource } from './answer-source';
import type { AnswerProvider, ProviderEntry, ProviderPorts } from './provider';

/** Every way to have answers, loaded when it is first needed. To add one: a file beside this one, and a line here. */
export const providerEntries = [
	{ id: 'openai', load: () => import('./openai') },
	{ id: 'anthropic', load: () => import('./anthropic') },
	{ id: 'google', load: () => import('./google') },
	{ id: 'openrouter', load: () => import('./openrouter') },
	{ id: 'openai-compatible', load: () => import('./openai-compatible') },
	{ id: 'on-device', load: () => import('./on-device') },
	{ id: 'browser', load: () => import('./browser') }
] as const satisfies ProviderEntry[];

/** The providers of this page. */
export class ProviderRegistry {
	private readonly providers: ReadonlyMap<string, Lazy<AnswerProvider>>;

	constructor(ports: ProviderPorts) {
		this.providers = new Map(providerEntries.map(({ id, load }) => [id, lazy(async () => (await load()).createProvider(ports))]));
	}

	/** Loads the provider with this id; undefined where this version knows none. */
	async find(id: string): Promise<AnswerProvider | undefined> {
		return this.providers.get(id)?.();
	}

	/** Loads the provider with this id. Throws an AppError (`provider-unknown`) that names `who` uses it where there is none. */
	async get(id: string, who = 'A server'): Promise<AnswerProvider> {
		const provider = await this.find(id);
		if (provider) return provider;
		throw new AppError('provider-unknown', `${who} speaks a protocol that this version of Snug does not know (“${id}”). Update Snug, or choose another model.`);
	}

	/** Loads the provider of a source. */
	of({ protocol, label }: AnswerSource): Promise<AnswerProvider> {
		return this.get(protocol, label);
	}

	/** Loads all providers, each with its id. */
	all(): Promise<[id: string, provider: AnswerProvider][]> {
		return Promise.all([...this.providers].map(async ([id, provider]) => [id, await provider()]));
	}

	/** Opens the model of a source for a turn, as `guardedModel` has it. Throws AppErrors, or the signal's reason. */
	async open(source: AnswerSource, signal: AbortSignal): Promise<LanguageModelV4> {
		const [provider, { guardedModel }] = await Promise.all([this.of(source), import('./guarded-model')]);
		return guardedModel(await provider.open(source, signal));
	}
}
