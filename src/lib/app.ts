import { answering, whenNothingAnswers } from './app/answering';
import { backup } from './app/backup';
import { cleanup } from './app/cleanup';
import { attachments, clock, db, defaultWeights, models, onDevice, providers, sessions, settings, writers } from './app/environment';
import { attachFile, holdFile } from './app/files';
import { search } from './app/search';
import { connectServer, findLocalServers } from './app/servers';
import { stored } from './app/stored';
import { followTurns, runTurn } from './app/turns-of-page';
import { newId } from './shared/id';
import { Drafts } from './storage/drafts';

/** Snug without a face: what the screens, the scripting surface and the tests call. One file in app/ a capability. */
export const app = {
	sessions,
	drafts: new Drafts(db),
	attachments,
	settings,
	providers,
	models,
	onDevice,
	writers,
	newId,
	clock,
	defaultWeights,
	connectServer,
	findLocalServers,
	attachFile,
	holdFile,
	answering,
	whenNothingAnswers,
	search,
	cleanup,
	backup,
	stored,
	followTurns,
	runTurn,
	/** All that is done with what is in a session; what is drawn before one is opened loads it so. */
	openConversations: async () => (await import('./app/conversations')).conversations
};
