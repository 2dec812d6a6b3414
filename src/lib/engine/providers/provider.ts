import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ParameterName } from '../../conversation/model-parameters';
import type { AppError } from '../../shared/app-error';
import type { Egress } from '../../shared/egress';
import type { Models } from '../../storage/models';
import type { OnDevice } from '../local/on-device';
import type { ModelVocabulary } from '../tokens/token-counts';
import type { AnswerSource } from './answer-source';
import type { Server } from './server-failure';
import type { Reach } from './server-reach';

/** A place on this computer where a server of a provider listens by default. */
export interface DefaultAddress {
	name: string;
	baseUrl: string;
	/** On a port of its own, what does not let this page in is still that server. */
	ownPort: boolean;
}

/** The way in which users add servers of a provider: a form needs to know no more. */
export interface ServerForm {
	/** The address of the one server there is; undefined where users have their own. It can be changed, as for a gateway. */
	baseUrl?: string;
	key: {
		isNeeded: boolean;
		/** The page where a key is made, and its name. */
		from?: { label: string; url: string };
	};
}

/** The models of a server by name, and the base URL under which they were found; of this device it is none. */
export interface ModelList {
	baseUrl?: string;
	models: string[];
	/** Things that it says of some of them (`toWords`), by name. */
	traits?: Record<string, string>;
}

/** A request without words, to find out whether one with words could be answered. */
export interface Wordless {
	url: string;
	headers: Readonly<Record<string, string>>;
	/** Path that base URLs usually end with. */
	usualPath: string;
}

/** The limits of a request for the list of models. */
export interface Asking extends Pick<Egress, 'silenceMs'> {
	signal?: AbortSignal;
}

/** The window of a model in tokens, prompt and answer together, as far as its provider knows it. */
export interface ProvidedWindow {
	/** The window that the model runs with now; no prompt can be longer. */
	running?: number;
	/** The window that the model's file or its name tells. */
	stated?: { tokens: number; from: 'file' | 'name' };
}

/** A model that is ready to be asked, as it is: `guardedModel` puts the explanations and the limits around it. */
export interface OpenedModel {
	model: LanguageModelV4;
	/**
	 * Says what a failure means for the user, without the key. Throws what is no failure of the model, such as an abort, as it is. Until
	 * `hasBegun`, nothing of an answer could be read.
	 */
	explain: (error: unknown, hasBegun: boolean) => Promise<AppError>;
	/** The key that was sent, which nothing of an answer may repeat. */
	apiKey?: string;
}

/**
 * One way to have answers: a protocol that servers speak, or the engine on this device. Methods throw AppErrors with a sentence,
 * without the key, or the signal's reason.
 */
export interface AnswerProvider {
	/** The name that users see. A server of which there is only one has it too. */
	readonly label: string;
	/** Set where it talks to servers. */
	readonly servers?: ServerForm;
	/** The parameters that its models take. */
	readonly parameters: readonly ParameterName[];
	/** Returns a request to a server that says no words, and has the headers of one that does, in the order in which they are tried; set where it talks to servers. */
	wordless?(server: Server): Wordless;
	/** The addresses at which it is looked for on this computer. */
	readonly defaultAddresses: readonly DefaultAddress[];
	/** Lists the models of a server, or of this device, sorted by name. */
	listModels(server: Server, asking?: Asking): Promise<ModelList>;
	/** Opens the model of `source` for a turn; that may take as long as a model takes to fetch and to load. */
	open(source: AnswerSource, signal: AbortSignal): Promise<OpenedModel>;
	/** Returns what a turn would send for these options, as JSON. Sends nothing, and needs no key. */
	requestBody(source: AnswerSource, options: LanguageModelV4CallOptions): Promise<unknown>;
	/** Tells whether a model may be offered tools. */
	takesTools(source: AnswerSource): Promise<boolean>;
	/** Tells what is known of the window of a model. */
	window(source: AnswerSource): ProvidedWindow;
	/** Tells whether a model writes summaries that are worth more than those by rules. */
	canSummarise(source: AnswerSource): boolean;
	/** Names the vocabulary by which tokens are counted; undefined where they are estimated. */
	vocabulary(source: AnswerSource): ModelVocabulary | undefined;
}

/** Things that providers need from around. */
export interface ProviderPorts {
	/** The API key of a server, to be sent to that server only. */
	keyOf: (serverId: string) => Promise<string | undefined>;
	reach: Reach;
	device: Pick<OnDevice, 'ready' | 'file' | 'windowOf'>;
	models: Pick<Models, 'list'>;
	/** The way in which requests leave the page. */
	egress?: Egress;
}

/** A provider in the registry. */
export interface ProviderEntry {
	/** The name that rows of servers have for it (`protocol`), in the form of `protocolForm`. */
	id: string;
	load(): Promise<{ createProvider: (ports: ProviderPorts) => AnswerProvider }>;
}
