import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { exceeds, type Extent } from '../../shared/extent';

/** The most that is kept of an answer's signatures, as JSON, in UTF-16 units: more than any provider sends. */
export const maxSignatures = 2 ** 20;

/** The most signatures that are kept of an answer: each makes its words a part of their own. */
const maxCount = 500;

/** The most of one signature: they are a few texts. */
const maxExtent: Extent = { levels: 8, values: 1000 };

/**
 * Puts what a provider wants back with a part of an answer where it can be kept: on a call, and on the end of text or reasoning, which has the
 * last that came since it began. It is on no other part, and left out where it would be too much.
 */
export class Signatures {
	private readonly open: { text?: SharedV4ProviderMetadata | undefined; reasoning?: SharedV4ProviderMetadata | undefined } = {};
	private left = maxSignatures;
	private count = 0;

	/** `isSecret` tells of JSON whether it has to be left out. */
	constructor(private readonly isSecret: (json: string) => boolean) {}

	/** Takes the next part of an answer, and returns it with its signature, or without. */
	take(part: LanguageModelV4StreamPart): LanguageModelV4StreamPart {
		switch (part.type) {
			case 'text-start':
			case 'reasoning-start':
			case 'text-delta':
			case 'reasoning-delta': {
				const { providerMetadata, ...rest } = part;
				const kind = kindOf(part.type);
				if (providerMetadata ?? part.type.endsWith('-start')) this.open[kind] = providerMetadata;
				return rest;
			}
			case 'text-end':
			case 'reasoning-end': {
				const kind = kindOf(part.type);
				const { providerMetadata = this.open[kind], ...rest } = part;
				this.open[kind] = undefined;
				return { ...rest, ...this.signed(providerMetadata) };
			}
			case 'tool-call': {
				const { providerMetadata, ...rest } = part;
				return { ...rest, ...this.signed(providerMetadata) };
			}
			default:
				return part;
		}
	}

	private signed(providerMetadata: SharedV4ProviderMetadata | undefined): { providerMetadata?: SharedV4ProviderMetadata } {
		if (!providerMetadata || this.count >= maxCount || exceeds(providerMetadata, maxExtent)) return {};
		const json = JSON.stringify(providerMetadata);
		if (json.length > this.left || this.isSecret(json)) return {};
		this.left -= json.length;
		this.count++;
		return { providerMetadata };
	}
}

function kindOf(type: `${'text' | 'reasoning'}-${string}`): 'text' | 'reasoning' {
	return type.startsWith('text') ? 'text' : 'reasoning';
}
