import { page } from '$app/state';
import ArrowLeftRight from '@lucide/svelte/icons/arrow-left-right';
import { textOf } from '../conversation/message';
import type { Place } from '../commands/command';
import { isEnabled, labelOf, type Action, type Way } from './actions/action';
import { changeModel, newChat, newWorkspace, openSettings, toggleSidebar } from './actions/app';
import { chatActions } from './actions/chat';
import { commandActions } from './actions/command';
import { dictate } from './actions/dictate';
import { nextHit, previousHit } from './actions/hit';
import { aloudActions, branchFromHere, goOn, messageButtons, messageMenu, messageMenuAlone } from './actions/message';
import { allSessions, search } from './actions/list';
import { askSecond, chatTools, findModel, modelSettings } from './actions/model';
import { nodeActions } from './actions/node';
import { deleteEverything, searchPage, showShortcuts, storagePage } from './actions/pages';
import { temporaryChat } from './actions/temporary';
import { pasteAsText } from './actions/paste';
import { sessionActions } from './actions/session';
import { settingSearch } from './setting-search.svelte';
import { modelWords, settingList } from './setting-words';
import { openChat, type OpenChat } from './open-chat.svelte';

const ways: readonly Way[] = [newChat, allSessions, searchPage, openSettings, storagePage];
const ofApp: readonly Action[] = [temporaryChat, newWorkspace, { ...changeModel, also: modelWords, icon: ArrowLeftRight }, modelSettings, chatTools, findModel, askSecond, dictate, search, toggleSidebar, showShortcuts, deleteEverything];
const ofSession = sessionActions.flat();
const ofMessage = [...messageButtons, goOn, ...messageMenu];
const ofHits = [nextHit, previousHit];
const ofCommands = commandActions([...ways, ...ofApp, ...ofSession, ...chatActions]);

/** Every action there is, by what it is done to. */
export const actions = {
	ways,
	app: ofApp,
	session: ofSession,
	chat: chatActions,
	message: ofMessage,
	node: nodeActions,
	hits: ofHits,
	paste: [pasteAsText],
	commands: ofCommands
};

/** An action with what it would be done to now. */
export interface Possible {
	action: Pick<Action, 'id' | 'label' | 'also' | 'icon' | 'keys' | 'command' | 'danger'>;
	href?: ReturnType<Way['href']>;
	run: () => unknown;
}

/** Actions that the last message of a chat stands for where none is pointed at. */
const ofLast = [...messageButtons, goOn, ...aloudActions, branchFromHere, ...messageMenuAlone];

export interface PossibleGroup {
	name: string;
	actions: Possible[];
	/** Set where they are shown only to who types. */
	isOffered?: false;
}

/** Returns what can be done on this screen, in groups, and the shortcuts of what can be done elsewhere; what has no keys and has to be pointed at first is left to its own menu. */
export function possibleActions(): PossibleGroup[] {
	const chat = openChat.current;
	const session = chat?.conversation.session;
	const place = composerPlace();
	const groups: PossibleGroup[] = [
		{ name: 'Go to', actions: ways.map((action) => ({ action, href: action.href(), run: () => action.run() })) },
		{
			name: 'This chat',
			actions: chat && session ? [...possible(chatActions, chat), ...possible(ofSession, { session, rename: chat.rename })] : []
		},
		{ name: 'Last message', actions: chat ? onLast(chat) : [], isOffered: false },
		{ name: 'Commands', actions: [...possible(ofApp, undefined), ...(place ? possible(ofCommands, { place, chat }) : [])] }
	];
	const settings = settingList.map(([name, words]) => ({ action: { ...words, id: `setting-${name}`, icon: openSettings.icon }, run: () => goToSetting(words.label) }));
	const here = groups.flatMap(({ actions }) => actions.map(({ action }) => action.id));
	const elsewhere = Object.values(actions).flatMap((all): readonly Possible['action'][] => all).filter(({ id, keys }) => keys && !here.includes(id));
	return [...groups, { name: 'Settings', actions: settings, isOffered: false }, { name: 'Shortcuts', actions: elsewhere.map((action) => ({ action, run: () => showShortcuts.run() })), isOffered: false }];
}

/** Goes to the page of settings, which shows what is found by this name. */
function goToSetting(label: string) {
	settingSearch.query = label;
	return openSettings.run();
}

function onLast({ conversation, changeable }: OpenChat): Possible[] {
	const message = conversation.reachesEnd ? conversation.messages.at(-1) : undefined;
	return message && message.role !== 'system' ? possible(ofLast, { message, text: textOf(message), conversation, changeable }) : [];
}

function possible<Target>(actions: readonly Action<Target>[], target: Target): Possible[] {
	return actions
		.filter((action) => isEnabled(action, target))
		.map((action) => ({ action: { ...action, label: labelOf(action, target) }, run: () => action.run(target) }));
}

/** The place whose composer is on the screen, if one is. */
function composerPlace(): Place | undefined {
	const { params, route } = page;
	return route.id?.startsWith('/(app)/(chat)') ? { sessionId: params.id, workspace: params.workspace } : undefined;
}
