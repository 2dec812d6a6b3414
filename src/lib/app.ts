import { answering, whenNothingAnswers } from './app/answering';
import type { ModelChoice } from './app/choose-model';
import { deviceState } from './app/device-state';
import { clock, defaultWeights, models, providers, sessions, settings } from './app/environment';
import { holdFile } from './app/files';
import { connectServer, findLocalServers, serverKinds } from './app/servers';
import { stored } from './app/stored';
import { followTurns, runTurn } from './app/turns-of-page';
import type { Sessions } from './storage/sessions';

/** Snug without a face: what the screens, the scripting surface and the tests call. One file in app/ a capability. */
export const app = {
	/** To be read. */
	sessions: sessions as Omit<Sessions, 'updateUnfenced'>,
	settings,
	providers,
	models,
	deviceState,
	clock,
	defaultWeights,
	chooseModel: async (choice: ModelChoice, of?: { sessionId?: string | undefined }) => (await import('./app/choose-model')).chooseModel(choice, of),
	connectServer,
	findLocalServers,
	serverKinds,
	holdFile,
	answering,
	whenNothingAnswers,
	stored,
	followTurns,
	runTurn,
	openOnDevice: async () => (await import('./app/on-device')).onDevice,
	openModelLists: async () => (await import('./app/model-lists')).modelLists,
	openSearch: async () => (await import('./app/search')).search,
	openMeasures: async () => (await import('./app/measures')).measures,
	openCleanup: async () => (await import('./app/cleanup')).cleanup,
	openBackup: async () => (await import('./app/backup')).backup,
	openImports: async () => (await import('./app/imports')).imports,
	/** All that is done with what is in a session; what is drawn before one is opened loads it so. */
	openConversations: async () => (await import('./app/conversations')).conversations
};
